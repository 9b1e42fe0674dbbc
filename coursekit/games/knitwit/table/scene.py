"""The scene of Knit Wit: observation -> zones; the scoring is in :mod:`.scoring_scene`."""

from collections.abc import Sequence
from typing import Any

from coursekit.core.game import TABLE, Event, Seat
from coursekit.games.knitwit.rules.free_input import FULL
from coursekit.games.knitwit.rules.game import SAYINGS
from coursekit.games.knitwit.rules.options import COMMITS
from coursekit.games.knitwit.rules.placement import is_full
from coursekit.games.knitwit.rules.state import (
    NO_TAG,
    NOBODY,
    Observation,
    loops_around,
    table_action,
)
from coursekit.games.knitwit.table.design_zone import venn
from coursekit.games.knitwit.table.pieces import (
    button_face,
    make_choice,
    rules_of,
    sharing,
    together,
    words_of,
)
from coursekit.games.knitwit.table.scoring_scene import (
    SCORING,
    case_notice,
    open_answer,
    slips,
    stake,
    tally,
)
from coursekit.games.knitwit.table.zone_types import AnswerPad, Line
from coursekit.kit.scene import Choice, Face, Highlight, Look, Piece, Place, Scene, Zone

GO = 45
"""Seconds with the pad for each of several people at one screen."""
CLOSING = 2
"""Seconds from the last vote to the close."""
KNITTING = ("loop", "spool", "ready")
ONE_DECIDES = (*KNITTING, "judge")
RARE = 2
"""Loops around a spool for which one answer alone is a find."""
TURNED_UP = ("reveal", "answer", "blank", "clash", "doubt", "score.button", "total")
"""Events that may follow the points for a number at once."""
SLOW = {"tag": 2.0, "reveal": 2.0, "clash": 2.0, "challenge": 2.0, "stop": 1.5}
"""Beats to look at an event; other events take one."""


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees; *story* is all it may read of the match so far."""
    acting = sharing(obs, look)
    zones: list[Zone] = [_seats(obs, look), venn(obs, look, _lit(obs))]
    zones += _tag(obs, look)
    zones += _answer_pad(obs, look)
    zones += _buttons(obs, look)
    zones += slips(obs, story, acting, look)
    zones += case_notice(obs, look)
    zones += _choices(obs, acting, look)
    zones += tally(obs, look)
    recent = [SLOW.get(event.text, 1.0) for event in story[-2:]]
    title = "round_title" if look.game.options.rounds > 1 else "title"
    shown: Scene = {
        "title": look.say(title, round=obs.round),
        "prompt": _prompt(obs, acting, look),
        "turn": bool(acting) or obs.waiting == (TABLE,) or obs.phase == "reveal",
        "over": obs.phase == "over",
        "zones": zones,
        "beat": max(recent, default=1.0),
    }
    if moments := _moments(obs, story, look):
        shown["moments"] = moments
    return shown


def _moments(obs: Observation, story: Sequence[Event], look: Look) -> list[Highlight]:
    """Return who alone has an answer that counts, where several loops meet, and who has won."""
    if obs.phase == "over":
        return [{"kind": "won", "seat": seat} for seat in obs.won]
    for event in reversed(story):
        if event.text not in TURNED_UP:
            break
    else:
        return []
    if event.text != "score.line" or len(event.values["seats"]) > 1:
        return []
    loops = len(obs.words(event.values["number"]))
    if loops < RARE:
        return []
    gain = rules_of(look).worth(loops)
    return [{"kind": "unique", "seat": event.values["seats"][0], "gain": gain}]


def _prompt(obs: Observation, acting: Sequence[Seat], look: Look) -> str:
    """Return in one sentence what to do, or what the table waits for."""
    if obs.phase == "over":
        return look.say("over", winners=obs.won, points=max(obs.points))
    waiting = [seat for seat in obs.waiting if seat != TABLE]
    if obs.phase in ONE_DECIDES:
        return _prompt_of_one(obs, acting, look)
    values: dict[str, Any] = {"seats": waiting, "round": obs.round, "extra": obs.extra}
    if obs.phase == "write" and not acting:
        return look.say("waiting.write" if obs.seat is None else "waiting.locked", **values)
    if obs.phase == "vote" and not acting:
        text = "prompt.voted" if obs.waiting == (TABLE,) else "waiting.vote"
        return look.say(text, seats=waiting)
    wanted = _wanted(obs)
    if obs.phase == "reveal" and waiting and obs.seat is not None and obs.seat not in waiting:
        return look.say("waiting.reveal")  # others may challenge
    about = obs.case or (obs.doubts[0] if obs.doubts else ())
    if wanted in ("doubt", "vote_same"):
        at_stake = stake(obs, about)
        if at_stake["struck"]:
            about_it = wanted.removesuffix("_same")
            if at_stake["seats"] == [obs.seat]:
                return look.say(f"prompt.{about_it}_stake_own", **at_stake)
            return look.say(f"prompt.{about_it}_stake", **at_stake)
    values |= _case_values(obs)
    if obs.seat in about and wanted in ("defend", "doubt", "vote", "vote_same"):
        others = [seat for seat in about if seat != obs.seat]
        return look.say(f"prompt.{wanted}_own", **values | {"seats": others})
    return look.say(f"prompt.{wanted}", **values | {"seats": about})


def _prompt_of_one(obs: Observation, acting: Sequence[Seat], look: Look) -> str:
    """Return the prompt where one seat alone decides."""
    (seat,) = obs.waiting
    if seat not in acting:
        return look.say(f"waiting.{obs.phase}", seat=seat)
    wanted = "loop_full" if _is_full(obs, look) else _wanted(obs)
    if wanted == "spool" and look.game.options.region_rule == "loops":
        wanted = "spool_loops"
    words = look.say(f"prompt.{wanted}", seats=[seat], round=obs.round, **_case_values(obs))
    return words if seat == obs.seat else look.say("prompt.by", seat=seat, words=words)


def _case_values(obs: Observation) -> dict[str, Any]:
    """Return the values of texts about the answers that are discussed."""
    if not obs.case:
        return {}
    return {"seat": obs.case[0], "answer": open_answer(obs, obs.case[0])}


def _wanted(obs: Observation) -> str:
    """Return the last part of the id of the prompt."""
    if obs.phase == "loop":
        return "loop_first" if not obs.loops else "loop"
    if obs.phase == "write":
        return "one_more" if obs.extra >= 0 else "write"
    if obs.phase == "vote":
        return "vote" if obs.challenger != NOBODY else "vote_same"
    if obs.phase == "reveal":
        action = table_action(obs)
        is_settled = obs.waiting == (TABLE,)
        if action == "vote":
            return "doubt"
        if action == "compare":
            return "compare_only" if is_settled else "compare"
        if not obs.shown:
            return "first"
        return "settled" if is_settled else "reveal"
    return obs.phase


# The players


def _seats(obs: Observation, look: Look) -> Zone:
    places = [_place(obs, seat, look) for seat in look.game.seats]
    return {
        "kind": "seats",
        "place": "far",
        "label": look.say("zone.seats"),
        "places": places,
        "together": True,
    }


def _place(obs: Observation, seat: Seat, look: Look) -> Place:
    counts = [{"label": look.say("count.points"), "value": str(obs.points[seat])}]
    if obs.hands[seat]:
        numbers = look.say("list_of_numbers", numbers=list(map(str, obs.hands[seat])))
        counts.append({"label": look.say("count.spools"), "value": numbers})
    if obs.taken[seat]:
        counts.append({"label": look.say("count.button"), "value": str(obs.taken[seat])})
    return {
        "seat": seat,
        "name": look.name(seat),
        "by": look.by[seat] if look.by else "",
        "you": seat == obs.seat,
        "turn": _deciding(obs, seat),
        "winner": seat in obs.won,
        "badges": _badges(obs, seat, look),
        "counts": counts,
        "backs": 0,
        "pieces": [],
    }


def _deciding(obs: Observation, seat: Seat) -> bool:
    """Return whether it is the turn of *seat* alone.

    Writing, votes and challenges are for all at once.
    """
    return seat in obs.waiting and obs.phase in ONE_DECIDES


def _badges(obs: Observation, seat: Seat, look: Look) -> list[str]:
    badges = {
        "starter": seat == obs.starter and obs.phase in KNITTING,
        "writing": obs.phase == "write" and not obs.locked[seat],
        "pencil_down": obs.phase == "write" and bool(obs.locked[seat]),
        "challenger": seat == obs.challenger,
        "voted": bool(obs.voted[seat]),
    }
    return [look.say(f"badge.{name}") for name, holds in badges.items() if holds]


# The tag just drawn


def _lit(obs: Observation) -> tuple[int, ...]:
    """Return the number that is being scored."""
    return (obs.number,) if obs.phase in SCORING and obs.shown else ()


def _tag(obs: Observation, look: Look) -> list[Zone]:
    """Return the tag just drawn, large: it was unknown while the loop was laid."""
    if obs.phase != "spool" or obs.tags[-1] == NO_TAG:
        return []
    tag = obs.tags[-1]
    loop = len(obs.tags) - 1
    word = rules_of(look).pack.tags[tag].word(look.language)
    face: Face = {"print": {"form": "note", "head": look.word("loop", loop), "title": word}}
    label = look.say("tag", loop=loop, tag=tag)
    piece: Piece = {"id": f"tag-{obs.round}-{loop}", "label": label, "face": face}
    return [{"kind": "row", "place": "near", "label": look.say("zone.tag"), "pieces": [piece]}]


# Writing


def _answer_pad(obs: Observation, look: Look) -> list[AnswerPad]:
    """Return the answer pad of the seat that looks."""
    if obs.phase != "write" or obs.seat is None:
        return []
    return [
        {
            "kind": "answer-pad",
            "place": "near",
            "label": look.say("zone.answer_pad"),
            "seat": obs.seat,
            "go": GO,
            "lines": [_line(obs, obs.seat, number, look) for number in obs.numbers],
            "key": f"round-{obs.round}",
            "longest": rules_of(look).options.answer_length,
            "once": obs.extra >= 0,
        }
    ]


def _line(obs: Observation, seat: Seat, number: int, look: Look) -> Line:
    loops = loops_around(obs, number)
    words = words_of(obs.words(number), look)
    points = rules_of(look).worth(len(loops))
    text = obs.sheet[number - 1]
    left = COMMITS - obs.writes[number - 1]
    return {
        "number": number,
        "words": words,
        "loops": list(loops),
        "points": points,
        "text": text,
        "left": left,
        "closed": bool(obs.locked[seat]) or not left or (obs.extra >= 0 and text != ""),
        "label": look.say("line_label", number=number, words=together(words), points=points),
    }


def _buttons(obs: Observation, look: Look) -> list[Zone]:
    """Return the stack of bonus buttons.  Taking the top one ends a player's writing."""
    if obs.phase not in ("ready", "write") or not obs.buttons:
        return []
    *under, top = obs.buttons
    piece: Piece = {
        "id": f"button-{top}",
        "face": button_face(top),
        "label": look.say("button_label", holes=top),
    }
    caption = look.say("zone.buttons")
    if obs.phase == "write" and obs.seat is not None and obs.seat in obs.waiting:
        if look.wait_for:
            caption = look.say("wait_for", seats=look.wait_for)
        else:
            piece.update({"action": "stop", "seat": obs.seat, "legal": True})
            caption = look.say("take_button", holes=top)
    holes = look.say("list_of_numbers", numbers=list(map(str, reversed(obs.buttons))))
    zone: Zone = {
        "kind": "pile",
        "place": "near",
        "label": look.say("zone.buttons"),
        "count": len(under),
        "top": piece,
        "caption": caption,
        "note": look.say("buttons_left", count=len(obs.buttons), holes=holes),
    }
    if under:
        zone["back"] = button_face(under[-1])
    return [zone]


