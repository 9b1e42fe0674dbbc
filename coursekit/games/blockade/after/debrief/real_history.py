"""Moments that put the game beside history: the events of the track, and the works."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from coursekit.games.blockade.after.debrief.story import Story
from coursekit.games.blockade.after.figures import timeline
from coursekit.games.blockade.after.history import EVENT, Works
from coursekit.games.blockade.rules.card_files import event_note
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, share_word

if TYPE_CHECKING:
    from coursekit.figures import Picture


SHOWN = 2
"""Most works that are told with their sources; more would not fit on a screen."""


@dataclass
class Effect:
    """What an event did in all matches."""

    matches: int = 0  # in which it happened
    spaces: Counter[int] = field(default_factory=Counter)  # by role, below 0 for back
    cards: int = 0  # that it took
    books: int = 0  # book cards that it gave

    @property
    def weight(self) -> int:
        """The size of its effect, 0 for none."""
        return sum(map(abs, self.spaces.values())) + self.cards


def largest_event(story: Story) -> Moment | None:
    """The event with the largest effect in the game, beside its history; the others are counted."""
    effects = {
        event: _effect(story, event)
        for event in sorted({happening.event for era in story.eras for happening in era.happenings})
    }
    if not effects:
        return None
    event = max(effects, key=lambda event: effects[event].weight)
    most, others = effects[event], [effects[other] for other in effects if other != event]
    values = {"did": _tell_effect(story, most)}
    if story.one:
        sentences = [story.tell("happened.one", **values)]
    elif most.matches == len(story.matches):
        sentences = [story.tell("happened.every", **values, matches=most.matches)]
    else:
        some, matches = most.matches, len(story.matches)
        sentences = [story.tell("happened.some", **values, some=some, matches=matches)]
    if others:
        more = sum(effect.weight + effect.books > 0 for effect in others)
        times = share_word(more, len(others))
        counts = {"more": more, "rest": len(others) - more} if times == "some" else {}
        sentences.append(story.tell(f"happened.others.{times}", others=len(others), **counts))
    parts = story.history(event_note(event), "summary")
    parts.append(story.together(*sentences))
    parts.append(story.tell("happened.design"))
    if story.one:
        number = next(era.number for era in story.eras if era.has(event))
        parts.append(timeline(story.matches[0], story.language, number))
    else:
        parts.append(_plot_events(story, effects))
    weight = sum(effect.weight for effect in effects.values())
    return story.moment("happened", parts, 0.4 + min(0.35, weight / len(story.matches) / 100))


def _effect(story: Story, event: int) -> Effect:
    """Return what *event* did in all matches."""
    effect = Effect()
    for history in story.histories:
        effect.matches += any(era.has(event) for era in history.eras)
    for era, move in story.moves():
        if (move.cause.kind, move.cause.thing) == (EVENT, event):
            effect.spaces[era.roles[move.seat]] += move.end - move.start
    for era in story.eras:
        effect.cards += sum(loss.cause[:2] == (EVENT, event) for loss in era.losses)
        effect.books += sum(gain.cause[:2] == (EVENT, event) for gain in era.gains)
    return effect


def _tell_effect(story: Story, effect: Effect) -> str:
    """Return in words what an event did."""
    words = []
    for role, far in sorted(effect.spaces.items()):
        if far:
            text = "happened.moved" if far > 0 else "happened.moved_back"
            words.append(story.tell(text, role=role, spaces=abs(far)))
    if effect.cards:
        words.append(story.tell("happened.lost", cards=effect.cards))
    if effect.books:
        words.append(story.tell("happened.books", books=effect.books))
    return story.listed(words) or story.tell("happened.nothing")


def _plot_events(story: Story, effects: dict[int, Effect]) -> "Picture":
    """Return a picture of the number of matches in which each event happened."""
    labels = [story.tell("happened.row", event=event, year=event) for event in effects]
    numbers = [effect.matches for effect in effects.values()]
    caption = story.tell("happened.caption", matches=len(story.matches))
    return story.bars(labels, [story.tell("happened.key")], [numbers], caption)


def works(story: Story) -> Moment | None:
    """The works that came to the table, and those still there when their era ended."""
    works = _add_works(story)
    if len(works.placed) < FEW:
        return None
    fates = []
    for name in ("stayed", "paid", "lost"):
        if mean := story.mean(len(getattr(works, name))):
            fates.append(story.tell(f"works.fate.{name}", works=mean))
    placed = story.mean(len(works.placed))
    sentences = [story.tell("works.all" if story.one else "works.mean", placed=placed)]
    if fates:
        sentences.append(story.tell("works.fates", fates=story.listed(fates)))
    if works.lying:
        sentences.append(story.tell("works.lying", lying=len(works.lying)))
    parts: Parts = [story.together(*sentences)]
    writers, stayed = story.cards.writers, Counter(sorted(works.stayed))
    known = [card for card in stayed if writers[card].source and writers[card].verified]
    for card in sorted(known, key=lambda card: -stayed[card])[:SHOWN]:
        parts += [story.tell("works.each", card=card), story.source(writers[card].source)]
    if works.banned:
        parts.append(story.tell("works.banned", books=sorted({*works.banned})))
    parts.append(_plot_fates(story, works))
    lost = len(works.lost) / len(works.placed)
    return story.moment("works", parts, 0.3 + 0.2 * bool(works.banned) + 0.5 * lost)


def _add_works(story: Story) -> Works:
    """Return the fates of the works in all matches together."""
    total = Works()
    for history in story.histories:
        for name, cards in vars(history.works).items():
            getattr(total, name).extend(cards)
    return total


def _plot_fates(story: Story, works: Works) -> "Picture":
    """Return a picture of the fates of the works."""
    names = ["stayed", "paid", "lost"]
    if works.lying:
        names.append("lying")
    labels = [story.tell(f"works.row.{name}") for name in names]
    numbers = [len(getattr(works, name)) for name in names]
    return story.bars(labels, [story.tell("works.key")], [numbers], story.tell("works.caption"))
