"""What stands for the package ``numpy`` in the site's worker: a sentence on where what it computes
is to be had.
"""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
