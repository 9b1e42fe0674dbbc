"""What the table explains about a trick: what a led Wizard or Jester means, and why an unexpected
card took it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coursekit.core.game import Event
from coursekit.games.wizard.rules.cards import NOTHING, SUIT, is_jester, is_wizard
from coursekit.games.wizard.rules.game import Wizard


class Remark(NamedTuple):
    """A text id and its values."""

    text: str
    values: Mapping[str, Any] = {}


def remark_on_running(trick: Sequence[int], game: Wizard) -> Remark | None:
    """Return what is special about the suit to follow in a *trick* that is not full."""
    led = game.led(trick)
    if led == NOTHING:
        if not trick:
            return None
        free = any(map(is_wizard, trick)) and not (game.options.past_wizard and is_jester(trick[0]))
        return Remark("remark.free" if free else "remark.jester_led")
    first = next(card for card in trick if not is_jester(card))
    if is_jester(trick[0]) or is_wizard(first):
        return Remark("remark.first_suit", {"suit": led})
    return Remark("remark.still", {"suit": led}) if any(map(is_wizard, trick)) else None


def remark_on_finished(trick: Sequence[int], trump: int) -> Remark | None:
    """Return what is special about the winner of a full *trick*, ``None`` for nothing."""
    if all(map(is_jester, trick)):
        return Remark("remark.only_jesters")
    wizards = sum(map(is_wizard, trick))
    if wizards > 1:
        return Remark("remark.first_wizard")
    if wizards and any(SUIT[card] == trump for card in trick):
        return Remark("remark.over_trump")
    return None


def find_remarks(story: Sequence[Event], game: Wizard, since: int = 0) -> list[Remark | None]:
    """Return what is special about the trick from an event on, for those from *since* on."""
    remarks: list[Remark | None] = []
    trick: list[int] = []
    trump = NOTHING
    at_once = False
    dealt = next((number for number in range(since - 1, -1, -1) if story[number].text == "deal"), 0)
    for number, event in enumerate(story[dealt:], dealt):
        remark = None
        if event.text == "deal":
            trick = []
            trump = NOTHING
            # Nothing is followed there
            at_once = game.options.hawk_eye and event.values["round"] == 1
        elif event.text in ("trump.turned", "trump.chosen"):
            trump = event.values["suit"]
        elif event.text == "play":
            before = trick
            trick = [*before, event.values["card"]]
            if number >= since and len(trick) < game.players and not at_once:
                now = remark_on_running(trick, game)
                remark = now if now != remark_on_running(before, game) else None
        elif event.text == "trick":
            remark = remark_on_finished(trick, trump)
            trick = []
        remarks.append(remark)
    return remarks[since - dealt :]
