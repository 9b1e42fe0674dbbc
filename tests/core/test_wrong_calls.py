"""What a cell shows where it uses the kit in a way that the kit does not know: one sentence."""

import re
from collections.abc import Callable, Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from coursekit.cells import cell_errors
from coursekit.words.language import use_language

FIRST = """
from coursekit import *
from coursekit.cells import check, explore, methods
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options
from coursekit.games.wizard.strategies import Cautious
game = Wizard(3, Options(short_game=2))
match = Match(game, seed=1)
obs = game.observe(match.state, 0)
result = duplicate(game, [AtRandom, Cautious], 6, seed=1, progress=False, language="en")
def points(bid=1):
    return bid / 0
"""
Show = Callable[[str], str]


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell(colors="nocolor")
    shell.set_custom_exc((Exception,), cell_errors.show_error)
    shell.run_cell(FIRST).raise_error()
    yield shell
    InteractiveShell.clear_instance()


@pytest.fixture
def show(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> Show:
    use_language("en")

    def run(cell: str) -> str:
        shell.run_cell(cell)
        return capsys.readouterr().out.strip()

    return run


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        # names of modules, and in them
        ("from coursekit.games.wizard import wizards", "Did you mean Wizard?"),
        ("from coursekit.arena import duplicates", "Did you mean duplicate?"),
        ("import coursekit.game", "Did you mean games?"),
        ("import coursekti", "Did you mean coursekit?"),
        ("from coursekit.games.Wizard import Wizard", "Did you mean wizard?"),
        (
            "from coursekit.games.wizard import Cautious",
            "from coursekit.games.wizard.strategies im",
        ),
        (
            "from coursekit import Cautious",
            "from coursekit.games.wizard.strategies import Cautious",
        ),
        ("from coursekit.core import Strategy", "from coursekit.core.strategy import Strategy"),
        # names of things
        ("obs.hands", "Observation has no hands; it has: .* Did you mean hand?"),
        ("result.plt()", "Did you mean plot?"),
        ("match.ply(0, 1)", "Did you mean play?"),
        ("game.observed(match.state, 0)", "Did you mean observe?"),
        ("Table(game).plya()", "Table has no plya; it has: act, address, "),
        ("game.options.short_game = 3", "It cannot be changed once it is made"),
        ("Options(short_gam=5)", "It is called as Options(.*). Did you mean short_game?"),
        ("Wizard.preset('lessn')", "Did you mean lesson?"),
        ("make('wizards')", "Did you mean wizard?"),
        ("make('wizard', short_gam=5)", "Did you mean short_game?"),
        ("duplicate(game, ['Cautios'])", "Did you mean Cautious?"),
        ("duplicate(game, [Cautious], deal=3)", "Did you mean deals?"),
        ("result.mean('cautious')", "Did you mean Cautious?"),
        ("result.mean(Cautious, 'point')", "Did you mean points?"),
        ("sweep(game, {'short_gam': [1, 2]}, [AtRandom])", "Did you mean short_game?"),
        ("Table(game, seat=['person'])", "Did you mean seats?"),
        # one thing for another
        ("AtRandom()", "Give the class AtRandom itself, without brackets"),
        ("duplicate(Wizard, [AtRandom])", "such as Wizard(3), not Wizard alone"),
        ("duplicate([AtRandom], game)", "Give a game, such as Wizard(4), not [<class"),
        ("play(Wizard, [AtRandom])", "such as Wizard(3), not Wizard alone"),
        ("play('wizard', [AtRandom])", "Give a game, such as Wizard(4), not 'wizard'"),
        ("sweep(Wizard, {'short_game': [1, 2]}, [AtRandom])", "such as Wizard(3)"),
        ("Match(Wizard)", "such as Wizard(3), not Wizard alone"),
        ("play_out(Wizard, [AtRandom] * 3)", "such as Wizard(3), not Wizard alone"),
        (
            "Match(game, 5, 'Ann')",
            "names are a list .*, not 'Ann'. It is called as Match(game, seed",
        ),
        ("game.observe(match, 0)", "It is called as observe(state, seat)."),
        (
            "check(points(2) if 0 else 3)",
            "check takes a function itself, its name without brackets",
        ),
        ("explore(3, bid=range(3))", "explore takes a function itself"),
        ("methods(3)", "There is no game 3; there are: wikipedia"),
        # too little, too much
        (
            "Wizard()",
            "missing 1 required positional argument: 'players'. It is called as Wizard(pl",
        ),
        ("duplicate(game)", "'strategies'. It is called as duplicate(game, strategies, deals=100"),
        ("result.mean()", "It is called as mean(strategy, statistic='points')."),
        ("Match(game, 5).play(1)", "'action'. It is called as play(self, seat, action)."),
        ("duplicate(game, [Cautious], statistics=3)", "'int' object is not callable"),
        # below a function of the kit
        ("explore(points, bid=range(2))", "Line 12 (return bid / 0) failed: ZeroDivisionError"),
    ],
)
def test_a_wrong_call_is_one_sentence(cell: str, words: str, show: Show) -> None:
    shown = show(cell)
    assert re.search(re.escape(words).replace(r"\.\*", ".*"), shown), shown
    assert "\n" not in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("cell", ["1 / 0", "points(1)", "[].appendd(3)", "int('x')"])
def test_an_error_without_the_kit_is_shown_by_python(cell: str, show: Show) -> None:
    assert "Traceback" in show(cell)


EXAMPLES = '''
def total(cards):
    """Return the sum.

    >>> hand = [1, 2]
    >>> total(hand)
    3
    EXTRA
    """
    BODY
check(total)
'''


@pytest.mark.parametrize(
    ("body", "extra", "words"),
    [
        ("return sum(cards)", "", "✓ total(hand) is 3\nAll correct!"),
        ("sum(cards)", "", "✗ total(hand) should be 3, and it gives nothing back (None)"),
        ("return cards.sum()", "", "it fails in line 9 (return cards.sum()): AttributeError"),
        ("return sum(card)", "", "name 'card' is not defined (cards?)"),
        ("return 3", ">>> totl([3])\n    3", "✗ totl([3]) should be 3, and it fails: NameError"),
        ("return 3", ">>>total([3])\n    3", "lacks blank after >>>"),
    ],
)
def test_an_exercise_says_what_came_and_where(
    body: str, extra: str, words: str, show: Show
) -> None:
    assert words in show(EXAMPLES.replace("BODY", body).replace("EXTRA", extra))
