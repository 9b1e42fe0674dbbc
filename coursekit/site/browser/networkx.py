"""In the site's worker for the package ``networkx``: a sentence on where to get graphs."""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
