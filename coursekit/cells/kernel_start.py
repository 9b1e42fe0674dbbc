"""Runs in a kernel before its first cell (``PYTHONSTARTUP``), and leaves no name there."""

import coursekit.cells

del coursekit
