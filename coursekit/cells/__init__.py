"""Numbers to change: a control beside what is computed from them.

The same cell works for whoever reads the code, changing the number where it stands, and on a
page without code, changing it with the control::

    def chance(cards=1):
        return f"{4 * cards / 60:.0%}"

    explore(chance, cards=range(1, 6))
"""

from typing import TYPE_CHECKING, Any

from coursekit.cells.exercise import check

if TYPE_CHECKING:
    from coursekit.cells.control import Explore, explore

__all__ = ["Explore", "check", "explore"]


def __getattr__(name: str) -> Any:
    if name in ("Explore", "explore"):  # a widget, loaded only when it is asked for
        from coursekit.cells import control

        return getattr(control, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
