"""How 文壇封鎖中 looks on the table: observation -> scene. The board is in ``board.py``, pages are in
``pages.py``.
"""

from collections.abc import Sequence
from typing import Any

from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.blockade.rules.card_codes import CENSORS, LIFTING, PENS, ROLES, is_own_design
from coursekit.games.blockade.rules.state import HIDDEN, Action, O, Observation, X
from coursekit.games.blockade.table.board import HEADLINES, first_events, texts_of, track
from coursekit.games.blockade.table.card_pages import handbook
from coursekit.games.blockade.table.pieces import TONES, book_piece, card_piece, in_order, rules_of
from coursekit.kit.scene import Choice, Look, Moment, Piece, Place, Scene, Shelf, Zone
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
    zones += [*_seen(obs, look), *_choices(obs, look), *_hand(obs, look), *_pad(obs, look)]
    thrown = bool(story) and story[-1].text in ("launch_fails", "defended", "throw")
    slow = (
        thrown
        or obs.phase in ("launch", "defend")
        or any(event.text in HEADLINES for event in story[-2:])
    )
    found: Scene = {
        "title": look.say("lap_title", era=obs.era, lap=min(obs.lap, look.game.options.laps_limit)),
        "prompt": _prompt(obs, look),
        "turn": bool(obs.legal) or obs.waiting == (TABLE,),
        "over": obs.phase == "over",
        "zones": zones,
        "beat": 2.0 if obs.phase == "era" else 1.5 if slow else 1.0,
        "sober": True,
    }
    if moments := _moments(obs, story, look):
        found["moments"] = moments
    return found


def _moments(obs: Observation, story: Sequence[Event], look: Look) -> list[Moment]:
    """Return a book that stays readable, the end of martial law for those who write, and who has
    most points.
    """
    if obs.phase == "over":
        return [{"kind": "won", "seat": seat} for seat in obs.won]
    if story and story[-1].text == "defended" and obs.roles[story[-1].values["seat"]] in PENS:
        return [{"kind": "lifted", "piece": f"book-{story[-1].values['book']}"}]
    if any(event.text == "happens" and event.values["event"] == LIFTING for event in story[-3:]):
        return [
            {"kind": "lifted", "seat": seat} for seat in look.game.seats if obs.roles[seat] in PENS
        ]
    return []


def _prompt(obs: Observation, look: Look) -> str:
    if obs.phase == "over":
        return look.say("over", winners=obs.won, points=max(obs.points))
    if obs.waiting == (TABLE,):
        return look.say(f"prompt.{obs.phase}", era=obs.era, events=first_events(obs.era, look))
    options, words = look.game.options, obs.steps[-1][2:]
    values: dict[str, Any] = {
        "seats": obs.waiting,
        "era": obs.era,
        "price": options.price,
        "which": rules_of(look).which,
        "o": O,
        "x": X,
        "need": O if options.defence_o == "attacker" else X,
        "safe": X if options.defence_o == "attacker" else O,
    }
    if obs.phase in ("launch", "defend"):
        values |= {"seat": words[0], "book": words[1]}
    if obs.phase == "rival":
        values["name"] = words[0]
    if obs.phase == "inspect":
        values["seat"] = words[0]
    if obs.phase in ("pay", "place"):
        values["count"] = words[0]
    if not obs.legal:
        return look.say(f"waiting.{obs.phase}", **values)
    wanted = [look.say(_wanted(obs, look), **values)]
    if obs.phase == "main" and len(obs.legal) > 1:
        may_play = any(_verb(action) in ("play", "exchange") for action in obs.legal)
        may_change = options.stale_cards == "discard_action" and may_play
        may = {"prompt.or_change": may_change, "prompt.or_pass": "pass" in obs.legal}
        wanted += [look.say(text) for text, holds in may.items() if holds]
    return join_sentences(wanted, look.language)


def _verb(action: Action) -> str:
    return action[0] if isinstance(action, tuple) else action


def _wanted(obs: Observation, look: Look) -> str:
    """Return the id of the prompt."""
    verbs, game = {action[0] for action in obs.legal if isinstance(action, tuple)}, rules_of(look)
    if obs.phase in ("opening", "main"):
        if "exchange" in obs.legal:
            return f"prompt.{obs.phase}.exchange"
        how = (
            "play"
            if "play" in verbs
            else "fresh"
            if "done" in obs.legal
            else "discard"
            if verbs
            else "pass"
        )
        if how == "play" and obs.phase == "opening" and game.which == "so_far" and obs.era > 1:
            return "prompt.opening.play_so_far"
        if how == "play" and obs.phase == "main" and game.options.function_set == "none":
            return "prompt.main.place"
        return f"prompt.{obs.phase}.{how}"
    if obs.phase == "strike":
        pen = obs.role in PENS
        camp, how = (
            "pens" if pen else "censors",
            "sure" if obs.sure or (obs.outspoken and pen) else "throw",
        )
        return f"prompt.strike.{camp}.{how}"
    if obs.phase == "place":
        return "prompt.place.any" if obs.steps[-1][3] else "prompt.place.era"
    return f"prompt.throw.{obs.steps[-1][2]}" if obs.phase == "throw" else f"prompt.{obs.phase}"


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
    open_hands = dict(enumerate(obs.open_hands)) | {
        each.seat: each.hand for each in look.open_hands if each.phase != "over"
    }
    lying = open_hands.get(seat, ()) if seat != obs.seat else ()
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
    """Return the cards in front of a player: writers, books, open function cards, and the *hand* if
    it is open.
    """
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
    if choices := [
        _choice(action, obs, look, primary=True) for action in actions if action in obs.legal
    ]:
        piece["choices"] = choices


