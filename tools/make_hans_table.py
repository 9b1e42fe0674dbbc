"""Write the table from traditional to simplified characters that words are compared with.

It is made once with OpenCC and then belongs to the kit: whether two words are the same must not
depend on what is installed.  One line for each simplified character: it, then all that become it.
"""

from collections import defaultdict
from pathlib import Path

from opencc import OpenCC

simplified = OpenCC("t2s").convert
becomes = defaultdict(list)
for code in (*range(0x3400, 0xA000), *range(0xF900, 0xFB00)):
    once = simplified(chr(code))
    if len(once) == 1 and once != chr(code) and ord(once) < 0x10000:
        becomes[simplified(once)].append(
            chr(code)
        )  # twice, so that what is simplified stays as it is

path = Path(__file__).parents[1] / "coursekit" / "simplified.txt"
lines = (
    " ".join(f"{ord(each):04X}" for each in (one, *many)) for one, many in sorted(becomes.items())
)
path.write_text("\n".join(lines) + "\n", encoding="ascii")
