"""Code that Python cannot read: what is wrong in which line, in words for a learner.

Python says it in English, differently in each version, and often at the place where it gave up;
so its words choose among our sentences, and the line itself is looked at, too.
"""

import keyword
import re
from collections.abc import Iterator
from unicodedata import normalize

from coursekit.core.errors import LocalizedError

PUNCTUATION = {
    chr(code): normalize("NFKC", chr(code))
    for block in (range(0xFE50, 0xFE6C), range(0xFF01, 0xFF5F))
    for code in block
    if normalize("NFKC", chr(code)).isascii() and chr(code).isprintable()
}
PUNCTUATION |= dict.fromkeys("“”„‟〝〞「」『』《》〈〉", '"')
PUNCTUATION |= dict.fromkeys("‘’‚′", "'")
PUNCTUATION |= dict.fromkeys("−–—―", "-")
PUNCTUATION |= {"、": ",", "。": ".", "·": ".", "【": "[", "】": "]", "〔": "[", "〕": "]"}
PUNCTUATION |= {"≠": "!=", "≤": "<=", "≦": "<=", "≥": ">=", "≧": ">=", "×": "*", "÷": "/"}
PUNCTUATION |= {"…": "...", "→": "->"}
"""What a Chinese keyboard or a word processor writes, and what Python knows instead."""
BLANKS = frozenset("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000")
"""Spaces that are none for Python: of a Chinese keyboard, or from a page."""
OPERATORS = {
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    "=<": "<=",
    "=>": ">=",
    "<>": "!=",
    "++": "+= 1",
    "--": "-= 1",
    "!": "not",
}
"""What other languages write, and what Python does."""
BRACKETS = {"(": ")", "[": "]", "{": "}"}
BLOCKS = ("if", "elif", "else", "for", "while", "def", "class", "try", "except", "finally", "with")
"""Words that begin a line with a colon at its end."""
COMPARED = re.compile(r"\s*(if|elif|while|return|assert|print)\b")
"""The beginning of a line in which a ``=`` was meant to compare."""
LONGEST = 80
"""Characters of a line that a sentence quotes."""

SENTENCES = (
    (r"inconsistent use of tabs", "tabs"),
    (r"unexpected indent", "indent_more"),
    (r"unindent does not match", "indent_less"),
    (r"expected an indented block(?:.* on line (?P<line>\d+))?", "indent_missing"),
    (r"Missing parentheses in call to '(?P<got>\w+)'", "call"),
    (r"'(?P<got>.)' was never closed", "unclosed"),
    (r"unmatched '(?P<got>.)'", "unmatched"),
    (r"closing parenthesis '(?P<got>.)' does not match opening parenthesis '(?P<open>.)'", "other"),
    (r"unterminated|EOL while scanning|EOF while scanning", "quote"),
    (r"'(?P<got>return|yield|await)' outside", "outside_function"),
    (r"'(?P<got>break|continue)' (?:outside|not properly)", "outside_loop"),
    (r"invalid (?:decimal|hexadecimal|octal|binary|imaginary) literal", "number"),
    (r"leading zeros", "zeros"),
    (r"positional argument follows", "order"),
    (r"duplicate (?:argument|parameter) '(?P<got>\w+)'", "twice"),
    (r"keyword argument repeated: (?P<got>\w+)", "twice"),
    (r"expected 'except' or 'finally'", "no_except"),
    (r"after line continuation character", "backslash"),
    (r"^f-string", "f_string"),
    (r"cannot assign to (?P<got>True|False|None)\b", "keyword"),
    (r"invalid syntax\. Maybe you meant '=='|perhaps you meant \"==\"", "equals"),
    (r"illegal expression for augmented assignment", "assign"),
    (r"expected ':'", "colon"),
)
"""Regular expressions for what Python says, and the sentence for it."""


def explain_syntax(error: SyntaxError, source: str = "") -> LocalizedError:
    """Return the sentence about *error*, which reading *source* has raised."""
    lines = source.splitlines()
    number = error.lineno or max(1, len(lines))
    line = lines[number - 1] if 0 < number <= len(lines) else (error.text or "")
    near = _near(error, line)
    text, values = _find(error.msg, line, number, source)
    if text == "other" and near == "=" and COMPARED.match(line):
        text = "equals"
    values = {"line": number, "near": near} | values
    at = values["line"]
    if isinstance(at, int) and 0 < at <= len(lines):
        line = lines[at - 1]
    return LocalizedError("", f"syntax.{text}", code=_quote(line), **values)


