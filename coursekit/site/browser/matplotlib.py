"""In the site's worker for the package ``matplotlib``: a sentence on where to get figures."""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
