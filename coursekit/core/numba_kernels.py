"""Kernels: modules of plain functions on ints and flat arrays, compiled where there is numba.

The source is one: the functions run as they stand on lists, or compiled on arrays. A kernel may
import those of this module that take arrays.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

Ints = list[int]


def below(r: Ints, n: int) -> int:
    """Return an integer in range(n); the generator (xorshift) is r[0], not 0."""
    x = r[0]
    x ^= x << 13 & 0xFFFFFFFF
    x ^= x >> 17
    x ^= x << 5 & 0xFFFFFFFF
    r[0] = x
    return x * n >> 32


class Kernel:
    """The functions of a module, compiled or not, and the arrays that they work on."""

    def __init__(
        self, functions: dict[str, Any], ints: Callable[[Sequence[int]], Any], compiled: bool
    ) -> None:
        self.functions, self.compiled = functions, compiled
        self.ints = ints
        """Makes an array of the kind that the functions take."""

    def __getattr__(self, name: str) -> Any:
        return self.functions[name]


def plain_kernel(module: ModuleType) -> Kernel:
    """Return the functions of *module* as they stand."""
    return Kernel(vars(module), list, False)


@cache
def compile_kernel(module: ModuleType) -> Kernel:
    """Return the functions of *module*, compiled where numba is installed.

    Machine code is kept beside the module or, where that cannot be written, in the user's cache;
    where that is impossible too it lasts as long as the process.
    """
    if sys.platform == "emscripten" or find_spec("numba") is None:
        return plain_kernel(module)
    import numba
    import numpy

    functions = dict(vars(module))
    for name, function in vars(module).items():  # in the order of the source: callees first
        if isinstance(function, FunctionType) and (
            function is below or function.__module__ == module.__name__
        ):
            own = FunctionType(function.__code__, functions, name, function.__defaults__)
            try:
                functions[name] = numba.njit(own, cache=True)
            except RuntimeError:  # no place for a cache
                functions[name] = numba.njit(own)
    return Kernel(functions, lambda values: numpy.array(values, numpy.int64), True)
