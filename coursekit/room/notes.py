"""What the teacher should know of a lesson that runs."""

from dataclasses import dataclass

from coursekit.core.errors import LocalizedError


@dataclass
class Note:
    """A sentence for the teacher, and how often it was noted."""

    error: LocalizedError
    count: int = 1

    @property
    def table(self) -> int | None:
        """The table that it is about, ``None`` if about none."""
        table: int | None = self.error.values.get("table")
        return table

    def is_like(self, other: "Note") -> bool:
        """Return whether both say the same."""
        return self.error.args == other.error.args
