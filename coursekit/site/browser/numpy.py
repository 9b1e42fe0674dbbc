"""In the site's worker for the package ``numpy``: a sentence on where to get its results."""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
