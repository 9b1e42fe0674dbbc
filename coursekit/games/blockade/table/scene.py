"""The scene of 文壇封鎖中: what a seat sees; ``board.py`` has the board."""

from collections.abc import Sequence
from typing import Any

from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.blockade.rules.card_codes import CENSORS, LIFTING, PENS, ROLES
from coursekit.games.blockade.rules.state import HIDDEN, Action, O, Observation, X
from coursekit.games.blockade.table.board import HEADLINES, first_events, track
from coursekit.games.blockade.table.card_descriptions import handbook
from coursekit.games.blockade.table.pieces import (
    TONES,
    book_piece,
    card_piece,
    in_order,
    rules_of,
    tell,
)
from coursekit.kit.scene import Choice, Highlight, Look, Piece, Place, Scene, Shelf, Zone
from coursekit.words.texts import join_sentences

__all__ = ["handbook", "log", "scene"]

IN_HAND = {
    "opening": ("play", "discard"),
    "main": ("play", "discard"),
    "fresh": ("discard",),
    "place": ("play",),
    "pay": ("pay",),
    "trim": ("discard",),
    "pass_left": ("left",),
}
"""By phase, the words that are offered on a hand card."""
BUTTONS = ("pay", "lose", "strike", "under", "rival")
"""Decisions about pieces elsewhere on the table; they have buttons near the hand as well."""
WORDS = ("roll", "exchange", "refresh", "done", "pass")


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees; *story* is all it may read of the match so far."""
    zones = [_seats(obs, look), track(obs, story, look)]
    zones += [*_private_cards(obs, look), *_choices(obs, look), *_hand(obs, look), *_pad(obs, look)]
    thrown = bool(story) and story[-1].text in ("launch_fails", "defended", "throw")
    slow = (
        thrown
        or obs.phase in ("launch", "defend")
        or any(event.text in HEADLINES for event in story[-2:])
    )
    lap = min(obs.lap, look.game.options.laps_limit)
    now: Scene = {
        "title": look.say("lap_title", era=obs.era, lap=lap),
        "prompt": _prompt(obs, look),
        "turn": bool(obs.legal) or obs.waiting == (TABLE,),
        "over": obs.phase == "over",
        "zones": zones,
        "beat": 1.5 if slow else 1.0,
        "sober": True,
    }
    if obs.phase == "era":
        now["beat"] = 2.0
    if moments := _moments(obs, story, look):
        now["moments"] = moments
    return now


def _moments(obs: Observation, story: Sequence[Event], look: Look) -> list[Highlight]:
    """Return what is felt: a book that stays readable, the end of martial law, a victory."""
    if obs.phase == "over":
        return [{"kind": "won", "seat": seat} for seat in obs.won]
    if story and story[-1].text == "defended" and obs.roles[story[-1].values["seat"]] in PENS:
        return [{"kind": "lifted", "piece": f"book-{story[-1].values['book']}"}]
    lifted = any(event == Event("happens", {"event": LIFTING}) for event in story[-3:])
    pens = [seat for seat in look.game.seats if obs.roles[seat] in PENS]
    return [{"kind": "lifted", "seat": seat} for seat in pens] if lifted else []


def _prompt(obs: Observation, look: Look) -> str:
    if obs.phase == "over":
        return look.say("over", winners=obs.won, points=max(obs.points))
    if obs.waiting == (TABLE,):
        return look.say(f"prompt.{obs.phase}", era=obs.era, events=first_events(obs.era, look))
    o, words = look.game.options, obs.words
    attacker = o.defence_o == "attacker"
    values: dict[str, Any] = {
        "seats": obs.waiting,
        "era": obs.era,
        "price": o.price,
        "which": rules_of(look).which,
        "o": O,
        "x": X,
        "need": O if attacker else X,
        "safe": X if attacker else O,
    }
    names = {
        "launch": ("seat", "book"),
        "defend": ("seat", "book"),
        "rival": ("name",),
        "inspect": ("seat",),
        "pay": ("count",),
        "place": ("count",),
    }
    values |= zip(names.get(obs.phase, ()), words)
    if not obs.legal:
        return look.say(f"waiting.{obs.phase}", **values)
    sentences = [look.say(_prompt_id(obs, look), **values)]
    if obs.phase == "main" and len(obs.legal) > 1:
        may_play = not {"play", "exchange"}.isdisjoint(map(_verb, obs.legal))
        if o.stale_cards == "discard_action" and may_play:
            sentences.append(look.say("prompt.or_change"))
        if "pass" in obs.legal:
            sentences.append(look.say("prompt.or_pass"))
    return join_sentences(sentences, look.language)


def _verb(action: Action) -> str:
    return action[0] if isinstance(action, tuple) else action


def _prompt_id(obs: Observation, look: Look) -> str:
    """Return the id of the prompt."""
    phase = obs.phase
    if phase in ("opening", "main"):
        return f"prompt.{phase}.{_way_to_play(obs, look)}"
    if phase == "strike":
        pen = obs.role in PENS
        camp = "pens" if pen else "censors"
        sure = obs.sure or (obs.outspoken and pen)
        return f"prompt.strike.{camp}.{'sure' if sure else 'throw'}"
    if phase == "place":
        return "prompt.place.any" if obs.words[1] else "prompt.place.era"
    return f"prompt.throw.{obs.words[0]}" if phase == "throw" else f"prompt.{phase}"


def _way_to_play(obs: Observation, look: Look) -> str:
    """Return what can be done in phase 1."""
    verbs, game = [_verb(action) for action in obs.legal], rules_of(look)
    if "exchange" in verbs:
        return "exchange"
    if "play" in verbs:
        if obs.phase == "opening" and game.which == "so_far" and obs.era > 1:
            return "play_so_far"
        writers = obs.phase == "main" and game.options.function_set == "none"
        return "place" if writers else "play"
    if "done" in verbs:
        return "fresh"
    return "discard" if "discard" in verbs else "pass"


def _seats(obs: Observation, look: Look) -> Zone:
    places = [_place(obs, seat, look) for seat in look.game.seats]
    return {"kind": "seats", "place": "far", "label": look.say("zone.seats"), "places": places}


def _place(obs: Observation, seat: Seat, look: Look) -> Place:
    role = obs.roles[seat]
    name, label = ROLES[role], look.word("role", role)
    sign: Piece = {
        "id": f"role-{seat}",
        "face": {"art": f"role-{name}", "name": label, "tone": TONES[role]},
        "label": label,
        "about": f"role-{name}",
    }
    hands = dict(enumerate(obs.open_hands))
    hands |= {other.seat: other.hand for other in look.open_hands if other.phase != "over"}
    lying = hands.get(seat, ()) if seat != obs.seat else ()
    return {
        "seat": seat,
        "name": look.name(seat),
        "by": look.by[seat] if look.by else "",
        "you": seat == obs.seat,
        "turn": seat in obs.waiting,
        "winner": seat in obs.won,
        "sign": sign,
        "team": {"label": label, "tone": TONES[role]},
        "badges": _badges(obs, seat, look),
        "counts": [
            {"label": look.say("count.points"), "value": str(obs.points[seat])},
            {"label": look.say("count.place"), "value": _where(obs, seat, look)},
        ],
        "shelves": _shelves(obs, seat, lying, look),
        "backs": obs.held[seat] - len(lying),
        "pieces": [],
    }


def _where(obs: Observation, seat: Seat, look: Look) -> str:
    left = obs.distance[seat]
    if not left:
        return look.say("where.end")
    return look.say("where.left", year=rules_of(look).year(obs.era, obs.positions[seat]), left=left)


def _badges(obs: Observation, seat: Seat, look: Look) -> list[str]:
    censor = obs.roles[seat] in CENSORS
    badges = {
        "covered": obs.covered[seat],
        "skip": obs.skip[seat],
        "spare": obs.spares[seat],
        "sure": obs.sure and seat == obs.turn,
        "lifted": obs.lifted and censor,
        "outspoken": obs.outspoken and not censor,
    }
    return [look.say(f"badge.{name}") for name, holds in badges.items() if holds]


def _shelves(obs: Observation, seat: Seat, hand: Sequence[int], look: Look) -> list[Shelf]:
    """Return the cards in front of a player: writers, books, function cards, an open *hand*."""
    writers = [card_piece(card, obs, look, owner=seat) for card in obs.tables[seat]]
    books = [book_piece(book, look, owner=seat) for book in obs.books[seat]]
    if obs.legal:
        for piece, card in zip(writers, obs.tables[seat], strict=True):
            _offer(piece, [("pay", card), ("lose", card)], obs, look)
        for piece, book in zip(books, obs.books[seat], strict=True):
            _offer(piece, [("strike", book), ("under", book)], obs, look)
    spares = [card_piece(card, obs, look, owner=seat) for card in obs.spares[seat]]
    opened = [card_piece(card, obs, look) for card in hand]
    shelves = {"writers": writers, "books": books, "spares": spares, "hand": opened}
    return [
        {"label": look.say(f"shelf.{name}"), "pieces": pieces}
        for name, pieces in shelves.items()
        if pieces
    ]


def _offer(piece: Piece, actions: Sequence[Action], obs: Observation, look: Look) -> None:
    """Offer the *actions* on the sheet of *piece*."""
    choices = [
        _choice(action, obs, look, primary=True) for action in actions if action in obs.legal
    ]
    if choices:
        piece["choices"] = choices


def _choice(action: Action, obs: Observation, look: Look, **more: Any) -> Choice:
    """Return *action* as a button; JSON knows no tuples."""
    word, thing = action if isinstance(action, tuple) else (action, 0)
    values = {"era": obs.era, "price": look.game.options.price, "count": _stale(obs, look)}
    values |= {"card": thing, "book": thing, "seat": thing}
    if word == "rival":
        values["role"] = obs.roles[thing]
    elif word == "strike":
        owners = [seat for seat, books in enumerate(obs.books) if thing in books]
        values["role"] = obs.roles[owners[0]]
    choice: Choice = {
        "label": look.say(_action_text(word, action, obs, look), **values),
        "action": list(action) if isinstance(action, tuple) else action,
        "legal": action in obs.legal,
    }
    choice.update(more)  # type: ignore[typeddict-item]
    return choice


def _action_text(word: str, action: Action, obs: Observation, look: Look) -> str:
    """Return the id of the text that names *action*."""
    if word == "play":
        return "action.read" if rules_of(look).cards.functions[int(action[1])] else "action.place"
    if word == "discard":
        return "action.change" if obs.fresh and obs.phase != "trim" else "action.discard"
    if word == "strike":
        return f"action.strike.{ROLES[obs.role]}"
    return f"action.{word}.{obs.phase}" if word in ("done", "pass") else f"action.{word}"


def _stale(obs: Observation, look: Look) -> int:
    functions, usable = rules_of(look).cards.functions, rules_of(look).usable[obs.era]
    return sum(not functions[card] and card not in usable for card in obs.hand)


def _choices(obs: Observation, look: Look) -> list[Zone]:
    choices: list[Choice] = []
    if obs.waiting == (TABLE,):
        label = look.say(f"action.next.{obs.phase}")
        choices.append(
            {"label": label, "action": "next", "legal": True, "seat": TABLE, "primary": True}
        )
    for action in obs.legal:
        word = _verb(action)
        if word in BUTTONS:
            choices.append(_choice(action, obs, look))
        elif word == "roll":
            choices.append(_choice(action, obs, look, die="0", primary=True))
        elif word in WORDS:
            choices.append(_choice(action, obs, look, primary=len(obs.legal) == 1))
    return _zone("choices", "near", look.say("zone.choices"), choices=choices)


def _zone(kind: str, place: str, label: str, **things: Sequence[Any]) -> list[Zone]:
    """Return a zone with *things*, no zone if there are none."""
    zone: Any = {"kind": kind, "place": place, "label": label, **things}
    return [zone] if any(things.values()) else []


def _private_cards(obs: Observation, look: Look) -> list[Zone]:
    """Return the cards that only this seat sees, to choose one of."""
    pieces: list[Piece] = []
    if obs.phase == "peek":
        pieces = [book_piece(book, look) for book in _things(obs)]
    elif obs.phase == "inspect":
        pieces = [card_piece(card, obs, look) for card in _things(obs)]
    for piece, action in zip(pieces, obs.legal):
        _offer(piece, [action], obs, look)
    label = look.say(f"zone.{obs.phase}") if pieces else ""
    return _zone("row", "near", label, pieces=pieces)


def _things(obs: Observation) -> list[int]:
    """Return the cards to choose from."""
    return [action[1] for action in obs.legal if isinstance(action, tuple)]


def _hand(obs: Observation, look: Look) -> list[Zone]:
    if obs.seat is None or obs.phase == "over":
        return []
    pieces = []
    chosen = obs.steps[-1][2 + obs.seat] if obs.phase == "pass_left" else HIDDEN
    for card in in_order(obs.hand, obs, look):
        piece = card_piece(card, obs, look)
        if card == chosen:
            piece["mark"] = look.say("mark.left")
        if obs.legal and (choices := _things_to_do(card, obs, look)):
            piece["choices"] = choices
        pieces.append(piece)
    return [{"kind": "hand", "place": "near", "label": look.say("zone.hand"), "pieces": pieces}]


def _things_to_do(card: int, obs: Observation, look: Look) -> list[Choice]:
    """Return the choices on a hand card, also illegal ones whose refusal teaches the rule."""
    choices = []
    for verb in IN_HAND.get(obs.phase, ()):
        action = (verb, card)
        if action in obs.legal or verb == "play":
            primary = verb != "discard" or obs.phase == "trim"
            choices.append(_choice(action, obs, look, primary=primary))
    return choices


def _pad(obs: Observation, look: Look) -> list[Zone]:
    """Return the points of the finished eras."""
    if not obs.by_era:
        return []
    heads = [look.word("era", era) for era in look.game.options.eras]
    lines = [*zip(heads, obs.by_era), (look.say("pad.sum"), obs.points)]
    rows = [
        {"head": head, "cells": [{"parts": [str(points)]} for points in line]}
        for head, line in lines
    ]
    return [
        {
            "kind": "pad",
            "place": "side",
            "label": look.say("zone.pad"),
            "folded": obs.phase != "era",
            "rows": rows,
            "columns": [look.name(seat) for seat in look.game.seats],
        }
    ]


def log(story: Sequence[Event], look: Look, since: int = 0) -> list[str | None]:
    """Return *story* from event *since* on in words."""
    lines: list[str | None] = []
    era = 1
    for number, event in enumerate(story):
        if event.text == "era_begins":
            era = event.values["era"]
        if number >= since:
            lines.append(tell(event, era, look))
    return lines
