"""Moments that put the game beside history: the events of the track, and the works."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from coursekit.games.blockade.after.debrief.fates_of_works import Fates
from coursekit.games.blockade.after.debrief.story import Story
from coursekit.games.blockade.after.figures import timeline
from coursekit.games.blockade.after.history import EVENT
from coursekit.games.blockade.rules import card_files
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

if TYPE_CHECKING:
    from coursekit.figures import Picture


SHOWN = 2
"""Most works that are told with their sources; more would not fit on a screen."""


class Effect(NamedTuple):
    """What an event did in all matches."""

    matches: int  # in which it happened
    spaces: dict[int, int]  # by role, below 0 for back
    cards: int  # that it took
    books: int  # book cards that it gave

    @property
    def weight(self) -> int:
        """The size of its effect, 0 for none."""
        return sum(map(abs, self.spaces.values())) + self.cards


def happened(story: Story) -> Moment | None:
    """The event with the largest effect in the game, beside its history; the others are counted."""
    effects = {
        event: _effect(story, event)
        for event in sorted({each.event for era in story.all_eras() for each in era.happenings})
    }
    if not effects:
        return None
    event = max(effects, key=lambda event: effects[event].weight)
    most, others = effects[event], [effects[other] for other in effects if other != event]
    parts = story.history(
        next(note for note in card_files.events() if note.year == event), "summary"
    )
    did, all_of = _did(story, most), len(story.told)
    if story.one:
        told = [story.tell("happened.one", did=did)]
    elif most.matches == all_of:
        told = [story.tell("happened.every", did=did, matches=all_of)]
    else:
        told = [story.tell("happened.some", did=did, some=most.matches, matches=all_of)]
    if others:
        more = sum(effect.weight + effect.books > 0 for effect in others)
        times = share_word(more, len(others))
        told.append(
            story.tell(
                f"happened.others.{times}",
                others=len(others),
                **({"more": more, "rest": len(others) - more} if times == "some" else {}),
            )
        )
    parts.append(story.together(*told))
    parts.append(story.tell("happened.design"))
    if story.one:
        era = next(
            era.number
            for era in story.all_eras()
            if any(each.event == event for each in era.happenings)
        )
        parts.append(timeline(story.told[0].match, story.language, era))
    else:
        parts.append(_how_often(story, {each: effect.matches for each, effect in effects.items()}))
    weight = sum(effect.weight for effect in effects.values())
    return story.moment("happened", parts, 0.4 + min(0.35, weight / len(story.told) / 100))


def _effect(story: Story, event: int) -> Effect:
    """Return what *event* did in all matches."""
    spaces: Counter[int] = Counter()
    for era, move in story.moves():
        if move.cause.kind == EVENT and move.cause.thing == event:
            spaces[era.roles[move.seat]] += move.end - move.start
    losses = [each for era in story.all_eras() for each in era.losses]
    gains = [each for era in story.all_eras() for each in era.gains]
    cards, books = (
        sum(each.cause.kind == EVENT and each.cause.thing == event for each in things)
        for things in (losses, gains)
    )
    matches = sum(
        any(each.event == event for era in told.played for each in era.happenings)
        for told in story.told
    )
    return Effect(matches, {role: far for role, far in sorted(spaces.items()) if far}, cards, books)


def _did(story: Story, effect: Effect) -> str:
    """Return in words what an event did."""
    told = [
        story.tell(
            "happened.moved" if far > 0 else "happened.moved_back", role=role, spaces=abs(far)
        )
        for role, far in effect.spaces.items()
    ]
    told += [story.tell("happened.lost", cards=effect.cards)] if effect.cards else []
    told += [story.tell("happened.books", books=effect.books)] if effect.books else []
    return story.listed(told) or story.tell("happened.nothing")


def _how_often(story: Story, count: dict[int, int]) -> "Picture":
    """Return a picture of the number of matches in which each event happened."""
    labels = [story.tell("happened.row", event=event, year=event) for event in count]
    key, caption = (
        story.tell("happened.key"),
        story.tell("happened.caption", matches=len(story.told)),
    )
    return story.bars(labels, [key], [[*count.values()]], caption)


def works(story: Story) -> Moment | None:
    """The works that came to the table, and those still there when their era ended."""
    shelves = [told.shelf for told in story.told]
    placed = [card for each in shelves for card in each.placed]
    if len(placed) < FEW:
        return None
    numbers = {
        name: story.mean(sum(len(getattr(each, name)) for each in shelves))
        for name in ("placed", "stayed", "paid", "lost")
    }
    fates = [
        story.tell(f"works.fate.{name}", works=numbers[name])
        for name in ("stayed", "paid", "lost")
        if numbers[name]
    ]
    told = [story.tell("works.all" if story.one else "works.mean", placed=numbers["placed"])]
    told += [story.tell("works.fates", fates=story.listed(fates))] if fates else []
    if lying := sum(len(each.lying) for each in shelves):
        told.append(story.tell("works.lying", lying=lying))
    parts: Parts = [story.together(*told)]
    cards = story.told[0].game.cards
    stayed = Counter(card for each in shelves for card in each.stayed)
    known = [
        card
        for card in sorted(stayed)
        if cards.writers[card].source and cards.writers[card].verified
    ]
    for card in sorted(known, key=lambda card: -stayed[card])[:SHOWN]:
        parts += [story.tell("works.each", card=card), story.source(cards.writers[card].source)]
    banned = {book for each in shelves for book in each.banned}
    if banned:
        parts.append(story.tell("works.banned", books=sorted(banned)))
    parts.append(_shelves(story, shelves))
    lost = sum(len(each.lost) for each in shelves) / len(placed)
    return story.moment("works", parts, 0.3 + 0.2 * bool(banned) + 0.5 * lost)


def _shelves(story: Story, shelves: Sequence[Fates]) -> "Picture":
    """Return a picture of the fates of the works."""
    names = ("stayed", "paid", "lost", *(["lying"] if any(each.lying for each in shelves) else []))
    labels = [story.tell(f"works.row.{name}") for name in names]
    numbers = [[sum(len(getattr(each, name)) for each in shelves) for name in names]]
    return story.bars(labels, [story.tell("works.key")], numbers, story.tell("works.caption"))
