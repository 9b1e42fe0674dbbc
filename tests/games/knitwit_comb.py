"""A loop that fills the table of Knit Wit: a comb whose teeth are too narrow for spools, but for
bulges.
"""

from coursekit.games.knitwit.rules.geometry import HEIGHT, Point

BACK = HEIGHT - 7
"""Where the teeth begin: the comb's back is too narrow for a spool, too."""
WALLS = tuple(9 * n - max(0, n - 24) for n in range(28))
"""The sides of the teeth, eight or nine apart."""


def comb(*bulges: int) -> tuple[Point, ...]:
    """Return a stroke over the whole table. Each tooth of *bulges*, 0 to 12, has room for one
    spool.
    """
    corners: list[Point] = []
    for n, x in enumerate(WALLS):
        wall = [(x, HEIGHT if n in (0, 27) else BACK), (x, 0)]
        if n % 2 and n // 2 in bulges:
            wall[1:1] = [(x, 72), (x + 2, 72), (x + 2, 60), (x, 60)]
        corners += reversed(wall) if n % 2 else wall
    return tuple(corners)
