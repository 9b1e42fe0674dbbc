"""Answers to a question to the class: what is typed, and how all answers are spread."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from math import floor, log10
from statistics import median, quantiles
from typing import Any, NamedTuple

from coursekit.core.page_messages import MessageError
from coursekit.kit.answer_form import AnswerForm
from coursekit.words.characters import drawn_part, is_visible

Number = int | float
FEWEST = 5
"""Answers below which nobody but the teacher sees how they are spread: it would tell who wrote
what.
"""
MOST_BARS = 13
CHOICES = range(2, 13)
"""How many a teacher's own question can offer."""
LONGEST_CHOICE = 60
QUOTED = 20
"""Letters of a wrong answer that are repeated."""
LONGEST_NUMBER = 12
"""Most digits of a number."""
FAR = 3.0
"""Interquartile ranges beyond the quartiles from which on numbers share the outermost bar."""
NUMERALS = dict(zip("〇一二三四五六七八九十", range(11)))
NUMERALS |= {"零": 0, "兩": 2, "两": 2, "百": 100, "千": 1000}
WRITTEN = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?")


class Given(NamedTuple):
    """What one person has answered."""

    value: Number | None
    """The number; of a choice its place among the choices, from 0; ``None`` for words alone."""
    words: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing is left of it."""
        return self.value is None and not is_visible(self.words)


class Spread(NamedTuple):
    """How the answers to a question are spread."""

    people: int
    bars: Sequence[tuple[str, int]]
    """What was answered, and by how many."""
    middle: str
    """The median of numbers, "" for choices."""


def read_value(form: AnswerForm, number: str | None, choice: int | None) -> Number | None:
    """Return what an answer counts as: the number that was typed, or the place of a choice.

    :raises MessageError: if it is missing, cannot be read or is not allowed; nothing is guessed.
    """
    if form.kind == "choice":
        if choice is None:
            raise MessageError("room.choice_missing")
        if not 0 <= choice < len(form.choices):
            raise MessageError
        return choice
    if form.kind == "text":
        return None
    if number is None or not number.strip():
        raise MessageError("room.number_missing")
    value = read_number(number)
    if value is None:
        raise MessageError("room.number_unread", got=_quoted(number))
    low, high = form.low, form.high
    is_out = low is not None and high is not None and not low <= value <= high
    if form.whole and (is_out or value != int(value)):
        raise MessageError("room.number_whole", got=_written(value), low=low, high=high)
    if is_out:
        raise MessageError("room.number_range", got=_written(value), low=low, high=high)
    return value


def _quoted(words: str) -> str:
    """Return the beginning of what was typed, as a sentence quotes it."""
    words = words.strip()
    return words if len(words) <= QUOTED else words[:QUOTED] + "…"


def read_form(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a teacher's own question is answered, as an event has it.

    :param typed: ``kind``; of choices ``choices``, one a line; of numbers, if there are limits,
        ``low`` and ``high`` as typed.
    :raises MessageError: with the reason, if that cannot be asked.
    """
    kind = typed.get("kind", "text")
    if kind == "choice":
        return {"kind": kind, "choices": _read_choices(str(typed.get("choices", "")))}
    if kind != "number":
        return {"kind": "text"}
    limits = [str(typed.get(name, "")).strip() for name in ("low", "high")]
    if not any(limits):
        return {"kind": kind}
    low, high = (read_number(limit) for limit in limits)
    if low is None or high is None or low >= high:
        raise MessageError("room.limits", low=_quoted(limits[0]), high=_quoted(limits[1]))
    return {"kind": kind, "low": low, "high": high}


def _read_choices(lines: str) -> list[str]:
    choices = [" ".join(line.split()) for line in lines.splitlines() if is_visible(line)]
    shapes = list(map(drawn_part, choices))
    low, high = CHOICES.start, CHOICES.stop - 1
    if len(choices) not in CHOICES:
        raise MessageError("room.choices", got=len(choices), low=low, high=high)
    for choice in choices:
        if len(choice) > LONGEST_CHOICE:
            raise MessageError("room.choice_long", got=_quoted(choice), allowed=LONGEST_CHOICE)
        if shapes.count(drawn_part(choice)) > 1:
            raise MessageError("room.choice_twice", got=choice)
    return choices


