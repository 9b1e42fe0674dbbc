"""How Wizard looks on the table: observation -> scene."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.wizard.rules.cards import NOTHING, RANK, SUIT, SUITS, is_jester, is_wizard
from coursekit.games.wizard.rules.game import MY_CARD, NEXT_ROUND, REBIDS, Wizard
from coursekit.games.wizard.rules.state import SEALED, Observation, is_hawk_eye
from coursekit.games.wizard.table.trick_remarks import (
    find_remarks,
    remark_on_finished,
    remark_on_running,
)
from coursekit.kit.scene import (
    Choice,
    Face,
    Highlight,
    Look,
    Piece,
    Place,
    Scene,
    Spot,
    Tone,
    Zone,
    choice,
    seat_place,
)
from coursekit.words.texts import format_signed

SUIT_TONES: tuple[Tone, ...] = ("blue", "green", "red", "yellow")
ART = ("human", "elf", "dwarf", "giant")
UNREAD = {NOTHING: "–", SEALED: "?"}
"""How a bid is shown that is not made yet, or may not be seen."""


def face(card: int, look: Look) -> Face:
    """Return the face of *card*."""
    if is_wizard(card):
        return {"art": "wizard", "corner": "Z", "name": look.say("face.wizard"), "tone": "violet"}
    if is_jester(card):
        return {"art": "jester", "corner": "N", "name": look.say("face.jester"), "tone": "grey"}
    suit = SUIT[card]
    return {
        "art": ART[suit],
        "corner": str(RANK[card]),
        "name": look.say(f"suit.{suit}"),
        "tone": SUIT_TONES[suit],
    }


def piece(card: int, look: Look, **more: Any) -> Piece:
    """Return *card* as a piece; *more* are further fields of a piece."""
    thing = _card(card, look.public).copy()
    thing.update(more)  # type: ignore[typeddict-item]
    return thing


@lru_cache(512)
def _card(card: int, look: Look) -> Piece:
    return {"id": f"card-{card}", "face": face(card, look), "label": look.word("card", card)}


def in_order(hand: Iterable[int], trump: int) -> list[int]:
    """Return a hand as people hold it: Wizards, trumps, other suits, Jesters, from the top."""

    def place(card: int) -> tuple[bool, bool, bool, int, int]:
        suit = SUIT[card]
        return not is_wizard(card), is_jester(card), suit != trump, suit, -RANK[card]

    return sorted(hand, key=place)


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees; *story* is all it may read of the match so far."""
    zones = [_seats(obs, look), _middle(obs, look), _pile(obs, look)]
    zones += _tricks(obs, look) + _choices(obs, look) + _hand(obs, look)
    zones += [*_results(obs, story, look), _pad(obs, story, look)]
    just_taken = bool(obs.takers) and not obs.trick
    lying = 1.0 if obs.trick else 0.7
    shown: Scene = {
        "title": look.say("round", round=obs.round, rounds=obs.rounds),
        "prompt": _prompt(obs, look),
        "turn": bool(obs.legal) or obs.phase == "scored",
        "over": obs.phase == "over",
        "zones": [zone for zone in zones if zone],
        "beat": 2.0 if just_taken else lying,
    }
    moments = _moments(obs, look)
    if moments:
        shown["moments"] = moments
    return shown


def _moments(obs: Observation, look: Look) -> list[Highlight]:
    """Return who has just taken a trick, and at the end of a round whose bids are met."""
    if obs.phase not in ("scored", "over"):
        is_taken = bool(obs.takers) and not obs.trick
        return [{"kind": "taken", "seat": obs.takers[-1]}] if is_taken else []
    met = [seat for seat in range(obs.players) if obs.bids[seat] == obs.won[seat]]
    gain = cast(Wizard, look.game).gain
    moments: list[Highlight] = [
        {"kind": "met", "seat": seat, "gain": gain(obs.bids[seat], obs.won[seat])} for seat in met
    ]
    if len(met) == obs.players:
        moments.append({"kind": "all_met"})
    won: list[Highlight] = [{"kind": "won", "seat": seat} for seat in obs.winners]
    return moments + won


def _prompt(obs: Observation, look: Look) -> str:
    if obs.phase == "over":
        return look.say("over", winners=obs.winners, points=max(obs.points))
    phase = "show" if obs.phase == "play" and is_hawk_eye(obs, look.game.options) else obs.phase
    if obs.phase == "scored" and obs.seat is not None:
        bid, won = obs.bids[obs.seat], obs.won[obs.seat]
        gain = cast(Wizard, look.game).gain(bid, won)
        return look.say("prompt.scored", round=obs.round, bid=bid, won=won, gain=gain)
    if obs.phase == "scored":
        return look.say("prompt.scored_all", round=obs.round)
    if not obs.legal:
        return look.say(f"waiting.{phase}", seats=obs.waiting)
    if phase == "play" and not obs.trick:
        phase = "lead"
    if phase == "bid" and obs.rebids == REBIDS:
        phase = "last_bid"
    return look.say(f"prompt.{phase}", low=obs.legal[0], high=obs.legal[-1], times=obs.rebids)


