"""A time limit for what learners' code decides, so that ``while True`` never freezes a lesson.

It guards against accidents and is no sandbox: it does not reach what leaves the process, and has to
wait for the end of one call of a compiled function, such as ``sum(range(10**8))``; a clock tells
then how long that took. In the main thread a timer of the system ticks and interrupts what runs,
even a ``sleep``. The timer is set once a match, since setting it for each decision would take a
quarter of the speed. Where there is no such timer (Windows), where it belongs to somebody else, and
in other threads, the work runs in a thread of its own; the caller watches it and leaves it behind
if it does not end. Linux also refuses a decision more memory than it may have, all at once or not.
In a page of the site there are neither timers nor threads, and nothing is interrupted.
"""

import signal
import sys
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from random import uniform
from threading import Thread, get_ident, main_thread
from time import perf_counter, process_time
from traceback import FrameSummary, clear_frames, extract_stack, extract_tb
from types import CodeType, FrameType
from typing import Any, TypeVar

from coursekit.core.errors import InterruptedDecision, LocalizedError
from coursekit.core.memory import bound_memory, free_memory, resident_memory

TICK = 0.05
"""Seconds between two looks."""
SHARE = 5
"""A decision may take 1/5 of its :attr:`.Strategy.time_limit`; the rest comes out of the bank."""
BANK = 5
"""Seconds for what the decisions of a match take beyond their share."""
STALL = 3
"""Seconds between two ticks after which a decision that waited has taken them, as one that worked.

A shorter pause may be the machine's, which has others to serve.
"""
MEMORY = 512
"""MB (2²⁰ bytes) by which one decision may make the process grow."""
PATIENT = 3
"""Interruptions, a tick apart, after which they come as fast as they can.

Code may catch them all, but not at once.
"""
LEFT = 10
"""Interruptions after which a thread that goes on is left behind."""

T = TypeVar("T")


class Watch:
    """What one thread has decided, and for how long."""

    def __init__(self) -> None:
        self.asked: FrameType | None = None
        """The call of :func:`ask_in_time` at the last tick."""
        self.used = 0.0  # seconds
        self.looked = perf_counter()
        self.worked = process_time()
        self.memory = 0  # bytes of the process when the decision began
        self.stopped: InterruptedDecision | None = None
        self.interruptions = 0
        self.is_ticking = False  # on a busy machine the timer ticks again meanwhile

    def tick(self, frame: FrameType | None) -> bool:
        """Let a moment go by in which *frame* runs; return whether it must be interrupted."""
        asked, depth = _outermost_call(frame)
        passed = self._look()
        if asked is None or "error" in asked.f_locals:  # it has failed, and its error is told
            return False
        if asked is not self.asked:
            self.asked = asked
            self.used = 0.0
            self.memory = resident_memory()
            self.stopped = None
            self.interruptions = 0
            if get_ident() == main_thread().ident:
                bound_memory(MEMORY)
        if self.stopped is None:
            who = asked.f_locals["who"]
            self.used += passed
            reason = self._reason(who, passed)
            if reason is None:
                return False
            stack = extract_stack(frame, depth)
            if depth == 1:  # it has just ended, with a step that nothing could interrupt
                stack[-1:] = _first_line(who, asked.f_locals["what"])
            self.stopped = InterruptedDecision(reason, stack, who, asked.f_locals["seat"])
        self.interruptions += 1
        return True

    def _look(self) -> float:
        """Return the seconds since the last tick.

        A tick that comes late has waited for one step of what is decided now.
        """
        now, worked = perf_counter(), process_time()
        passed = now - self.looked
        if passed < STALL:
            passed = min(passed, worked - self.worked)
        self.looked, self.worked = now, worked
        return max(TICK, passed)

    def _reason(self, who: Any, passed: float) -> LocalizedError | None:
        if self.used > who.time_limit:
            took = round(self.used, 1)
            words = "stopped.slow" if self.used - who.time_limit < 0.2 else "stopped.late"
            return LocalizedError("", words, seconds=who.time_limit, took=took)
        if resident_memory() - self.memory > MEMORY << 20:
            return LocalizedError("", "stopped.memory", count=MEMORY)
        if self.used > who.time_limit / SHARE:
            over = min(passed, self.used - who.time_limit / SHARE)
            left = vars(who)["_time_left"] = vars(who).get("_time_left", BANK) - over
            if left < 0:
                share = round(who.time_limit / SHARE, 3)
                return LocalizedError("", "stopped.often", share=share, seconds=BANK)
        return None


