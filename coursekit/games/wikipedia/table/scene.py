"""How 維基百科 vs 書籍 looks on the table: observation -> scene, laid out like its boards."""

from collections.abc import Iterable, Sequence
from typing import Any

from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    GIVE_UP,
    KINDS,
    LEAVE,
    NEXT,
    REFILL,
    REVISE,
    ROLES,
    ROLL,
    SCHOLAR,
    USE,
    VANDAL,
    WIKI,
    WORKS,
)
from coursekit.games.wikipedia.rules.legal_actions import must_play
from coursekit.games.wikipedia.rules.options import FACES
from coursekit.games.wikipedia.rules.state import NOBODY, Observation
from coursekit.games.wikipedia.table.card_descriptions import rules_of
from coursekit.kit.scene import (
    Choice,
    Face,
    Highlight,
    Look,
    Piece,
    Place,
    Scene,
    Square,
    Tone,
    Zone,
    choice,
    seat_place,
)
from coursekit.words.texts import join_sentences

TONES: dict[str, Tone] = {
    WIKI: "blue",
    BOOK: "yellow",
    USE: "violet",
    VANDAL: "red",
    REVISE: "green",
    **dict.fromkeys(ROLES, "grey"),
}
TEAM_TONES: tuple[Tone, ...] = ("blue", "red", "green", "yellow")
IN_HAND = (WIKI, BOOK, USE, VANDAL, REVISE)
MOST_PIPS = 12
ROLE_BACK: Face = {"back": True, "art": "back-role"}


def piece(card: str, piece_id: str, look: Look, **more: Any) -> Piece:
    """Return *card* as a piece that tells its page; *more* are further fields."""
    face: Face = {"art": card, "name": look.say(f"face.{card}"), "tone": TONES[card]}
    if card in KINDS:
        face["corner"] = look.say(f"corner.{card}")
    label = look.word("card" if card in KINDS else "role", card)
    thing: Piece = {"id": piece_id, "face": face, "label": label}
    thing.update({"about": card} | more)  # type: ignore[typeddict-item]
    return thing