def _seats(obs: Observation, look: Look) -> Zone:
    open_hands = dict(enumerate(obs.open_hands)) | {
        seen.seat: seen.hand for seen in look.open_hands
    }
    for seen in look.open_hands:  # hawk eye: others see the card, its holder does not
        open_hands |= {seat: cards for seat, cards in enumerate(seen.shown) if cards}
    places = []
    for seat in look.game.seats:
        lying = list(obs.shown[seat]) if obs.shown else []
        if seat != obs.seat and seat in open_hands:
            lying = in_order(open_hands[seat], obs.trump)
        if obs.phase == "over":
            lying = in_order(_played_by(obs, seat), obs.trump)
        places.append(_place(obs, seat, lying, look))
    return {"kind": "seats", "place": "far", "label": look.say("zone.seats"), "places": places}


def _place(obs: Observation, seat: Seat, lying: Sequence[int], look: Look) -> Place:
    bid, won, o = obs.bids[seat], obs.won[seat], look.game.options
    duties = {"dealer": obs.dealer, "leader": obs.leader}
    if obs.phase in ("scored", "over"):  # the taker of the last trick does not lead the next round
        del duties["leader"]
    if o.bid_mode == "hidden" and o.hidden_reveal == "scorer_only":
        duties["scorer"] = obs.scorer
    if obs.phase == "over":
        duties = {}
    badges = [look.say(f"badge.{duty}") for duty, holder in duties.items() if holder == seat]
    place = seat_place(obs, seat, obs.winners, look)
    place["badges"] = badges
    if obs.phase != "over":
        place["backs"] = obs.held[seat] - len(lying)
    place["counts"] = [
        {"label": look.say("count.bid"), "value": UNREAD.get(bid, str(bid))},
        {"label": look.say("count.won"), "value": str(won)},
        {"label": look.say("count.points"), "value": format_signed(str(obs.points[seat]))},
    ]
    place["pieces"] = [piece(card, look) for card in lying]
    if bid >= 0:
        place["tokens"] = {"have": won, "want": bid}
    return place


def _played_by(obs: Observation, seat: Seat) -> list[int]:
    """Return the cards of this round that *seat* has played in finished tricks."""
    return [card for trick in _finished_tricks(obs) for card, holder in trick if holder == seat]


def _finished_tricks(obs: Observation) -> list[list[tuple[int, Seat]]]:
    """Return the finished tricks of this round as (card, seat that played it)."""
    n = obs.players
    leaders = [(obs.dealer + 1) % n, *obs.takers]
    tricks: list[list[tuple[int, Seat]]] = [[] for _ in obs.takers]
    for number, card in enumerate(obs.played):
        trick, place = divmod(number, n)
        tricks[trick].append((card, (leaders[trick] + place) % n))
    return tricks


def _row(trick: Sequence[tuple[int, Seat]], taker: Seat | None, look: Look) -> list[Piece]:
    row = [piece(card, look, caption=look.name(seat), owner=seat) for card, seat in trick]
    for lying, (_, seat) in zip(row, trick):
        if seat == taker:
            lying["mark"] = look.say("mark.taken")
        elif taker is not None:
            lying["faded"] = True
    return row


def _middle(obs: Observation, look: Look) -> Zone:
    trick: list[tuple[int, Seat]] = [
        (card, (obs.leader + place) % obs.players) for place, card in enumerate(obs.trick)
    ]
    taker = None
    game = cast(Wizard, look.game)
    remark = remark_on_running(obs.trick, game)
    if not trick and obs.takers:  # the trick just finished stays until the next card is led
        trick = _finished_tricks(obs)[-1]
        taker = obs.takers[-1]
        remark = remark_on_finished([card for card, _ in trick], obs.trump)
    led = game.led(obs.trick)
    note = ""
    if remark:
        note = look.say(remark.text, **remark.values)
    elif led != NOTHING:
        note = look.say("note.led", suit=led)
    laying = obs.waiting if obs.phase == "play" and taker is None else ()
    spots: list[Spot] = [
        {"seat": seat, "name": look.name(seat), "you": seat == obs.seat, "turn": seat in laying}
        for seat in look.game.seats
    ]
    return {
        "kind": "row",
        "place": "middle",
        "label": look.say("zone.trick"),
        "note": note,
        "slots": spots if obs.phase != "over" else [],
        "pieces": _row(trick, taker, look),
    }


def _pile(obs: Observation, look: Look) -> Zone:
    top = None if obs.turned == NOTHING else piece(obs.turned, look)
    if obs.phase == "trump":
        note = look.say("note.trump_open")
    elif obs.trump == NOTHING:
        note = look.say("note.no_trump")
    else:
        note = look.say("note.trump", suit=obs.trump)
    return {
        "kind": "pile",
        "place": "middle",
        "label": look.say("zone.trump"),
        "count": obs.undealt,
        "top": top,
        "note": note,
    }