def _outermost_call(frame: FrameType | None) -> tuple[FrameType | None, int]:
    """Return the outermost call of :func:`ask_in_time` above *frame*, and its depth.

    What a decision asks for itself is a part of it.
    """
    call = None
    depth = steps = 1
    while frame is not None and frame.f_code is not _run_with_timer.__code__:
        if frame.f_code is ask_in_time.__code__:
            call, depth = frame, steps
        frame = frame.f_back
        steps += 1
    return call, depth


def _first_line(who: Any, what: Any) -> list[FrameSummary]:
    """Return where the method begins by which *who* decides *what*; nothing if it is unknown."""
    kind = getattr(who, "kind", type(who))
    name = getattr(what, "phase", "__init__")
    code = getattr(getattr(kind, name, None), "__code__", None)
    if not isinstance(code, CodeType):
        return []
    return [FrameSummary(code.co_filename, code.co_firstlineno, code.co_name)]


_watches: dict[int, Watch] = {}  # by thread


def current_watch() -> Watch | None:
    """Return the watch of this thread, ``None`` if it has none."""
    return _watches.get(get_ident())


def ask_in_time(
    decide: Callable[[Any], Any], what: Any, who: Any, seat: int = 0, watch: Watch | None = None
) -> Any:
    """Return ``decide(what)``, interrupted if it takes more than *who* may take.

    :param who: has a ``time_limit`` in seconds, and attributes that can be set, such as a strategy.
    :param watch: the watch of this thread, if the caller knows it.
    :raises InterruptedDecision: saying why and where.
    """
    watch = watch or current_watch()
    if watch is None:
        if sys.platform == "emscripten":
            return decide(what)
        return watch_work(partial(ask_in_time, decide, what, who, seat))
    try:
        decision = decide(what)
        get_ident()  # Python hears here of an alarm that came in the last step
    except BaseException as error:
        # The code may have caught the interruption and raised something else.
        if watch.stopped is not None and watch.asked is sys._getframe():
            raise watch.stopped.with_traceback(error.__traceback__) from None
        if isinstance(error, MemoryError):
            reason = LocalizedError("", "stopped.memory", count=MEMORY)
            stack = extract_tb(error.__traceback__)
            clear_frames(error.__traceback__)  # which hold what was filled so far
            raise InterruptedDecision(reason, stack, who, seat) from None
        raise
    if watch.stopped is not None and watch.asked is sys._getframe():
        raise watch.stopped
    return decision


def watch_work(work: Callable[[], T]) -> T:
    """Return the result of *work*, in which :func:`ask_in_time` costs next to nothing.

    :raises InterruptedDecision: as :func:`ask_in_time`.
    """
    if get_ident() in _watches or sys.platform == "emscripten":
        return work()
    run = _run_with_timer if _alarm_is_free() else _run_in_thread
    return run(Watch(), work)


def _alarm_is_free() -> bool:
    if sys.platform == "win32":
        return False
    if signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, _alarm):
        return False
    is_main = get_ident() == main_thread().ident
    return is_main and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def _set_timer(first: float) -> None:
    """Let the timer tick after *first* seconds and then every :data:`TICK`, or never for 0."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, first, TICK)


def _run_with_timer(watch: Watch, work: Callable[[], T]) -> T:
    _watches[get_ident()] = watch
    try:
        # For good, since an alarm may be on its way when the timer is off.
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, _alarm)
        _set_timer(TICK)
        bound_memory(MEMORY)
        return work()
    finally:
        del _watches[get_ident()]
        _set_timer(0)
        free_memory()


def _alarm(_number: int, frame: FrameType | None) -> None:
    watch = _watches.get(get_ident())
    if watch is None or watch.is_ticking or sys.gettrace() is not None:  # a debugger takes its time
        return
    watch.is_ticking = True
    try:
        due = watch.tick(frame)
    finally:
        watch.is_ticking = False
    if not due:
        return
    if watch.interruptions > PATIENT:  # by chance one comes where nothing catches it
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
        while thread.is_alive() and watch.interruptions < LEFT:
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
