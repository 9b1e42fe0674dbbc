"""The rules of Wizard in short, and the match in which a new player meets them."""

from collections.abc import Callable

from coursekit.games.wizard.rules.cards import is_jester, is_wizard
from coursekit.games.wizard.rules.game import Wizard
from coursekit.kit import Guide, Rule
from coursekit.kit.quick_start import First, Picture
from coursekit.kit.scene import Look


def bids_in(number: int) -> First:
    """Return what says whether a bid is due in round *number*."""
    return lambda obs, _: obs.phase == "bid" and obs.round == number


def meets(kind: Callable[[int], bool]) -> First:
    """Return what says whether such a card is in hand or in the trick, after the first round."""
    return lambda obs, _: (
        obs.phase == "play" and obs.round > 1 and any(map(kind, (*obs.hand, *obs.trick)))
    )


def describe_rule(rule: Rule, look: Look) -> str:
    """Return *rule* in words; a deck may have no Wizards or Jesters."""
    game = look.game
    assert isinstance(game, Wizard)
    o = game.options
    number = {"rules.wizard": o.wizards, "rules.jester": o.jesters}
    if not number.get(rule.text, 1):
        return ""
    return look.say(
        choose_text(rule.text, game), **vars(o), least=game.sizes[0], most=game.sizes[-1]
    )


def choose_text(text: str, game: Wizard) -> str:
    """Return which text tells a rule, which options may change."""
    o = game.options
    if text == "map.note.led":
        if not o.wizards:
            return "rules.led_no_wizard"
        return "rules.led_past_wizard" if o.past_wizard else text
    if text == "rules.trump" and not (o.wizards and o.jesters):
        return "rules.trump_of_suits"
    if text == "map.note.bid" and o.hawk_eye:
        return "rules.bid_hawk"
    if text in ("rules.score", "map.note.met", "map.note.missed") and not scores_by_options(game):
        return "rules.score_own"
    return text


def scores_by_options(game: Wizard) -> bool:
    """Return whether *game* scores as its options say; a class made from it may not."""
    kind = type(game)
    return kind._score is Wizard._score and kind.apply is Wizard.apply


GUIDE = Guide(
    rules=(
        Rule("rules.aim", ("bid",), bids_in(1)),
        Rule("rules.trick", (), bids_in(1)),
        Rule("rules.trump", ("trump",), bids_in(1)),
        Rule("rules.deal", ("size",), bids_in(2)),
        Rule("map.note.led", ("play",), lambda obs, _: obs.phase == "play" and obs.round > 1),
        Rule("rules.wizard", (), meets(is_wizard)),
        Rule("rules.jester", (), meets(is_jester)),
        Rule("rules.score", ("scored",), lambda obs, _: obs.phase == "scored"),
    ),
    says=describe_rule,
    players=4,
    options={"short_game": 3},
    seed="first steps 24",
    others="Cautious",
    pictures=(
        Picture("pictures.bid", "bid", 12, ("hand", "pile")),
        Picture("pictures.follow", "play", 12, ("row", "hand"), right=0),
        Picture("pictures.winner", "scored", 2, ("row", "pile"), right=1),
        Picture("pictures.score", "scored", 3, ("pad",), right=2),
    ),
    preset="lesson",
)