# Decisions that are not made on a piece


def _choices(obs: Observation, acting: Sequence[Seat], look: Look) -> list[Zone]:
    choices: list[Choice] = []
    is_shared = len(acting) > 1
    for seat in acting:
        for action in _sayings(obs, look):
            label = _label(obs, action, look)
            if seat != obs.seat or is_shared:
                label = look.say("action.by", seat=seat, words=label)
            choice = make_choice(label, action, seat, action == "go")
            if obs.phase == "vote" and is_shared:
                choice["of"] = look.name(seat)
                choice["short"] = look.say(f"short.{_meaning(obs, action)}")
            choices.append(choice)
    if TABLE in obs.waiting:
        choices.append(_table_choice(obs, look))
    if not choices:
        return []
    label = look.say("zone.choices")
    return [{"kind": "choices", "place": "near", "label": label, "choices": choices}]


def _is_full(obs: Observation, look: Look) -> bool:
    """Return whether no loop can be laid any more."""
    return obs.phase == "loop" and is_full(rules_of(look).design(obs))


def _sayings(obs: Observation, look: Look) -> tuple[Any, ...]:
    """Return the words that may be said now."""
    if obs.phase == "write":
        return () if obs.buttons else ("stop",)  # else the stack of buttons is clicked
    return (FULL,) if _is_full(obs, look) else SAYINGS.get(obs.phase, ())


