"""Sentences in every language, by id.

Each room of the kit and each game has a ``texts.toml``, with zh-Hant and en of an id side by side,
and zh-Hans only where it differs from what :func:`coursekit.words.simplified.simplify` writes.
A placeholder says what it holds: ``{seat:seat}`` is a player, ``{won:trick/tricks}`` a number with
its noun, and ``{card:card}`` what the game's own ``word`` returns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter, ascii_letters, digits
from typing import Any, Protocol, runtime_checkable

from coursekit.words.characters import is_visible, unseen_places
from coursekit.words.simplified import simplify

LANGUAGES = ("zh-Hant", "en", "zh-Hans")
"""Interface languages as BCP 47 tags, the kit's own first."""

PACKAGE = Path(__file__).parents[1]
THE_KIT = ""
"""Stands for the kit's own texts where a game's name is expected."""
LATIN = frozenset(ascii_letters + digits)
"""Between one of these at an end of a value and Chinese text a space is put."""


class Worded(Protocol):
    """A name, and words for things: what a game has."""

    @property
    def name(self) -> str: ...

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]: ...


@runtime_checkable
class Translatable(Protocol):
    """A value with its own sentence in each language, such as an error inside another sentence."""

    def sentence(self, language: str) -> str: ...


PLAIN = (int, str, tuple, list)
"""Types of values with no words of their own: to look for words would take longer than all else."""


class UnknownLanguage(ValueError):
    """The kit does not speak the language *got*."""

    def __init__(self, got: object) -> None:
        super().__init__(got)
        self.got = got

    def __str__(self) -> str:
        return self.sentence("en")

    def sentence(self, language: str) -> str:
        """Return what was got and what is allowed, in *language*."""
        allowed = ", ".join(map(repr, LANGUAGES))
        return text("language.unknown", language, got=shorten(self.got), allowed=allowed)


def check_language(language: str) -> None:
    """Do nothing if *language* is one of :data:`LANGUAGES`.

    :raises UnknownLanguage: a ``ValueError``, otherwise.
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(language)


class MissingText(KeyError):
    """A game has no text of an id, or not in that language."""

    def __init__(self, game: str, text_id: str, language: str) -> None:
        super().__init__(text_id)
        self.game = game
        self.text_id = text_id
        self.language = language

    def __str__(self) -> str:
        what = f"{self.game or 'the kit'} has no text {self.text_id!r} in {self.language}"
        return f"{what}; its texts stand in {files(self.game)[0].name}"


class MissingValue(KeyError):
    """A text has a placeholder that nothing is given for."""

    def __init__(self, name: object, given: Sequence[str]) -> None:
        super().__init__(name)
        self.name = name
        self.given = given

    def __str__(self) -> str:
        given = ", ".join(self.given) or "nothing"
        return f"a text has the placeholder {self.name!r}; only {given} is given"


_registered: dict[str, Path] = {}  # texts of games outside the kit, by name


def register_texts(game: str, file: Path) -> None:
    """Register *file* as the texts of *game*, a game outside the kit."""
    if _registered.get(game) != file:
        _registered[game] = file
        _load_texts.cache_clear()
        template.cache_clear()


def files(game: str = THE_KIT) -> list[Path]:
    """Return the files with the texts of *game*, or of the kit's rooms."""
    if game == THE_KIT:
        return sorted(PACKAGE.glob("*/texts.toml"))
    return [_registered.get(game, PACKAGE / "games" / game / "texts.toml")]


_preferred = ""


def prefer(beginning: str) -> None:
    """Take the kit's text *beginning* + id for each id that has one.

    So the site, where other sentences are true, has its own.
    """
    global _preferred
    _preferred = beginning
    _load_texts.cache_clear()
    template.cache_clear()


