"""Print and play: what lies in a game's box as sheets, drawn like the table on the screen."""

from coursekit.printing.sheets import PrintError, read_options, render_sheets

__all__ = ["PrintError", "read_options", "render_sheets"]
