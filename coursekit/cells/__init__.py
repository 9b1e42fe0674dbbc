"""Numbers to change, each with a control, and the result computed from them.

In a notebook readers change a number in the code; on a page without code they use its control::

    def chance(cards=1):
        return f"{4 * cards / 60:.0%}"

    explore(chance, cards=range(1, 6))
"""

from typing import TYPE_CHECKING, Any

from coursekit.cells.cell_errors import install
from coursekit.cells.exercise import check, methods

if TYPE_CHECKING:
    from coursekit.cells.number_controls import Explore, explore

install()

__all__ = ["Explore", "check", "explore", "methods"]


def __getattr__(name: str) -> Any:
    if name in ("Explore", "explore"):  # a widget, loaded only on first use
        from coursekit.cells import number_controls

        return getattr(number_controls, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
