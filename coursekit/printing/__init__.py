"""Print and play: what lies in a game's box as pages for paper, drawn like the table on the screen."""

from coursekit.printing.sheets import PrintError, printed

__all__ = ["PrintError", "printed"]
