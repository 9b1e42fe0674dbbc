"""Classroom games for Jupyter: engines, a table, strategies, tournaments and reflection.

Importing this package loads nothing else; import what you need from its modules,
for example ``from coursekit.games.wizard import Wizard``.
"""

__version__ = "0.1.0"
