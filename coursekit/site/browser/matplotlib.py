"""What stands for the package ``matplotlib`` in the site's worker: a sentence on where figures are
to be had.
"""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