def _tricks(obs: Observation, look: Look) -> list[Zone]:
    shown = look.game.options.trick_history
    done = list(zip(_finished_tricks(obs), obs.takers, strict=True))
    if not obs.trick:
        done = done[:-1]  # still lying in the middle
    if shown == "none" or not done or obs.phase in ("scored", "over"):
        return []
    done = done if shown == "full" else done[-1:]
    label = look.say(f"zone.tricks.{shown}")
    rows = [_row(trick, taker, look) for trick, taker in done]
    return [{"kind": "tricks", "place": "side", "label": label, "folded": True, "tricks": rows}]


def _choices(obs: Observation, look: Look) -> list[Zone]:
    choices: list[Choice] = []
    if obs.phase == "scored":
        choices = [choice(look.say("action.next_round"), NEXT_ROUND, seat=TABLE, primary=True)]
    elif obs.legal == (MY_CARD,):
        choices = [choice(look.say("action.my_card"), MY_CARD, primary=True)]
    elif obs.legal and obs.phase == "trump":
        for suit in SUITS:
            shown: Face = {"art": ART[suit], "tone": SUIT_TONES[suit]}
            choices.append(choice(look.say(f"suit.{suit}"), suit, face=shown))
    elif obs.legal and obs.phase in ("bid", "size"):
        for number in range(obs.size + 1) if obs.phase == "bid" else obs.legal:
            label = look.say(f"action.{obs.phase}", value=number)
            choices.append(choice(label, number, number in obs.legal))
    if not choices:
        return []
    label = look.say(f"zone.choices.{obs.phase}")
    return [{"kind": "choices", "place": "near", "label": label, "choices": choices}]


def _hand(obs: Observation, look: Look) -> list[Zone]:
    if obs.seat is None or obs.phase in ("scored", "over", "size"):
        return []
    cards = in_order(obs.hand, obs.trump)
    if obs.phase == "play" and obs.legal:
        pieces = [piece(card, look, action=card, legal=card in obs.legal) for card in cards]
    else:
        pieces = [piece(card, look) for card in cards]
    for number in range(obs.held[obs.seat] - len(cards)):
        label = look.say("card.unseen")
        pieces.append({"id": f"unseen-{number}", "face": {"back": True}, "label": label})
    return [{"kind": "hand", "place": "near", "label": look.say("zone.hand"), "pieces": pieces}]


def _results(obs: Observation, story: Sequence[Event], look: Look) -> list[Zone]:
    """Return what each player predicted, won and got in the round that has just been scored."""
    if obs.phase not in ("scored", "over"):
        return []
    scores = [event.values for event in story if event.text.startswith("score.")]
    results = []
    for score in scores[-obs.players :]:
        seat, bid, won = score["seat"], score["bid"], score["won"]
        points = [f"{score['gain']:+}", str(score["total"])]
        values = [str(bid), str(won), *map(format_signed, points)]
        row = {"seat": seat, "name": look.name(seat), "you": seat == obs.seat}
        results.append({**row, "values": values, "good": bid == won})
    columns = [look.say(f"count.{part}") for part in ("bid", "won", "gain", "points")]
    label = look.say("zone.results", round=obs.round)
    return [
        {"kind": "results", "place": "near", "label": label, "columns": columns, "results": results}
    ]


def _pad(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    scores = [event.values for event in story if event.text.startswith("score.")]
    rows = []
    for start in range(0, len(scores), obs.players):
        cells = [_cell(score) for score in scores[start : start + obs.players]]
        rows.append({"head": str(start // obs.players + 1), "cells": cells})
    if obs.phase in ("bid", "play") and any(bid != NOTHING for bid in obs.bids):
        bids = [[UNREAD.get(bid, str(bid)), "", ""] for bid in obs.bids]
        cells = [{"parts": bid, "tone": "plain"} for bid in bids]
        rows.append({"head": str(obs.round), "cells": cells})
    parts = [look.say(f"count.{part}") for part in ("bid", "won", "points")]
    return {
        "kind": "pad",
        "place": "side",
        "label": look.say("zone.pad"),
        "parts": parts,
        "rows": rows,
        "columns": [look.name(seat) for seat in look.game.seats],
    }


def _cell(score: Mapping[str, Any]) -> dict[str, Any]:
    bid, won = score["bid"], score["won"]
    parts = [str(bid), str(won), format_signed(str(score["total"]))]
    return {"parts": parts, "tone": "green" if bid == won else "red"}


def log(story: Sequence[Event], look: Look, since: int = 0) -> list[str | None]:
    """Return *story* from event *since* on in words, with what is special about a trick."""
    lines: list[str | None] = []
    game = cast(Wizard, look.game)
    for event, remark in zip(story[since:], find_remarks(story, game, since), strict=True):
        line = look.tell(event)
        if remark:
            line = look.say("log.remark", line=line, remark=look.say(remark.text, **remark.values))
        lines.append(line)
    return lines


def forgets(story: Sequence[Event], game: Wizard) -> list[int]:
    """Return the events of tricks that lie further back than ``trick_history`` says."""
    back = {"full": len(story), "last_only": 2, "none": 1}[game.options.trick_history]
    numbers: list[int] = []
    ends = 0  # trick ends met so far, walking backwards
    for number in range(len(story) - 1, -1, -1):
        ends += story[number].text == "trick"
        if ends >= back and story[number].text in ("play", "trick"):
            numbers.append(number)
    return numbers
