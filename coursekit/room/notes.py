"""What the teacher should know of a lesson that runs."""

from dataclasses import dataclass

from coursekit.core.errors import LocalizedError


@dataclass
class Note:
    """A sentence for the teacher, and how often it was noted."""

    error: LocalizedError
    table: int | None = None
    """The id of the table that it is about, ``None`` if about none."""
    count: int = 1

    def is_like(self, other: "Note") -> bool:
        """Return whether both say the same of the same table."""
        return (self.error.args, self.table) == (other.error.args, other.table)
