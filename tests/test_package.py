"""The names of the package itself, loaded when they are asked for."""

import subprocess
import sys

import pytest

import coursekit
from coursekit.core.errors import LocalizedError
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES, make
from coursekit.site.build import WIDGETS


def test_every_name_is_there_and_documented() -> None:
    for name in coursekit.__all__:
        assert getattr(coursekit, name).__doc__
        assert name in dir(coursekit)
    with pytest.raises(ImportError):
        from coursekit import duplicat  # noqa: F401


def test_importing_the_package_loads_nothing() -> None:
    program = (
        "import sys; before = set(sys.modules); import coursekit; print(*set(sys.modules) - before)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert [name for name in found.stdout.split() if name.startswith("coursekit.")] == []


def test_its_widgets_load_where_no_trait_can_be_subscripted() -> None:
    """As in Colab, whose traitlets 5.7 has no ``List[str]``."""
    program = "import anywidget, traitlets; traitlets.List.__class_getitem__ = None; import "
    program += ", ".join(f"coursekit.{module}" for module in WIDGETS)
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_game_is_made_by_its_name() -> None:
    assert repr(make("wizard")) == repr(Wizard(3))
    assert repr(make("wizard", 4, short_game=5)) == repr(Wizard(4, Options(short_game=5)))
    for name, kit in GAMES.items():
        for preset in kit.rules.presets:
            assert make(name, preset=preset).options == kit.rules.preset(preset)
    lesson = make("wikipedia", preset="lesson", points_to_win=9)
    assert lesson.options.points_to_win == 9
    assert make(lesson) is lesson


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"game": "wizzard"}, "wizzard"),
        ({"game": "wizard", "players": 9}, "9"),
        ({"game": "wizard", "preset": "shrt"}, "shrt"),
        ({"game": "wizard", "short_gam": 3}, "short_gam"),
        ({"game": "wizard", "short_game": "3"}, "3"),
    ],
)
def test_what_there_is_not_is_told_in_one_sentence(given: dict[str, object], named: str) -> None:
    with pytest.raises(LocalizedError, match=named):
        make(**given)  # type: ignore[arg-type]