def _choice(action: Action, obs: Observation, look: Look, **more: Any) -> Choice:
    """Return *action* as a button; JSON knows no tuples."""
    word, values = (
        action,
        {"era": obs.era, "price": look.game.options.price, "count": _stale(obs, look)},
    )
    if isinstance(action, tuple):
        word, thing = action
        values |= {"card": thing, "book": thing, "seat": thing}
        if word == "rival":
            values["role"] = obs.roles[thing]
        elif word == "strike":
            values["role"] = next(
                role for role, books in zip(obs.roles, obs.books, strict=True) if thing in books
            )
    found: Choice = {
        "label": look.say(_wording(str(word), action, obs, look), **values),
        "action": list(action) if isinstance(action, tuple) else action,
        "legal": action in obs.legal,
    }
    found.update(more)  # type: ignore[typeddict-item]
    return found


def _wording(word: str, action: Action, obs: Observation, look: Look) -> str:
    """Return the id of the text that names *action*."""
    if word == "play":
        return "action.read" if rules_of(look).cards.functions[int(action[1])] else "action.place"
    if word == "discard":
        return "action.change" if obs.fresh and obs.phase != "trim" else "action.discard"
    if word == "strike":
        return f"action.strike.{ROLES[obs.role]}"
    return f"action.{word}.{obs.phase}" if word in ("done", "pass") else f"action.{word}"


def _stale(obs: Observation, look: Look) -> int:
    game = rules_of(look)
    return sum(
        not game.cards.functions[card] and card not in game.usable[obs.era] for card in obs.hand
    )


def _choices(obs: Observation, look: Look) -> list[Zone]:
    choices: list[Choice] = []
    if obs.waiting == (TABLE,):
        label = look.say(f"action.next.{obs.phase}")
        choices = [
            {"label": label, "action": "next", "legal": True, "seat": TABLE, "primary": True}
        ]
    for action in obs.legal:
        word = action[0] if isinstance(action, tuple) else action
        if word in BUTTONS:
            choices.append(_choice(action, obs, look))
        elif word in WORDS:
            more = (
                {"die": "0", "primary": True}
                if word == "roll"
                else {"primary": len(obs.legal) == 1}
            )
            choices.append(_choice(action, obs, look, **more))
    if not choices:
        return []
    return [
        {"kind": "choices", "place": "near", "label": look.say("zone.choices"), "choices": choices}
    ]


def _seen(obs: Observation, look: Look) -> list[Zone]:
    """Return the cards that only this seat sees, to choose one of."""
    pieces: list[Piece] = []
    if obs.phase == "peek":
        pieces = [book_piece(book, look) for book in _things(obs)]
    elif obs.phase == "inspect":
        pieces = [card_piece(card, obs, look) for card in _things(obs)]
    if not pieces:
        return []
    for piece, action in zip(pieces, obs.legal, strict=True):
        _offer(piece, [action], obs, look)
    return [
        {"kind": "row", "place": "near", "label": look.say(f"zone.{obs.phase}"), "pieces": pieces}
    ]


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
    found = []
    for verb in IN_HAND.get(obs.phase, ()):
        action = (verb, card)
        if action in obs.legal or verb == "play":
            found.append(
                _choice(action, obs, look, primary=verb != "discard" or obs.phase == "trim")
            )
    return found


def _pad(obs: Observation, look: Look) -> list[Zone]:
    """Return the points of the finished eras."""
    if not obs.by_era:
        return []
    rows = []
    for era, gained in zip(look.game.options.eras, obs.by_era, strict=False):
        rows.append(
            {
                "head": look.word("era", era),
                "cells": [{"parts": [str(points)]} for points in gained],
            }
        )
    rows.append(
        {"head": look.say("pad.sum"), "cells": [{"parts": [str(points)]} for points in obs.points]}
    )
    columns = [look.name(seat) for seat in look.game.seats]
    return [
        {
            "kind": "pad",
            "place": "side",
            "label": look.say("zone.pad"),
            "folded": obs.phase != "era",
            "rows": rows,
            "columns": columns,
        }
    ]


def log(story: Sequence[Event], look: Look, since: int = 0) -> list[str | None]:
    """Return *story* from event *since* on in words, with a mark where it quotes the kit's own
    design.
    """
    return [
        look.tell(event)
        + (look.say("own_mark") if any(map(is_own_design, texts_of(event, look))) else "")
        for event in story[since:]
    ]
