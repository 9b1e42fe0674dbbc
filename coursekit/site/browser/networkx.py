"""What stands for the package ``networkx`` in the site's worker: a sentence on where graphs are to
be had.
"""

from coursekit.site.missing_packages import MissingPackageError

raise MissingPackageError(__name__)
