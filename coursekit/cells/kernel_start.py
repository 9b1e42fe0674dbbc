"""Runs in a kernel before its first cell (``PYTHONSTARTUP``), and leaves no name there."""

from coursekit.cells.cell_errors import install

install()
del install