def read_number(words: str) -> Number | None:
    """Return the number that *words* are, ``None`` if they are none.

    Digits may be full-width ones, and commas may part the thousands; 三十二 is a number, too.

    >>> read_number("１,２００"), read_number("-3.50"), read_number("三十二"), read_number("3,5")
    (1200, -3.5, 32, None)
    """
    plain = unicodedata.normalize("NFKC", words).strip().replace("−", "-")
    if WRITTEN.fullmatch(plain):
        plain = plain.replace(",", "")
        if len(plain) > LONGEST_NUMBER:
            return None
        value = float(plain)
        return int(value) if value.is_integer() else value
    return _read_numerals(plain)


def _read_numerals(words: str) -> int | None:
    """Return the number that Chinese numerals below ten thousand say.

    兩百五 is none: some mean 250, and some 205.
    """
    values = [NUMERALS.get(sign) for sign in words]
    digits = [value for value in values if value is not None]
    if not digits or len(digits) < len(values) or len(digits) > LONGEST_NUMBER:
        return None
    if max(digits) < 10:
        return int("".join(map(str, digits)))
    number, digit, unit = 0, 0, 10_000
    for value in digits:
        if value < 10 and not digit:
            digit = value
        elif 10 <= value < unit:
            number += (digit or 1) * value
            digit, unit = 0, value
        else:
            return None
    if digit and unit > 10 and digits[-2] > 0:
        return None
    return number + digit


def spread_choices(values: Sequence[Number], choices: Sequence[str]) -> Spread:
    """Return how often each of *choices* was chosen; *values* are places among them."""
    counts = Counter(values)
    bars = [(choice, counts[place]) for place, choice in enumerate(choices)]
    return Spread(len(values), bars, "")


def spread_numbers(values: Sequence[Number], form: AnswerForm) -> Spread:
    """Return how *values*, one or more, are spread: a bar for each number, or for equal ranges.

    A number far from all others has no range of its own: it goes with what is below or above the
    rest.
    """
    numbers = sorted(values)
    low = numbers[0] if form.low is None else form.low
    high = numbers[-1] if form.high is None else form.high
    if form.low is None and high - low >= MOST_BARS:
        low, high = _without_far(numbers)
    near = [number for number in numbers if low <= number <= high]
    bars = _bars(near, low, high)
    below = sum(number < low for number in numbers)
    above = sum(number > high for number in numbers)
    if below:
        bars.insert(0, (f"< {_written(low)}", below))
    if above:
        bars.append((f"> {_written(high)}", above))
    return Spread(len(numbers), bars, _written(median(numbers)))


def _without_far(numbers: Sequence[Number]) -> tuple[Number, Number]:
    """Return the smallest and the largest of the sorted *numbers* that are not far from the rest.

    :param numbers: two or more.
    """
    first, _, third = quantiles(numbers, method="inclusive")
    reach = FAR * (third - first)
    near = [number for number in numbers if first - reach <= number <= third + reach]
    return near[0], near[-1]


def _bars(numbers: Sequence[Number], low: Number, high: Number) -> list[tuple[str, int]]:
    """Return how many *numbers* there are from *low* to *high*, at most :data:`MOST_BARS` bars."""
    are_whole = all(isinstance(number, int) for number in (*numbers, low, high))
    if low == high:
        return [(_written(low), len(numbers))]
    if are_whole and high - low < MOST_BARS:
        counts = Counter(numbers)
        whole = range(int(low), int(high) + 1)
        return [(_written(number), counts[number]) for number in whole]
    step = _step((high - low) / (MOST_BARS - 3))
    places = Counter(_place(number, step) for number in numbers)
    bars = []
    for place in range(_place(low, step), _place(high, step) + 1):
        start = place * step
        end = min(start + step - are_whole, high)
        label = _written(start) if start >= end else f"{_written(start)}–{_written(end)}"
        bars.append((label, places[place]))
    return bars


def _step(least: float) -> Number:
    """Return the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not below *least*."""
    power = floor(log10(least))
    for factor in (1, 2, 5, 10):
        step: Number = factor * 10**power if power >= 0 else factor / 10**-power
        if step >= least:
            return step
    raise AssertionError(least)


def _place(number: Number, step: Number) -> int:
    return floor(round(number / step, 9))  # 0.3 / 0.1 is below 3


def _written(number: Number) -> str:
    comma = "," if abs(number) >= 10_000 else ""  # none in years
    return format(number, comma if isinstance(number, int) else f"{comma}.6g")
