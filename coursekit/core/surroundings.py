"""What learners' code finds around it in a match: a repeatable ``random``, and nobody to ask.

Functions of :mod:`random` and ``numpy.random`` draw from the chance of the process. During a match
it comes from the match's seed, so that the same seed gives the same match; the notebook's own goes
on afterwards. ``input`` would wait for an answer in the middle of a match, and IPython's ``exit``
would end the kernel with all that a pupil has made: both raise. What is printed is bounded.
"""

import builtins
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from coursekit.core.chance import stream_number
from coursekit.core.strategy_output import BoundedOutput
from coursekit.words.language import current_language


class NobodyAnswersError(Exception):
    """A strategy has asked the person at the keyboard."""


class Surroundings:
    """What learners' code finds around it in one match, whenever it is asked.

    :param seed: of the match.
    """

    _is_entered = False
    """Whether there are some now; a match within a match has no others."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._chance: _Chance | None = None
        self._outputs: list[BoundedOutput] = []

    @contextmanager
    def entered(self, *, once: bool = False) -> Iterator[None]:
        """Surround what is done here; within other surroundings there is nothing to do.

        :param once: whether that is the whole match.
        """
        if Surroundings._is_entered:
            yield
            return
        Surroundings._is_entered = True
        streams = sys.stdout, sys.stderr
        ask = builtins.input
        shell = _shell()
        try:
            with kept_chance():
                self._set_chance()
                builtins.input = _refuse_input
                if shell is not None:
                    shell.ask_exit = _leave
                if not isinstance(sys.stdout, BoundedOutput):  # as a tournament has
                    self._outputs = self._outputs or [BoundedOutput(out) for out in streams]
                    for output, out in zip(self._outputs, streams):
                        output.out = out
                    sys.stdout, sys.stderr = self._outputs
                yield
                if not once:
                    self._chance = _Chance()
        finally:
            Surroundings._is_entered = False
            builtins.input = ask
            if shell is not None:
                vars(shell).pop("ask_exit", None)
            sys.stdout, sys.stderr = streams
            for output in self._outputs:
                output.tell_hidden("strategy.printed", current_language())

    def _set_chance(self) -> None:
        if self._chance is not None:
            self._chance.go_on()
            return
        number = stream_number(self._seed, "random")
        random.seed(number)
        if numpy := sys.modules.get("numpy.random"):
            numpy.seed(number % 2**32)


class _Chance:
    """Where the chance of the process stands; numpy's only if the process uses it."""

    is_kept = False

    def __init__(self) -> None:
        numpy = sys.modules.get("numpy.random")
        self._python = random.getstate()
        self._numpy = numpy and numpy.get_state()

    def go_on(self) -> None:
        """Let it go on from here."""
        random.setstate(self._python)
        if self._numpy:
            sys.modules["numpy.random"].set_state(self._numpy)


@contextmanager
def kept_chance() -> Iterator[None]:
    """Let the chance of the process go on afterwards as before, whatever matches are played here.

    For many matches that is done once.
    """
    if _Chance.is_kept:
        yield
        return
    _Chance.is_kept = True
    own = _Chance()
    try:
        yield
    finally:
        _Chance.is_kept = False
        own.go_on()


def _shell() -> Any:
    """Return IPython's shell, ``None`` outside a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython and ipython.get_ipython()


def _leave() -> NoReturn:
    raise SystemExit


def _refuse_input(prompt: object = "", /) -> NoReturn:
    raise NobodyAnswersError(prompt)