def in_order(hand: Iterable[str]) -> list[str]:
    """Return a hand as people hold it: works first, then what is done with them."""
    return sorted(hand, key=IN_HAND.index)


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees, *story* being all it may read of the match so far."""
    scored = _find_scoring(obs, story)
    slow = obs.phase in ("repair", "result") or scored
    zones = [
        _seats(obs, look),
        *_middle(obs, scored, look),
        *_choices(obs, look),
        *_hand(obs, look),
    ]
    shown: Scene = {
        "title": look.say("lap", round=obs.round, lap=obs.turns // obs.players + 1),
        "prompt": look.tell(story[-1]) if obs.phase == "over" else _prompt(obs, look),
        "turn": bool(obs.legal) or obs.phase == "result",
        "over": obs.phase == "over",
        "zones": [*zones, *_pad(story, look)],
        "beat": 1.5 if slow else 1.0,
    }
    moments = _moments(obs, look)
    if moments:
        shown["moments"] = moments
    return shown


def _moments(obs: Observation, look: Look) -> list[Highlight]:
    """Return a use that was right, a book that is written and holds, and who has won."""
    if obs.phase == "over":
        return [{"kind": "won", "seat": seat} for seat in obs.won]
    if obs.phase != "result" or _outcome(obs, look) == "left":
        return []
    used: list[Highlight] = [{"kind": "taken", "seat": obs.user, "gain": 1}]
    written: list[Highlight] = [{"kind": "written", "piece": "work"}] if obs.work == BOOK else []
    return used + written


def _outcome(obs: Observation, look: Look) -> str:
    """Return how a use ended: "mended", "right" or "left"."""
    if obs.repaired:
        return "mended"
    return "right" if obs.die > rules_of(look).wrong[obs.work] else "left"


def _prompt(obs: Observation, look: Look) -> str:
    game = rules_of(look)
    phase = obs.phase
    if phase == "cure" and obs.user == obs.turn:
        phase = "blocked"
    about = {
        "die": obs.die,
        "work": obs.work,
        "seat": obs.user,
        "seats": obs.waiting,
        "have": obs.hand.count(REVISE),
    }
    if obs.work:
        about |= {"wrong": game.wrong[obs.work], "need": game.repair[obs.work]}
    if phase == "result":
        return look.say(f"prompt.result.{_outcome(obs, look)}", **about)
    if not obs.legal:
        return look.say(f"waiting.{phase}", **about)
    if phase == "roll":
        sure = {0: "prompt.roll_right", FACES: "prompt.roll_wrong"}
        sentences = [look.say(sure.get(game.wrong[obs.work], "prompt.roll"), **about)]
        if any(action in DISCARD.values() for action in obs.legal):
            sentences.append(look.say("prompt.or_wait", **about))
        return join_sentences(sentences, look.language)
    if phase == "drop":
        return look.say("prompt.drop", **about)
    return _may_or_must(obs, phase, about, look)


def _may_or_must(obs: Observation, phase: str, about: dict[str, Any], look: Look) -> str:
    """Return what can be done with the hand; a forced action says why."""
    cards = [kind for kind in in_order(KINDS) if kind in obs.legal]
    if phase == "repair":
        forced = LEAVE not in obs.legal
    else:
        forced = not set(cards).isdisjoint(must_play(obs, look.game.options))
        about |= {"cards": cards}
    how = "must" if forced else "may"
    if not cards:
        how = "none"
    if how == "must" and phase in ("cure", "blocked"):
        # A student is forced only by ``strict_discard``
        phase = "cure" if obs.role == SCHOLAR else "move"
    return look.say(f"prompt.{phase}.{how}", **about)


def _find_scoring(obs: Observation, story: Sequence[Event]) -> list[Event]:
    """Return what the last scoring gave, until something is done in the new round."""
    if obs.phase != "write":
        return []
    scoring: list[Event] = []
    for event in reversed(story):
        if event.text.startswith(("score.", "guard.")):
            scoring.append(event)
        elif event.text.partition(".")[0] not in ("round", "roles", "reshuffle", "refill", "draw"):
            break
    return scoring[::-1]


def _seats(obs: Observation, look: Look) -> Zone:
    note = ""
    if obs.players > 2 and not obs.open_hands:
        note = look.say("note.talk" if look.game.options.table_talk else "note.silent")
    places = [_place(obs, seat, look) for seat in look.game.seats]
    return {
        "kind": "seats",
        "place": "far",
        "label": look.say("zone.seats"),
        "note": note,
        "places": places,
    }


def _place(obs: Observation, seat: Seat, look: Look) -> Place:
    open_hands = dict(enumerate(obs.open_hands)) | {
        seen.seat: seen.hand for seen in look.open_hands
    }
    lying = in_order(open_hands.get(seat, ())) if seat != obs.seat else []
    goal, points, sides = look.game.options.points_to_win, obs.points[seat], rules_of(look).sides
    partner = obs.seat not in (None, seat) and (seat - obs.me) % sides == 0
    badges = {"partner": partner, "starter": seat == obs.starter and obs.phase != "over"}
    place = seat_place(obs, seat, obs.won, look)
    place["badges"] = [look.say(f"badge.{name}") for name, holds in badges.items() if holds]
    place["counts"] = [{"label": look.say("count.points"), "value": str(points)}]
    place["sign"] = piece(obs.roles[seat], f"role-{obs.round}-{seat}", look)
    place["backs"] = obs.held[seat] - len(lying)
    for at, kind in enumerate(lying):
        card = piece(kind, f"open-{seat}-{at}", look)
        del card["about"]  # too small to be touched
        place["pieces"].append(card)
    if obs.players > 2:
        side = seat % sides
        team = look.say(f"team.{side}")
        points = sum(obs.points[side::sides])
        place["team"] = {"label": team, "tone": TEAM_TONES[side]}
        label = look.say("count.team", team=team)
        place["counts"].append({"label": label, "value": f"{points}/{goal}"})
    role = look.say(f"role.{obs.roles[seat]}")
    place["counts"].append({"label": look.say("count.role"), "value": role})
    if goal <= MOST_PIPS:
        place["tokens"] = {"have": min(points, goal), "want": goal}
    return place


def _challenged(obs: Observation, look: Look) -> list[Square]:
    """Return what the round is about: the work, its use, the vandalism, and whose each is."""
    lying = {
        "work": (obs.work, obs.author),
        "use": (USE, obs.user),
        "vandal": (VANDAL, obs.vandal),
    }
    squares: list[Square] = []
    for name, (card, seat) in lying.items():
        if seat == NOBODY:
            squares.append({"label": look.say(f"square.{name}"), "piece": None})
            continue
        whose = look.say(f"square.{name}_of", seat=seat, role=obs.roles[seat])
        squares.append({"label": whose, "piece": piece(card, name, look, owner=seat)})
    return squares


def _middle(obs: Observation, scored: Sequence[Event], look: Look) -> list[Zone]:
    counts = {
        "deck": obs.deck,
        "discards": obs.discards,
        "roles": obs.role_deck,
        "away": len(obs.role_discards),
    }
    piles: dict[str, Zone] = {}
    for name, count in counts.items():
        words = look.say(f"pile.{name}")
        piles[name] = {
            "kind": "pile",
            "place": "middle",
            "label": words,
            "caption": words,
            "count": count,
            "top": None,
        }
    piles["discards"]["takes"] = True
    piles["roles"]["back"] = piles["away"]["back"] = ROLE_BACK
    challenge: Zone = {
        "kind": "squares",
        "place": "middle",
        "label": look.say("zone.challenge"),
        "note": " ".join(map(look.tell, scored)),
        "squares": _challenged(obs, look),
    }
    words = look.say("die.thrown", die=obs.die) if obs.die else look.say("die.ready")
    die: Zone = {
        "kind": "dice",
        "place": "middle",
        "label": look.say("zone.die"),
        "dice": [{"value": obs.die, "label": words}],
    }
    return [piles["deck"], piles["discards"], challenge, die, piles["roles"], piles["away"]]


def _choice(obs: Observation, action: str, label: str, **more: Any) -> Choice:
    return choice(label, action, action in obs.legal, **more)


def _choices(obs: Observation, look: Look) -> list[Zone]:
    choices: list[Choice] = []
    if obs.phase == "result":
        choices = [choice(look.say("action.next"), NEXT, seat=TABLE, primary=True)]
    elif obs.legal and obs.phase == "roll":
        choices = [_choice(obs, ROLL, look.say("action.roll"), primary=True, die=0)]
    elif obs.legal and obs.phase == "repair":
        only = obs.legal == (LEAVE,)
        leave = _choice(obs, LEAVE, look.say("action.leave"), primary=only)
        choices = [_revise(obs, look), leave]
    elif obs.legal and obs.phase == "cure" and obs.user == obs.seat:
        if REVISE in obs.legal:
            choices.append(_choice(obs, REVISE, look.say("action.revise"), primary=True))
        only = obs.legal == (GIVE_UP,)
        choices.append(_choice(obs, GIVE_UP, look.say("action.give_up"), primary=only))
    if REFILL in obs.legal:
        choices.append(_choice(obs, REFILL, look.say("action.refill")))
    if not choices:
        return []
    label = look.say("zone.choices")
    return [{"kind": "choices", "place": "near", "label": label, "choices": choices}]


def _revise(obs: Observation, look: Look) -> Choice:
    need = rules_of(look).repair[obs.work]
    return _choice(obs, REVISE, look.say("action.repair", cards=need), primary=True)


def _hand(obs: Observation, look: Look) -> list[Zone]:
    if obs.seat is None:
        return []
    seen = dict.fromkeys(KINDS, 0)
    pieces: list[Piece] = []
    for kind in in_order(obs.hand):
        seen[kind] += 1
        pieces.append(piece(kind, f"{kind}-{seen[kind]}", look))
        if obs.legal:
            pieces[-1]["choices"] = _things_to_do(kind, obs, look)
    return [{"kind": "hand", "place": "near", "label": look.say("zone.hand"), "pieces": pieces}]


def _things_to_do(kind: str, obs: Observation, look: Look) -> list[Choice]:
    play = _choice(obs, kind, look.say(f"action.{kind}"), primary=True)
    if obs.phase == "repair" and kind == REVISE:
        play = _revise(obs, look)
    if DISCARD[kind] not in obs.legal:  # a card must be played: nothing is offered beside it
        return [play]
    only = obs.phase == "drop"
    return [play, _choice(obs, DISCARD[kind], look.say("action.discard"), primary=only)]


def _pad(story: Sequence[Event], look: Look) -> list[Zone]:
    """Return the finished rounds: what was used, by whom, and how it went."""
    rows: list[dict[str, Any]] = []
    now: dict[str, Any] = {}
    for event in story:
        if event.text == "round":
            now = {}
        elif event.text in WORKS:
            now = {"work": look.say(f"face.{event.text}")}
        elif event.text == "roll":
            now |= {"user": look.name(event.values["seat"]), "die": str(event.values["die"])}
        elif event.text in ("right", "left", "guard.round"):
            now["how"] = event.text
        elif event.text == "repair":
            now["how"] = "mended"
        if event.text in ("score.user", "score.nothing", "guard.round"):
            how = str(now["how"]).removeprefix("guard.")
            words = [now.get(part, "–") for part in ("work", "user", "die")]
            cells = [{"parts": [word], "tone": "plain"} for word in words]
            tone = "green" if how in ("right", "mended") else "red"
            cells.append({"parts": [look.say(f"how.{how}")], "tone": tone})
            rows.append({"head": str(len(rows) + 1), "cells": cells})
    if not rows:
        return []
    return [
        {
            "kind": "pad",
            "place": "side",
            "label": look.say("zone.pad"),
            "folded": True,
            "rows": rows,
            "columns": [look.say(f"pad.{part}") for part in ("work", "user", "die", "how")],
        }
    ]
