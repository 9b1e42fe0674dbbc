"""A control for every number of a function, with its result below."""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from coursekit.cells.environment import on_page
from coursekit.cells.static_bundle import join_files, wrap_in_layer
from coursekit.core.errors import LocalizedError
from coursekit.kit import GAMES, kit_of
from coursekit.words.texts import LANGUAGES, format_signed, load_texts, shorten, text

STATIC = Path(__file__).parent / "static"
MOST_VALUES = 200
"""Maximum values of one control."""


class ControlError(LocalizedError, ValueError):
    """Values that a control cannot offer."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Explore(anywidget.AnyWidget):
    """Shows what *function* returns, and computes it again when a number changes.

    A notebook computes it at once.  A page shows as soon as its cells have run, so there
    the browser asks for the result when the cell comes near the window.

    :param numbers: parameter of *function* -> its possible values, such as ``range(5)``.  It starts
        with the function's default, or else with the first value.
    :raises ValueError: for an unknown language, or values that a control cannot offer.
    """

    _esm = join_files(STATIC, {"js": ["explore"]}, "js")
    _css = wrap_in_layer((STATIC / "explore.css").read_text(encoding="utf-8"))
    fields: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    result = traitlets.Dict().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(
        self, function: Callable[..., Any], language: str, numbers: dict[str, Sequence[float]]
    ) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        self._function = function
        self._numbers = {name: _checked(name, values) for name, values in numbers.items()}
        known = signature(function).parameters
        start = {
            name: _start(name, values, known.get(name)) for name, values in self._numbers.items()
        }
        super().__init__(
            language=language,
            words={
                name: text(f"control.{name}", language) for name in ("busy", "number", "offline")
            },
            fields=[
                {
                    "name": name,
                    "label": label(name, language),
                    "values": list(map(_shown, values)),
                    "at": start[name],
                }
                for name, values in self._numbers.items()
            ],
        )
        if not on_page():  # an error shows as in any cell
            self.result = {"number": 0, **_shape(function(**self._chosen(start)))}
        self.on_msg(self._on_message)

    def _chosen(self, at: dict[str, int]) -> dict[str, float]:
        return {name: values[at[name]] for name, values in self._numbers.items()}

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        try:
            at, number = (
                {name: int(content["at"][name]) for name in self._numbers},
                content["number"],
            )
            chosen = self._chosen(at)
        except (KeyError, TypeError, ValueError, IndexError):  # not a message that explore.js sends
            return
        try:
            found = _shape(self._function(**chosen))
        except Exception as error:  # the last result stays on the screen
            why = (
                error.sentence(self.language)
                if isinstance(error, LocalizedError)
                else f"{type(error).__name__}: {error}"
            )
            value = ", ".join(f"{name}={value}" for name, value in chosen.items())
            found = {"failed": text("control.failed", self.language, value=value, error=why)}
        self.fields = [field | {"at": at[field["name"]]} for field in self.fields]
        self.result = {"number": number, **found}


def explore(
    function: Callable[..., Any], language: str = LANGUAGES[0], **numbers: Sequence[float]
) -> Explore:
    """Return the result of *function* with a control for each of its *numbers*; see
    :class:`Explore`.
    """
    return Explore(function, language, numbers)


def label(name: str, language: str) -> str:
    """Return the label of the number *name*: the kit's, a game's label of that option, or the name
    itself.
    """
    for game in ("", *GAMES):
        known = load_texts(kit_of(game).name) if game else load_texts()
        for id in (f"control.{name}", f"option.{name}.label"):
            if id in known:
                return known[id][language]
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


def _shown(value: float) -> str:
    return format_signed(str(value))


def _shape(found: Any) -> dict[str, str]:
    """Return *found* for the browser: as its own HTML, or as text."""
    draw = getattr(found, "_repr_html_", None)
    return {"html": draw()} if draw else {"text": str(found)}
