"""A control for every number of a function, with its result below."""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import traitlets

from coursekit.cells.environment import on_page
from coursekit.cells.message_widget import MessageWidget
from coursekit.cells.static_bundle import join_files, wrap_in_layer
from coursekit.core.errors import LocalizedError
from coursekit.core.page_messages import MessageError, Messages
from coursekit.kit import GAMES
from coursekit.words.language import current_language
from coursekit.words.texts import (
    THE_KIT,
    check_language,
    format_signed,
    load_texts,
    shorten,
    text,
)

STATIC = Path(__file__).parent / "static"
MOST_VALUES = 200
"""Maximum values of one control."""
WORDS = ("busy", "number", "offline")
"""Texts of the page, ``control.…``."""


class ControlError(LocalizedError, ValueError):
    """Values that a control cannot offer."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Explore(MessageWidget):
    """Shows what *function* returns, and computes it again when a number changes.

    A notebook computes it at once.  A page shows as soon as its cells have run, so there
    the browser asks for the result when the cell comes near the window.

    :param numbers: parameter of *function* -> its possible values, such as ``range(5)``.  It starts
        with the function's default, or else with the first value.
    :raises ValueError: for an unknown language, or values that a control cannot offer.
    """

    _esm = join_files(STATIC, {"js": ["explore"]}, "js")
    _css = wrap_in_layer((STATIC / "explore.css").read_text(encoding="utf-8"))
    fields: "traitlets.List[dict[str, Any]]" = traitlets.List().tag(sync=True)
    result = traitlets.Dict().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    messages = Messages()

    def __init__(
        self, function: Callable[..., Any], language: str, numbers: dict[str, Sequence[float]]
    ) -> None:
        check_language(language)
        if not callable(function):
            raise ControlError("cell.no_function", name="explore", got=shorten(function))
        self._function = function
        self._numbers = {name: _checked(name, values) for name, values in numbers.items()}
        parameters = signature(function).parameters
        positions = {
            name: _start(name, values, parameters.get(name))
            for name, values in self._numbers.items()
        }
        super().__init__(
            language=language,
            words={name: text(f"control.{name}", language) for name in WORDS},
            fields=[self._field(name, position, language) for name, position in positions.items()],
        )
        if not on_page():  # an error shows as in any cell
            self.result = {"number": 0, **_content(function(**self._chosen(positions)))}

    @messages.handle(kind="set")
    def compute(self, at: dict[str, int], number: int) -> None:
        """Show the result for the values *at* these positions; *number* is that of the request."""
        chosen = self._chosen(at)
        try:
            content = _content(self._function(**chosen))
        except Exception as error:  # the last result stays on the screen
            why = f"{type(error).__name__}: {error}"
            if isinstance(error, LocalizedError):
                why = error.sentence(self.language)
            value = ", ".join(f"{name}={value}" for name, value in chosen.items())
            content = {"failed": text("control.failed", self.language, value=value, error=why)}
        self.fields = [field | {"at": at[field["name"]]} for field in self.fields]
        self.result = {"number": number, **content}

    def _field(self, name: str, position: int, language: str) -> dict[str, Any]:
        values = [format_signed(str(value)) for value in self._numbers[name]]
        return {"name": name, "label": label(name, language), "values": values, "at": position}

    def _chosen(self, positions: dict[str, int]) -> dict[str, float]:
        """Return the value of each number.

        :raises MessageError: if one has no position, or none of its values stands there.
        """
        chosen = {}
        for name, values in self._numbers.items():
            position = positions.get(name, -1)
            if not 0 <= position < len(values):
                raise MessageError
            chosen[name] = values[position]
        return chosen


def explore(
    function: Callable[..., Any], language: str | None = None, **numbers: Sequence[float]
) -> Explore:
    """Return the result of *function* with a control for each of its *numbers*."""
    language = language or current_language()
    return Explore(function, language, numbers)


def label(name: str, language: str) -> str:
    """Return the label of *name*: the kit's, that of a game's option, or *name* itself."""
    for game in (THE_KIT, *GAMES):
        texts = load_texts(game and GAMES[game].name)  # a game from outside is loaded with its kit
        for text_id in (f"control.{name}", f"option.{name}.label"):
            if text_id in texts:
                return texts[text_id][language]
    return name


def _checked(name: str, values: Any) -> Sequence[float]:
    fine = isinstance(values, Sequence) and 1 < len(values) <= MOST_VALUES
    if not fine or not all(type(value) in (int, float) for value in values):
        raise ControlError("control.no_numbers", name=name, got=shorten(values))
    return list(values)


def _start(name: str, values: Sequence[float], parameter: Parameter | None) -> int:
    if parameter is None or parameter.default is Parameter.empty:
        return 0
    if parameter.default not in values:
        allowed = shorten(values)
        raise ControlError(
            "control.no_start", name=name, got=shorten(parameter.default), allowed=allowed
        )
    return values.index(parameter.default)


def _content(result: Any) -> dict[str, str]:
    """Return *result* for the browser: as its own HTML, or as text."""
    draw = getattr(result, "_repr_html_", None)
    return {"html": draw()} if draw else {"text": str(result)}
