"""What coursekit's promises about speed and strength measure here: ``python -m benchmarks``.

Everything, or only the parts named: ``python -m benchmarks speed parts strength processes``.
``python -m benchmarks before FOLDER`` measures every game beside another checkout of the kit,
``python -m benchmarks clicks`` counts clicks outside the window, and ``python -m benchmarks words``
lists what Knit Wit's players write; the three have options of their own (``--help``).
"""

import argparse
import platform
import sys
from collections.abc import Callable
from sysconfig import get_config_var

from benchmarks import (
    before,
    blockade,
    clicks,
    imports,
    knitwit,
    mindmap,
    opening,
    prep,
    reduced,
    room,
    room_bytes,
    search,
    server,
    site,
    speed,
    strength,
    views,
    wikipedia,
    words,
)

PARTS: dict[str, Callable[[float], None]] = {
    "imports": imports.beside_a_bare_interpreter,
    "speed": speed.against_open_spiel,
    "parts": speed.by_part,
    "strength": strength.own_kind_and_duplicate,
    "search": search.search,
    "processes": strength.on_two_processes,
    "wikipedia_speed": wikipedia.speed,
    "wikipedia_strength": wikipedia.strength,
    "house_rules": wikipedia.house_rules,
    "wikipedia_reduced": reduced.reduced,
    "blockade_speed": blockade.speed,
    "blockade_strength": blockade.strength,
    "blockade_balance": blockade.balance,
    "knitwit_speed": knitwit.speed,
    "knitwit_strength": knitwit.strength,
    "knitwit_ideas": knitwit.ideas,
    "knitwit_lines": knitwit.lines,
    "knitwit_lexicon": knitwit.lexicon,
    "mindmap_speed": mindmap.speed,
    "opening": opening.opening,
    "opening_class": opening.opening_class,
    "prep": prep.prep,
    "views": views.views,
    "site": site.site,
    "room_load": room.load,
    "room_join": room.join,
    "room_views": room.views,
    "room_storms": room.storms,
    "room_kill": room.kill,
    "room_restart": room.restart,
    "room_end": room.end,
    "room_lesson": room.lesson,
    "room_long": room.long,
    "room_secrets": room_bytes.secrets,
    "room_fuzz": room_bytes.fuzz,
    "server_soak": server.soak,
    "server_rush": server.rush,
}

for name, main in (("before", before.main), ("clicks", clicks.main), ("words", words.main)):
    if sys.argv[1:2] == [name]:
        sys.exit(main(sys.argv[2:]))

parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (default: all)")
parser.add_argument(
    "--scale", type=float, default=1, help="part of the full size, such as 0.05 to try it out"
)
asked = parser.parse_args()
if unknown := [part for part in asked.parts if part not in PARTS]:
    parser.error(f"there is no part {unknown[0]!r}; there are: {', '.join(PARTS)}")
print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
print(
    f"configured with {get_config_var('CONFIG_ARGS')}; without --enable-optimizations it is slower"
)
for part in asked.parts or PARTS:
    print(f"\n== {part}")
    PARTS[part](asked.scale)