def load_texts(game: str = THE_KIT) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of *game* (or of the kit): id -> language -> template."""
    return _load_texts(game)


@cache  # of its own, since a cache takes load_texts() and load_texts(THE_KIT) for two
def _load_texts(game: str) -> Mapping[str, Mapping[str, str]]:
    texts: dict[str, Mapping[str, str]] = {}
    for path in files(game):
        texts.update(read_texts(path))
    preferred = [text_id for text_id in texts if _preferred and text_id.startswith(_preferred)]
    return texts | {text_id.removeprefix(_preferred): texts[text_id] for text_id in preferred}


def game_titles(game: str) -> Mapping[str, str]:
    """Return the title of *game* by language, its name if it has no texts."""
    try:
        return load_texts(game)["title"]
    except (ImportError, KeyError, OSError):
        return dict.fromkeys(LANGUAGES, game)


def read_texts(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Return each text of a ``texts.toml``: its id, and its template by language.

    A text without zh-Hans is zh-Hant in simplified characters and the words of the mainland.
    """
    import tomllib  # here, since rules are also imported where no text is shown

    def flatten(prefix: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
        for key, value in entries.items():
            if not isinstance(next(iter(value.values())), str):
                yield from flatten(f"{prefix}{key}.", value)
                continue
            if "zh-Hant" in value:
                value.setdefault("zh-Hans", simplify(value["zh-Hant"]))
            yield prefix + key, value

    with path.open("rb") as file:
        try:
            entries = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path}: {error}") from None
    return flatten("", entries)


def pick_texts(
    prefix: str, names: Iterable[str], language: str, game: str = THE_KIT
) -> dict[str, str]:
    """Return the templates ``PREFIX + NAME`` by name, for a page that fills them in itself.

    :raises ValueError: if the language is not one of :data:`LANGUAGES`.
    """
    return {name: template(game, prefix + name, language) for name in names}


@cache
def template(game: str, text: str, language: str) -> str:
    """Return the template *text* of *game*, or the kit's if the game has none.

    :raises ValueError: if the language is not one of :data:`LANGUAGES`.
    :raises MissingText: a ``KeyError``, if there is no such text.
    """
    check_language(language)
    own = load_texts(game) if game else {}
    words = own.get(text) or load_texts().get(text) or {}
    if language not in words:
        raise MissingText(game, text, language)
    return words[language]


@cache
def split_template(template: str) -> tuple[tuple[str, bool, bool, str | None, str], ...]:
    """Return the parts of *template*: a text, and the placeholder that follows it.

    A part is the text, whether it begins and whether it ends with Chinese, and the name of the
    placeholder, if any, with what that holds.
    """
    return tuple(
        (before, _is_chinese(before[:1]), _is_chinese(before[-1:]), name, spec or "")
        for before, name, spec, _ in Formatter().parse(template)
    )


def _is_chinese(char: str) -> bool:
    return "\u4e00" <= char <= "\u9fff"


class _Sentence:
    """Fills a template, with each value in words of one language."""

    def __init__(self, game: Worded | str, language: str, names: Sequence[str]) -> None:
        self.game = game
        self.language = language
        self.names = names

    def name(self, value: Any, spec: str) -> str:
        """Return *value* in words; *spec* is the part after the colon in its placeholder."""
        if type(value) not in PLAIN:
            if isinstance(value, Mapping):  # a name in each language, from a data file
                return str(value[self.language])
            if isinstance(value, Translatable):
                return value.sentence(self.language)
        if not spec:
            return format_signed(shorten(value)) if type(value) is int else str(value)
        if spec == "seat":
            return seat_name(value, self.language, self.names)
        if spec.endswith("*"):  # several of a kind: {winners:seat*}
            return join_words([self.name(item, spec[:-1]) for item in value], self.language)
        if "/" in spec:
            one, many = spec.split("/")
            return f"{format_signed(str(value))} {one if value == 1 else many}"
        if spec[0] in "+.0123456789":
            return format_signed(format(value, spec))
        assert not isinstance(self.game, str)
        text, values = self.game.word(spec, value)
        return self.fill(template(self.game.name, text, self.language), values)

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        """Return *template* with *values* in it."""
        filled = value = ""
        for before, begins_chinese, ends_chinese, name, spec in split_template(template):
            if begins_chinese and value[-1:] in LATIN:
                filled += " "
            filled += before
            if name is not None:
                if name not in values:
                    raise MissingValue(name, list(values))
                value = self.name(values[name], spec)
                filled += " " + value if ends_chinese and value[:1] in LATIN else value
        # Private characters, which a name may hold.
        return filled.replace("\ue000", "").replace("\ue001", "")