def _find(said: str, line: str, number: int, source: str) -> tuple[str, dict[str, object]]:
    """Return which sentence is true of *line*, and its values."""
    plain = "".join(character for _, character in code_characters(line))
    if found := _find_character(said, line, plain):
        return found
    text, values = _read_message(said)
    if text == "quote" and (mark := re.search("[”“’‘＂＇」]", line)):
        return "quote_mixed", {"got": mark[0]}
    if text in ("tabs", "indent_more", "indent_less", "indent_missing", "call", "unmatched"):
        return text, values
    if text == "" and "cannot assign to" in said:
        return ("equals" if COMPARED.match(plain) else "assign"), {}
    if text in ("", "colon"):
        text, values = _look_at(plain, number, source) or (text or "other", values)
    return text, values


def _read_message(said: str) -> tuple[str, dict[str, object]]:
    for pattern, text in SENTENCES:
        if match := re.search(pattern, said):
            values: dict[str, object] = {
                name: int(value) if name == "line" else value
                for name, value in match.groupdict().items()
                if value
            }
            if "open" in values:
                values["want"] = BRACKETS[str(values.pop("open"))]
                return "mismatched", values
            return text, values
    return "", {}


def _find_character(said: str, line: str, plain: str) -> tuple[str, dict[str, object]] | None:
    """Return the sentence about characters of *line* that Python does not know, if there are."""
    named = re.search(r"invalid (?:non-printable )?character.*U\+([0-9A-F]+)", said)
    if not named and not re.search(r"literal|invalid syntax|expected", said):
        return None
    signs = [sign for sign in dict.fromkeys(plain) if sign in PUNCTUATION and not sign.isalpha()]
    if signs and (named or not set(signs) <= set("０１２３４５６７８９")):
        return "full_width", {"pairs": "  ".join(f"{sign} → {PUNCTUATION[sign]}" for sign in signs)}
    if not named:
        return None
    character = chr(int(named[1], 16))
    if character in PUNCTUATION:
        return "full_width", {"pairs": f"{character} → {PUNCTUATION[character]}"}
    if character in BLANKS:
        return "blank", {}
    if not character.isprintable():
        return "unseen", {"got": f"U+{named[1]}"}
    return "character", {"got": character}


def _look_at(plain: str, number: int, source: str) -> tuple[str, dict[str, object]] | None:
    """Return what is wrong with the line of which *plain* is the code, where Python says little."""
    code = plain.strip()
    first = re.match(r"\w*", code)
    word = first[0] if first else ""
    if re.match(r"else\s+if\b", code):
        return "else_if", {}
    if opened := find_open_bracket(source, number):
        return "unclosed", opened
    for got, use in OPERATORS.items():
        if re.search(rf"(?<![=!<>]){re.escape(got)}(?!=)", code):
            return "operator", {"got": got, "use": use}
    named = re.match(r"(?:(?:def|class|for|import)\s+(\w+)|(\w+)\s*(?:[-+*/]?=(?!=)|,.*=))", code)
    if named and keyword.iskeyword(name := named[1] or named[2]):
        return "keyword", {"got": name}
    if re.match(r"def\s+\w+\s*:", code):
        return "brackets", {}
    if word in BLOCKS and not code.endswith(":") and not re.search(r":\s*\S", code):
        return "colon", {}
    if word in ("else", "elif", "except", "finally"):
        return "alone", {"got": word}
    return None


def find_open_bracket(source: str, before: int) -> dict[str, object] | None:
    """Return the last bracket opened before the end of line *before* and never closed."""
    opened: list[tuple[str, int]] = []
    for line, character in code_characters(source):
        if character in BRACKETS:
            opened.append((character, line))
        elif opened and BRACKETS[opened[-1][0]] == character:
            opened.pop()
    early = [(bracket, line) for bracket, line in opened if line <= before]
    return {"got": early[-1][0], "line": early[-1][1]} if early else None


def code_characters(source: str) -> Iterator[tuple[int, str]]:
    """Yield the characters of *source* outside its strings and comments, each with its line."""
    line, at, quote = 1, 0, ""
    while at < len(source):
        character = source[at]
        if quote:
            if source.startswith(quote, at):
                at += len(quote)
                quote = ""
                continue
            if character == "\\":
                at += 1
                line += source[at : at + 1] == "\n"
            elif character == "\n" and len(quote) == 1:
                quote = ""  # a string without an end
        elif character in "\"'":
            quote = character * 3 if source.startswith(character * 3, at) else character
            at += len(quote)
            continue
        elif character == "#":
            end = source.find("\n", at)
            at = len(source) if end < 0 else end
            continue
        if not quote:
            yield line, character
        line += character == "\n"
        at += 1


def _near(error: SyntaxError, line: str) -> str:
    """Return what stands where Python gave up."""
    start = (error.offset or 1) - 1
    end = (error.end_offset or 0) - 1 if error.end_lineno == error.lineno else 0
    return _quote(line[start : max(end, start + 1)] or line)


def _quote(line: str) -> str:
    line = line.strip()
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