def _label(obs: Observation, action: str, look: Look) -> str:
    """Return the label of *action*, with the answers at stake if others of the case are struck."""
    meaning = _meaning(obs, action)
    if meaning in ("different", "same"):
        at_stake = stake(obs, obs.case)
        if at_stake["struck"]:
            return look.say(f"action.{meaning}_stake", **at_stake)
    return look.say(f"action.{meaning}")


def _meaning(obs: Observation, action: str) -> str:
    """Return what *action* means: in a doubt "yes" says that the answers are different."""
    if obs.phase == "vote" and obs.challenger == NOBODY:
        return "different" if action == "yes" else "same"
    return action


def _table_choice(obs: Observation, look: Look) -> Choice:
    """Return the choice of the table.  Some choices come by themselves after a time."""
    action = table_action(obs)
    game = rules_of(look)
    label = action
    if action == "vote":
        label = f"vote.{obs.phase}"
    elif action == "next":
        label = f"next.{_following(obs)}"
    choice = make_choice(look.say(f"action.{label}"), action, TABLE)
    key = f"{action}-{obs.round}-{obs.number}-{'-'.join(map(str, obs.case))}"
    if action == "time":
        choice["after"] = game.seconds(obs)
        choice["key"] = key if obs.buttons else f"{key}-more"
        choice["held"] = True
    elif obs.phase == "defend" and game.options.explain_seconds:
        choice["after"] = game.options.explain_seconds
        choice["key"] = key
    elif action == "close":
        choice["primary"] = obs.waiting == (TABLE,)
        if choice["primary"]:
            choice["after"] = CLOSING
            choice["key"] = key
    return choice


def _following(obs: Observation) -> str:
    """Return what comes after the open answers."""
    if obs.phase == "total":
        return "round"
    if not obs.shown:
        return "first"
    return "end" if obs.shown == len(obs.numbers) else "number"