def format_signed(number: str) -> str:
    """Return *number* as it is written in prose: with a minus sign, not a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def join_words(words: Sequence[str], language: str) -> str:
    """Return *words* as a list in prose, ``甲、乙`` or ``A, B``."""
    return (", " if language == "en" else "、").join(words)


def join_sentences(sentences: Iterable[str], language: str) -> str:
    """Return the sentences that are not empty as one paragraph."""
    return (" " if language == "en" else "").join(filter(None, sentences))


def seat_name(seat: int, language: str, names: Sequence[str] = ()) -> str:
    """Return the name of the player at *seat*, else "Player 1" and so on; for -1 the table's."""
    if seat < 0:
        return template(THE_KIT, "seat.table", language)
    name = names[seat] if seat < len(names) else ""
    return name or template(THE_KIT, "seat.number", language).format(number=seat + 1)


def game_text(
    game: Worded | str, text: str, language: str, names: Sequence[str] = (), /, **values: Any
) -> str:
    """Return the sentence *text* of *game*, or of the game of that name, in *language*."""
    words = template(game if isinstance(game, str) else game.name, text, language)
    if "{" not in words and "}" not in words:
        return words
    return _Sentence(game, language, names).fill(words, values)


def text(text_id: str, language: str, /, **values: Any) -> str:
    """Return the kit's own sentence *text_id* in *language*."""
    return game_text(THE_KIT, text_id, language, **values)


def glue_numbers(words: str) -> str:
    """Return the title *words*, in which no number stands apart from the Chinese unit behind it."""
    return re.sub("(?<=[0-9]) (?=[\u4e00-\u9fff])", "\u00a0", words)


def escape_surrogates(words: str) -> str:
    r"""Return *words* as files and pages can hold them, with half a character as its number.

    >>> escape_surrogates("so\ud800")
    'so\\ud800'
    """
    try:
        words.encode()
    except UnicodeEncodeError:
        return words.encode("utf-8", "backslashreplace").decode()
    return words


def make_printable(words: str) -> str:
    r"""Return *words* from outside for a page, a file or a terminal, its unseen parts escaped.

    A control character can clear a terminal, and half a character ends a file; marks of direction
    turn a line round. Line ends stay.

    >>> make_printable("so\ud800 \x1b[2J")
    'so\\ud800 \\x1b[2J'
    """
    if words.isascii() and words.isprintable():
        return words
    hidden = set(unseen_places(words) if is_visible(words) else range(len(words)))
    return "".join(
        _escape(letter) if place in hidden and letter not in " \n" else letter
        for place, letter in enumerate(words)
    )


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def make_line(words: str, longest: int = 200) -> str:
    r"""Return *words* from outside as one printable line of at most *longest* characters.

    >>> make_line("one\r\ntwo\x07", 20)
    'one two\\x07'
    """
    line = make_printable(" ".join(words[: longest + 1].split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def class_name(kind: type) -> str:
    """Return the name of a class, whatever its own metaclass says."""
    return make_line(type.__dict__["__name__"].__get__(kind))


def shorten(value: Any) -> str:
    """Return the ``repr`` of *value* for an error message, cut to 80 characters.

    Of a list of a million points only the beginning is looked at.
    """
    if type(value) is int and value.bit_length() <= 64:
        return repr(value)
    words = ""
    try:
        for piece in _pieces(value):
            words += piece
            if len(words) > 80:
                break
    except ValueError:  # an int with more digits than Python prints
        words = f"{class_name(type(value))} of more than 4000 digits"
    except BaseException:  # an object whose own __repr__ fails, or leaves
        words = f"<{class_name(type(value))}>"
    return words if len(words) <= 80 else words[:79] + "…"


def _pieces(value: Any) -> Iterator[str]:
    """Yield the ``repr`` of *value* piece by piece, of a long text only the beginning."""
    if type(value) not in (tuple, list):
        yield repr(value[:81] if type(value) in (str, bytes) else value)
        return
    left, right = "()" if type(value) is tuple else "[]"
    yield left
    for number, part in enumerate(value):
        yield ", " if number else ""
        yield from _pieces(part)
    yield ",)" if type(value) is tuple and len(value) == 1 else right
