"""How long importing takes, beside a bare interpreter."""

import subprocess
import sys
from statistics import median
from time import perf_counter

PROGRAMS = {
    "a bare interpreter": "pass",
    "the rules of Wizard": "from coursekit.games.wizard import Wizard",
    "and what its table needs": "from coursekit.kit import GAMES; GAMES['wizard']",
    "and what comes after play": "from coursekit.kit import GAMES; GAMES['wizard'].taught()",
}


def beside_a_bare_interpreter(scale: float) -> None:
    """Print the median time of each of :data:`PROGRAMS`, run in turn."""
    rounds = max(3, round(20 * scale))
    spent: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        for name, program in PROGRAMS.items():
            start = perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            spent[name].append(perf_counter() - start)
    bare = median(spent["a bare interpreter"])
    for name, times in spent.items():
        print(f"{name}: {1000 * median(times):.0f} ms, {1000 * (median(times) - bare):+.0f} ms")
