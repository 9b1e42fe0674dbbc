"""The memory of the process: how much it has, and a bound that the system keeps to.

Only Linux refuses memory at a bound. A list of 200 million numbers is then an error in its line and
leaves everything else as it was.
"""

import os
import sys

ROOM = 256
"""MB (2²⁰ bytes) that the system gives beyond a bound.

A kernel has other threads, and some of them end the process if they get none. What grows slowly is
stopped before (:meth:`.Watch.tick`); what is refused is more than this at once.
"""

if sys.platform == "linux":
    import resource

    PAGE = resource.getpagesize()
    RESIDENT, DATA = 1, 5  # places in /proc/self/statm
    _free: list[tuple[int, int]] = []
    """The bounds of the system before ours; empty while we set none."""

    def _count_bytes(place: int) -> int:
        sizes = os.open("/proc/self/statm", os.O_RDONLY)  # a file object takes three times as long
        try:
            return int(os.read(sizes, 200).split()[place]) * PAGE
        finally:
            os.close(sizes)

    def resident_memory() -> int:
        """Return the bytes of memory of the process."""
        return _count_bytes(RESIDENT)

    def bound_memory(megabytes: int) -> None:
        """Let the process grow by *megabytes* from now on, and by :data:`ROOM`."""
        if not _free:
            _free.append(resource.getrlimit(resource.RLIMIT_DATA))
        soft, hard = _free[0]
        most = _count_bytes(DATA) + (megabytes + ROOM << 20)
        if soft != resource.RLIM_INFINITY:
            most = min(most, soft)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))

    def free_memory() -> None:
        """Let the process grow as before the first :func:`bound_memory`."""
        if _free:
            resource.setrlimit(resource.RLIMIT_DATA, _free.pop())

else:

    def resident_memory() -> int:
        """Return the bytes of memory of the process; 0 without psutil, which notebooks have."""
        psutil = sys.modules.get("psutil")
        return psutil.Process().memory_info().rss if psutil else 0

    def bound_memory(megabytes: int) -> None:
        """Do nothing: the system has no such bound."""

    def free_memory() -> None:
        """Do nothing."""
