"""Measures what decisions and pages of the kit rest on: ``python -m benchmarks NAME``."""

import argparse
import platform
from collections.abc import Callable
from sysconfig import get_config_var

from benchmarks import (
    balance,
    class_checks,
    hub,
    lessons,
    opening,
    room,
    search,
    site,
    speed,
    strength,
    verdict,
    views,
)

PARTS: dict[str, Callable[[float], None]] = {
    "speed": speed.against_open_spiel,
    "speed_parts": speed.by_part,
    "strength": strength.strength,
    "balance": balance.balance,
    "lessons": lessons.lessons,
    "search": search.search,
    "verdict": verdict.verdict,
    "opening": opening.opening,
    "opening_class": opening.opening_class,
    "views": views.views,
    "hub": hub.hub,
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
    "class_secrets": class_checks.secrets,
    "class_fuzz": class_checks.fuzz,
}

parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
parser.add_argument("parts", nargs="+", choices=PARTS, metavar="NAME", help=", ".join(PARTS))
parser.add_argument(
    "--scale", type=float, default=1, help="part of the full size, such as 0.05 to try it out"
)
given = parser.parse_args()
print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
print(f"configured with {get_config_var('CONFIG_ARGS')}")
for part in given.parts:
    print(f"\n== {part}")
    PARTS[part](given.scale)
