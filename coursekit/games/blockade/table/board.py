"""The board of 文壇封鎖中: the year track, and within it the piles, the die and the news."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.state import NOTHING, Observation, X
from coursekit.games.blockade.table.pieces import (
    card_piece,
    event_piece,
    marker,
    rules_of,
    tell,
)
from coursekit.kit.scene import Die, Look, Side, Space, Zone

HEADLINES = ("read", "happens", "exchange", "strike", "era_ends")
"""Deeds and events that all see until the next of them."""
SMALL = ("place", "discard", "pass")
"""Headlines, too, unless the seat of the present headline did them."""
LINES = 4  # most lines about what followed, besides the result
THROWN_BEFORE = ("read", "exchange", "place", "era_begins")
"""Events that make earlier throws irrelevant."""


def track(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    """Return the board."""
    sides = [_side_now(obs, look) if era == obs.era else _side(era, look) for era in ERAS]
    markers = _marker_places(obs, look)
    for seat, (side, space) in markers.items():
        at = sides[side]["corner"] if space < 0 else sides[side]["spaces"][space]
        at["markers"].append(marker(seat, obs, look))
    zones = [*_piles(obs, look), _dice(obs, story, look), _notice(obs, story, look)]
    return {
        "kind": "track",
        "place": "middle",
        "label": look.say("zone.track"),
        "sides": sides,
        "zones": zones,
    }


def _marker_places(obs: Observation, look: Look) -> dict[Seat, tuple[int, int]]:
    """Return by seat the side and space of its marker; space -1 is the corner behind the side."""
    side, places = obs.era - 1, {}
    for seat, position in enumerate(obs.positions):
        space = position - look.game.options.start_in_buffer
        if space < 0:
            places[seat] = ((side - 1) % len(ERAS), -1)
        else:
            places[seat] = (side, space if space < len(ERAS[obs.era]) else -1)
    return places


def _side_now(obs: Observation, look: Look) -> Side:
    """Return the side of the era that is being played."""
    game, side = rules_of(look), _side(obs.era, look)
    printed, done = events_by_year(look), {event for event, _ in obs.fired}
    goal, years = game.year(obs.era, game.goal(obs.era)), ERAS[obs.era]
    spaces = list[Space]()
    for year, space in zip(years, side["spaces"], strict=True):
        happened = any(event in done for event in printed.get(year, ()))
        state: Literal["done", "goal", ""] = "done" if happened else "goal" if year == goal else ""
        spaces.append(space | {"markers": [], "state": state})
    side["spaces"], side["now"] = spaces, True
    if goal > years[-1]:
        side["corner"] |= {"label": look.say("corner_end"), "state": "goal"}
    return side


def _side(era: int, look: Look) -> Side:
    """Return the side of an *era* that is not played; at most its corner gets markers."""
    side = _print_side(era, look.public).copy()
    side["corner"] = side["corner"] | {"markers": []}
    return side


@lru_cache(64)
def _print_side(era: int, look: Look) -> Side:
    """Return the side of *era* as it is printed."""
    printed = events_by_year(look)
    spaces: list[Space] = [
        {
            "label": str(year),
            "short": str(year)[2:],
            "pieces": [event_piece(event, look) for event in printed.get(year, ())],
            "markers": [],
            "state": "",
        }
        for year in ERAS[era]
    ]
    label = look.word("era", era % len(ERAS) + 1)
    corner: Space = {"label": label, "short": "", "pieces": [], "markers": [], "state": ""}
    return {"label": look.word("era", era), "spaces": spaces, "corner": corner, "now": False}


def events_by_year(look: Look) -> dict[int, list[int]]:
    """Return the events on the space of each year; without effects they are still history."""
    return rules_of(look).events_at or {note.year: [note.year] for note in card_files.events()}


def first_events(era: int, look: Look) -> list[int]:
    """Return the events on the first space of *era*."""
    return events_by_year(look).get(ERAS[era][0], [])


def _piles(obs: Observation, look: Look) -> list[Zone]:
    top = card_piece(obs.discards[-1], obs, look) if obs.discards else None
    deck: Zone = {"kind": "pile", "place": "middle", "count": obs.deck, "top": None}
    away: Zone = {"kind": "pile", "place": "middle", "count": 0, "top": top, "takes": True}
    books: Zone = {"kind": "pile", "place": "middle", "count": obs.book_deck, "top": None}
    books["back"] = {"back": True, "art": "back-book"}
    piles = {"deck": deck, "discards": away, "books": books}
    for name, zone in piles.items():
        zone["label"] = zone["caption"] = look.say(f"pile.{name}")
    return list(piles.values())


def _throws(obs: Observation, story: Sequence[Event]) -> list[tuple[Seat, str]]:
    """Return the throws (seat, face) of this decision or the last; "0" for a throw to come."""
    done: list[tuple[Seat, str]] = []
    for event in reversed(story):
        if event.text == "throw":
            done.insert(0, (event.values["seat"], event.values["die"]))
        elif event.text.startswith("strike."):
            if done == [(event.values["seat"], X)]:  # it ended before the target could throw
                done.append((event.values["target"], "0"))
            break
        elif event.text in THROWN_BEFORE or (
            event.text == "happens" and (done or obs.phase == "throw")
        ):
            break
    if obs.phase == "launch":
        return [(obs.steps[-1][1], "0"), (obs.steps[-1][2], "0")]
    return done + [(step[1], "0") for step in reversed(obs.steps) if step[0] in ("defend", "throw")]


def _dice(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    dice: list[Die] = [
        {
            "value": value,
            "caption": look.word("role", obs.roles[seat]),
            "label": look.say("die.waits" if value == "0" else "die.thrown", seat=seat, die=value),
        }
        for seat, value in _throws(obs, story)
    ]
    rest: list[Die] = [{"value": "0", "label": look.say("die.rest")}]
    return {"kind": "dice", "place": "middle", "label": look.say("zone.die"), "dice": dice or rest}


def _notice(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    """Return the news: the last event or card read aloud, its result, and what led to it."""
    if obs.phase == "over":
        return _closing(story, look)
    head, lines = _headline(story)
    zone: Zone = {
        "kind": "notice",
        "place": "middle",
        "label": look.say("zone.notice"),
        "piece": None,
    }
    if head is None:
        zone |= {"title": look.say("notice.start", era=obs.era), "text": _moves(look)}
        if obs.phase == "begin":
            zone["piece"] = event_piece(first_events(obs.era, look)[0], look, "notice")
        return zone
    public = [event for event in lines if event.is_for(None)]
    result = next((event for event in reversed(public) if event.text not in SMALL), None)
    if head.text.startswith("era_ends"):  # everybody has a line of points
        result = None
    if result:
        zone["result"] = tell(result, obs.era, look)
    followed = [tell(event, obs.era, look) for event in public if event is not result][-LINES:]
    if head.text == "read":
        card = head.values["card"]
        zone["piece"] = card_piece(card, obs, look, id="notice")
        zone |= {
            "title": look.say("notice.read", **head.values),
            "text": [*followed, look.word("reading", card)],
        }
    elif head.text == "happens":
        event = head.values["event"]
        zone["piece"] = event_piece(event, look, "notice")
        title = look.say("notice.happens", event=event, year=event)
        zone |= {"title": title, "text": [*followed, look.word("effect", event)]}
    else:
        zone |= {"title": tell(head, obs.era, look), "text": followed}
    return zone


def _headline(story: Sequence[Event]) -> tuple[Event | None, list[Event]]:
    """Return the last deed of this era that all should see, and what followed."""
    head: Event | None = None
    followed: list[Event] = []
    start = max([number for number, event in enumerate(story) if _is_big(event)], default=0)
    for event in story[start:]:
        seat = head.values.get("seat", NOTHING) if head else None
        small = event.text in SMALL and event.values["seat"] != seat
        if event.text == "era_begins":
            head, followed = None, []
        elif small or _is_big(event):
            head, followed = event, []
        elif event.text not in ("draw", "role_is") and not event.text.startswith("starter"):
            followed.append(event)
    return head, followed


def _is_big(event: Event) -> bool:
    return event.text.partition(".")[0] in HEADLINES


def _moves(look: Look) -> list[str]:
    """Return what moves the markers."""
    steps = {"censors": look.game.options.banned_steps, "pens": look.game.options.periodical_steps}
    return [look.say(f"notice.{camp}", steps=count) for camp, count in steps.items()]


def _closing(story: Sequence[Event], look: Look) -> Zone:
    first, *others = [
        event for event in story if event.text.startswith("closing.") or event.text == "over"
    ]
    return {
        "kind": "notice",
        "place": "middle",
        "label": look.say("zone.notice"),
        "piece": None,
        "title": look.tell(first),
        "text": [look.tell(event) for event in others],
        "note": look.say("notice.history"),
    }
