"""維基百科 vs 書籍 (Wikipedia and Books): what is quick to mend, and what is dear to mend."""

from coursekit.games.wikipedia.options import Options
from coursekit.games.wikipedia.rules import Wikipedia

__all__ = ["Options", "Wikipedia"]
