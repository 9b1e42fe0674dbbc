"""What the system refuses the process of an entry, with bubblewrap and without.

The referee asks and ends the process; that it takes no more memory than allowed, writes no files,
and leaves nothing behind, only the system can see to.
"""

import ctypes
import errno
import platform
import sys
from collections.abc import Iterable

from coursekit.core.watchdog import MEMORY

MOST_FILES = 64
"""Files that an entry may have open at a time."""

if sys.platform != "win32" and sys.platform != "emscripten":
    import resource

    def bound_resources() -> None:
        """Let the system refuse memory beyond :data:`.MEMORY`, what files hold, and processes.

        Memory that is shared, or a file without a name, counts as well.
        """
        bounds = {
            "RLIMIT_DATA": MEMORY << 20,
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_NOFILE": MOST_FILES,
            "RLIMIT_NPROC": 0,
            "RLIMIT_MSGQUEUE": 0,
        }
        if sys.platform == "linux":  # macOS refuses to set it
            with open("/proc/self/statm", "rb") as sizes:
                pages = int(sizes.read().split()[0])
            bounds["RLIMIT_AS"] = pages * resource.getpagesize() + (MEMORY << 20)
        for name, most in bounds.items():
            kind = getattr(resource, name, None)
            if kind is None:
                continue
            hard = resource.getrlimit(kind)[1]
            if hard != resource.RLIM_INFINITY:
                most = min(most, hard)
            resource.setrlimit(kind, (most, most))

else:

    def bound_resources() -> None:
        """Do nothing: the referee looks at the process from outside, and a browser has none."""


CALLS = {
    # to start programs, processes and threads, which go on between two questions
    "clone": (56, 220),
    "clone3": (435, 435),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # to get away from the referee's signals, and to end or change other processes
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    # to be woken between two questions, or to slow others down
    "timer_create": (222, 107),
    "mq_open": (240, 180),
    "mq_notify": (244, 184),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    # memory that counts for no process
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # the network, and ways round this list
    "socket": (41, 198),
    "socketpair": (53, 199),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),
    # to watch and to change files
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "fchmod": (91, 52),
    "fchown": (93, 55),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "chroot": (161, 51),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "creat": (85, None),
    "openat2": (437, 437),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rmdir": (84, None),
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
}
"""Calls of Linux that no strategy needs: name -> number on x86-64 and on ARM64."""
OPENING = {"open": (2, None, 1), "openat": (257, 56, 2)}
"""Calls that open a file: numbers, and the place of the flags among their arguments."""
TO_WRITE = 0o1 | 0o2 | 0o100 | 0o1000  # O_WRONLY, O_RDWR, O_CREAT, O_TRUNC
COMMANDS: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    # fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
    "fcntl": (72, 25, 1, (8, 10, 15, 1024, 1026)),
    # ioctl: FIOSETOWN, SIOCSPGRP, FIOASYNC
    "ioctl": (16, 29, 1, (0x8901, 0x8902, 0x5452)),
    # prctl: PR_SET_PDEATHSIG, PR_SET_DUMPABLE
    "prctl": (157, 167, 0, (1, 4)),
}
"""Calls of many commands, some of which have a file send signals, to any process, or undo what
holds an entry: numbers, the place of the command among their arguments, and those commands.
"""
LIMITS_OF_OTHERS = (302, 261)
"""The call ``prlimit64``, refused for a process that is not 0, the caller."""
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine -> place of its numbers above, and what the kernel calls it."""
X32 = 0x40000000
"""Numbers from here on are the same calls by other numbers, on x86-64."""

LOAD, EQUAL, NOT_LESS, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16
"""Where a filter finds what it is asked about, in bytes."""
ALLOW, END = 0x7FFF0000, 0x80000000
REFUSE = 0x00050000 | errno.EPERM
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
FILTER = 2
CAPABILITIES = 0x20080522
"""The version of Linux's structure of rights."""


class _Step(ctypes.Structure):
    """A step of a filter: an operation, how many to skip if it holds or does not, and a number."""

    _fields_ = (
        ("operation", ctypes.c_ushort),
        ("if_true", ctypes.c_ubyte),
        ("if_false", ctypes.c_ubyte),
        ("number", ctypes.c_uint),
    )


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step)))


_Steps = Iterable[tuple[int, int, int, int]]


def _filter_steps(place: int, machine: int) -> _Steps:
    yield LOAD, 0, 0, MACHINE
    yield EQUAL, 1, 0, machine
    yield RETURN, 0, 0, END
    yield LOAD, 0, 0, NUMBER
    yield NOT_LESS, 0, 1, X32
    yield RETURN, 0, 0, REFUSE
    for numbers in CALLS.values():
        number = numbers[place]
        if number is not None:
            yield EQUAL, 0, 1, number
            yield RETURN, 0, 0, REFUSE
    for *calls, argument in OPENING.values():
        number = calls[place]
        if number is not None:
            yield EQUAL, 0, 4, number
            yield LOAD, 0, 0, ARGUMENTS + 8 * argument
            yield ANY_BIT, 0, 1, TO_WRITE
            yield RETURN, 0, 0, REFUSE
            yield RETURN, 0, 0, ALLOW
    for intel, arm, argument, commands in COMMANDS.values():
        yield EQUAL, 0, 2 + 2 * len(commands), (intel, arm)[place]
        yield LOAD, 0, 0, ARGUMENTS + 8 * argument
        for command in commands:
            yield EQUAL, 0, 1, command
            yield RETURN, 0, 0, REFUSE
        yield RETURN, 0, 0, ALLOW
    yield EQUAL, 0, 3, LIMITS_OF_OTHERS[place]
    yield LOAD, 0, 0, ARGUMENTS
    yield EQUAL, 1, 0, 0
    yield RETURN, 0, 0, REFUSE
    yield RETURN, 0, 0, ALLOW


def end_with_parent() -> None:
    """Let Linux end this process when the one that started it has ended.

    One that rests would not notice.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)


def hide_memory() -> None:
    """Let Linux keep this process's memory, with the hands in it, from others of the same user."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def drop_rights() -> None:
    """Let Linux treat this process as any user's, also where it runs as root."""
    if sys.platform == "linux":
        header = (ctypes.c_uint32 * 2)(CAPABILITIES, 0)
        none = (ctypes.c_uint32 * 6)()
        ctypes.CDLL(None).capset(header, none)


def can_forbid_calls() -> bool:
    """Return whether :func:`forbid_calls` works on this system."""
    if sys.platform != "linux" or sys.maxsize < 2**32 or platform.machine() not in MACHINES:
        return False
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(PR_SET_SECCOMP, FILTER, None, 0, 0)  # fails, and the system says why
    return ctypes.get_errno() == errno.EFAULT


def forbid_calls() -> None:
    """Let Linux refuse this process :data:`CALLS` for good, and opening files to write.

    :raises OSError: if the system does not take the filter.
    """
    steps = [_Step(*step) for step in _filter_steps(*MACHINES[platform.machine()])]
    program = _Filter(len(steps), (_Step * len(steps))(*steps))
    system = ctypes.CDLL(None, use_errno=True)
    for arguments in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0),
    ):
        if system.prctl(*arguments):
            raise OSError(ctypes.get_errno(), "prctl")
