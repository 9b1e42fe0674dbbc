"""The table: what a seat sees of a match, drawn in a notebook cell, in Voilà or on a page.

``from coursekit.table import Table`` gives the widget, and ``FirstLook`` the rules in four
pictures.  They are imported only when asked for,
so that a game's ``scene.py`` can use :mod:`coursekit.kit.scene` without any widget.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursekit.table.first_look import FirstLook
    from coursekit.table.widget import Table

__all__ = ["FirstLook", "Table"]


def __getattr__(name: str) -> Any:
    if name == "Table":
        from coursekit.table.widget import Table

        return Table
    if name == "FirstLook":
        from coursekit.table.first_look import FirstLook

        return FirstLook
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
