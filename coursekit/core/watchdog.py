"""An eye on what learners' code decides, so that ``while True`` never freezes a lesson.

A guard against accidents, no sandbox. What leaves the process or stays in one call of a compiled
function is out of its reach. In the main thread a timer of the system ticks and interrupts whatever
runs, even a ``sleep``. Where there is no such timer (Windows), where it belongs to somebody else,
and in other threads the work is done in a thread of its own, which the caller watches and leaves
behind if it does not end. The timer is set once a match, since setting it for each decision would
take a quarter of the speed.
"""

import signal
import sys
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from random import uniform
from threading import Thread, get_ident, main_thread
from traceback import extract_stack
from types import FrameType
from typing import Any, TypeVar

from coursekit.core.errors import InterruptedDecision, LocalizedError

TICK = 0.05
"""Seconds between two looks."""
SHARE = 5
"""A decision may take this part of its :attr:`.Strategy.time_limit`; what is more comes out of the
match's bank.
"""
BANK = 5
"""Seconds a match for what decisions take beyond their share."""
MEMORY = 512
"""MB (2²⁰ bytes) by which one decision may make the process grow."""
PATIENT = 3
"""Interruptions, a tick apart, after which they come as fast as they can: code may catch them all,
but not at once.
"""
LEFT = 10
"""Interruptions after which a thread that goes on is left behind."""

T = TypeVar("T")


class Watch:
    """An eye on one thread."""

    def __init__(self) -> None:
        self.asked: FrameType | None = None
        """The call of :func:`ask_in_time` that was seen last."""
        self.used = 0.0  # seconds
        self.before = 0
        self.stopped: InterruptedDecision | None = None
        self.hits = 0
        self.looking = False  # on a busy machine the timer ticks again meanwhile

    def tick(self, frame: FrameType | None) -> bool:
        """Let a moment go by in which *frame* runs; return whether it must be interrupted."""
        asked, each, within, depth = None, frame, 1, 1
        while each is not None and each.f_code is not _run_with_timer.__code__:
            if each.f_code is ask_in_time.__code__:
                asked, depth = (
                    each,
                    within,
                )  # the outermost one: what a decision asks for itself is a part of it
            each, within = each.f_back, within + 1
        if asked is None:
            return False
        if asked is not self.asked:
            self.before = resident_memory()
            self.asked, self.used, self.stopped, self.hits = asked, 0.0, None, 0
        if self.stopped is None:
            who = asked.f_locals["who"]
            self.used += TICK
            if (reason := self._reason(who)) is None:
                return False
            self.stopped = InterruptedDecision(
                reason, extract_stack(frame, depth), who, asked.f_locals["seat"]
            )
        self.hits += 1
        return True

    def _reason(self, who: Any) -> LocalizedError | None:
        if self.used > who.time_limit:
            return LocalizedError("", "stopped.slow", seconds=who.time_limit)
        if resident_memory() - self.before > MEMORY << 20:
            return LocalizedError("", "stopped.memory", count=MEMORY)
        if self.used > who.time_limit / SHARE:
            left = vars(who)["_time_left"] = vars(who).get("_time_left", BANK) - TICK
            if left < 0:
                return LocalizedError(
                    "", "stopped.often", share=round(who.time_limit / SHARE, 3), seconds=BANK
                )
        return None


_watches: dict[int, Watch] = {}  # by thread


def resident_memory() -> int:
    """Return the bytes of memory that the process has; 0 where psutil, which every notebook has, is
    not loaded.
    """
    psutil = sys.modules.get("psutil")
    return psutil.Process().memory_info().rss if psutil else 0


def current_watch() -> Watch | None:
    """Return the eye on this thread, ``None`` if there is none."""
    return _watches.get(get_ident())


