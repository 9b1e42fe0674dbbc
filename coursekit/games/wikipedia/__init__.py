"""維基百科 vs 書籍 (Wikipedia and Books): works that are cheap or dear to mend."""

from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import Options

__all__ = ["Options", "Wikipedia"]
