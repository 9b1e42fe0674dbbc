"""Write the table of kinds of characters (letters, marks, …) with which words are compared.

It is made with Python 3.11, that is with Unicode 14, and then belongs to the kit: a newer Python
knows more characters, but whether an answer could be written and was the same as another one must
not depend on that. One line for each kind: its name, then where each run of such characters begins
and how long it is, in hexadecimal digits, the beginning counted from the end of the run before.
"""

import unicodedata
from itertools import groupby
from pathlib import Path

assert unicodedata.unidata_version == "14.0.0", "run it with Python 3.11"
GROUPS = {"L": "L", "N": "L", "M": "M", "P": "P", "S": "S", "C": "C", "Z": "C"}
"""Groups of Unicode's categories that need not be told apart."""
OWN = {"Sk": "Sk", "Zs": "Zs", "Cn": "Cn"}


def kind(code: int) -> str:
    """Return what the table says of the character *code*."""
    category = unicodedata.category(chr(code))
    return OWN.get(category) or GROUPS[category[0]]


runs: dict[str, list[tuple[int, int]]] = {}
for name, codes in groupby(range(0x110000), kind):
    found = list(codes)
    runs.setdefault(name, []).append((found[0], len(found)))
del runs["L"]  # the rest
lines = []
for name, parts in sorted(runs.items()):
    ends = [0, *(start + length for start, length in parts)]
    gaps = [(start - end, length) for (start, length), end in zip(parts, ends, strict=False)]
    lines.append(
        " ".join(
            [name, *(f"{gap:X}+{length:X}" if length > 1 else f"{gap:X}" for gap, length in gaps)]
        )
    )
path = Path(__file__).parents[1] / "coursekit" / "words" / "kinds.txt"
path.write_text("\n".join(lines) + "\n", encoding="ascii")