def ask_in_time(
    decide: Callable[[Any], Any], what: Any, who: Any, seat: int = 0, watch: Watch | None = None
) -> Any:
    """Return ``decide(what)``, interrupted if it takes more than *who* may take.

    :param who: has a ``time_limit`` in seconds, and attributes that can be set, such as a strategy.
    :param watch: the eye on this thread, if the caller knows it.
    :raises InterruptedDecision: saying why and where.
    """
    if watch is None and (watch := current_watch()) is None:
        return watch_work(partial(ask_in_time, decide, what, who, seat))
    try:
        found = decide(what)
    except BaseException as error:
        if (
            watch.stopped is not None and watch.asked is sys._getframe()
        ):  # whatever the code has made of it
            raise watch.stopped.with_traceback(error.__traceback__) from None
        raise
    if watch.stopped is not None and watch.asked is sys._getframe():
        raise watch.stopped
    return found


def watch_work(work: Callable[[], T]) -> T:
    """Return what *work* does, in which :func:`ask_in_time` costs next to nothing.

    :raises InterruptedDecision: as :func:`ask_in_time`.
    """
    if get_ident() in _watches:
        return work()
    return _run_with_timer(Watch(), work) if _alarm_is_free() else _run_in_thread(Watch(), work)


def _alarm_is_free() -> bool:
    if sys.platform == "win32":
        return False
    free = signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _alarm)
    return (
        free
        and get_ident() == main_thread().ident
        and signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    )


def _set_timer(first: float) -> None:
    """Let the timer tick after *first* seconds and then every :data:`TICK`, or never for 0."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, first, TICK)


def _run_with_timer(watch: Watch, work: Callable[[], T]) -> T:
    _watches[get_ident()] = watch
    try:
        if sys.platform != "win32":
            signal.signal(
                signal.SIGALRM, _alarm
            )  # for good, since an alarm may be on its way when the timer is off
        _set_timer(TICK)
        return work()
    finally:
        del _watches[get_ident()]
        _set_timer(0)


def _alarm(_number: int, frame: FrameType | None) -> None:
    watch = _watches.get(get_ident())
    if watch is None or watch.looking or sys.gettrace() is not None:  # a debugger takes its time
        return
    watch.looking = True
    try:
        due = watch.tick(frame)
    finally:
        watch.looking = False
    if not due:
        return
    if watch.hits > PATIENT:  # by chance one comes where nothing catches it
        _set_timer(uniform(1e-6, 2e-5))
    assert watch.stopped is not None
    raise watch.stopped.with_traceback(None)


def _run_in_thread(watch: Watch, work: Callable[[], T]) -> T:
    done: list[tuple[T | None, BaseException | None]] = []

    def run() -> None:
        _watches[get_ident()] = watch
        try:
            done.append((work(), None))
        except BaseException as error:
            done.append((None, error))
        finally:
            del _watches[get_ident()]

    thread = Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()
    try:
        while thread.is_alive() and watch.hits < LEFT:
            if watch.tick(sys._current_frames().get(thread.ident or 0)):
                _interrupt(thread)
            thread.join(TICK)
    finally:
        if thread.is_alive():  # it is left behind, or somebody has pressed stop
            watch.stopped = watch.stopped or InterruptedDecision()
            Thread(target=_follow, args=(thread,), daemon=True).start()
    if watch.stopped is not None or not done:
        raise (watch.stopped or InterruptedDecision()).with_traceback(None)
    result, error = done[0]
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def _follow(thread: Thread) -> None:
    while thread.is_alive():
        _interrupt(thread)
        thread.join(1)


def _interrupt(thread: Thread) -> None:
    """Raise an error in *thread*, if it runs Python within a tick.

    One that waits for a sleeping thread would slow all others down, and in Python 3.11 a traced one
    would hang.
    """
    from ctypes import c_ulong, py_object, pythonapi  # here, since a timer does without

    send = pythonapi.PyThreadState_SetAsyncExc
    send(c_ulong(thread.ident or 0), py_object(InterruptedDecision))
    thread.join(TICK)
    if send(c_ulong(thread.ident or 0), None):
        try:  # Python notes for all threads that an error waits, until one has come
            send(c_ulong(get_ident()), py_object(InterruptedDecision))
            while True:
                pass
        except InterruptedDecision:
            pass
