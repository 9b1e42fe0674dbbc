"""Packages with compiled parts, which no browser can load."""

from coursekit.core.errors import LocalizedError


class MissingPackageError(LocalizedError, ImportError):
    """A package that is not in the browser; the sentence says where what it does is to be had."""

    def __init__(self, package: str) -> None:
        super().__init__("", "site.absent", package=package)
