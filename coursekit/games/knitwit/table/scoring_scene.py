"""The scene of scoring in Knit Wit: answers turned up, the case under discussion, and the tally."""

from collections.abc import Sequence
from typing import Any

from coursekit.core.game import Event, Seat
from coursekit.games.knitwit.rules.scoring import COUNTS
from coursekit.games.knitwit.rules.state import NOBODY, OPEN, REJECTED, STRUCK, UPHELD, Observation
from coursekit.games.knitwit.table.pieces import make_choice, rules_of, together, words_of
from coursekit.kit.scene import Choice, Look, Piece, Zone

BECAME = {OPEN: "open", STRUCK: "struck", REJECTED: "rejected", UPHELD: "upheld"}
SCORING = ("reveal", "defend", "judge", "vote")


def log(story: Sequence[Event], look: Look, since: int = 0) -> list[str | None]:
    """Return *story* from event *since* on in words, a line per event.

    0 seconds to explain stand for no limit.
    """
    lines: list[str | None] = []
    for event in story[since:]:
        untimed = event.text == "defend" and not event.values["seconds"]
        lines.append(look.say("defend_untimed", **event.values) if untimed else look.tell(event))
    return lines


def slips(
    obs: Observation, story: Sequence[Event], acting: Sequence[Seat], look: Look
) -> list[Zone]:
    """Return the answers to the open number, a slip of paper for each player."""
    if obs.phase not in SCORING or not obs.shown:
        return []
    words = words_of(obs.words(obs.number), look)
    points = rules_of(look).worth(len(words))
    note = look.say("slips_note", number=obs.number, words=together(words), points=points)
    if obs.tally and obs.phase == "reveal":
        closed = [event.text for event in story if event.text.startswith("closed.")]
        is_doubt = closed[-1:] in (["closed.same"], ["closed.different"])
        about = "same" if is_doubt else "counts"
        note += look.say(f"last_vote.{about}", yes=obs.tally[0], no=obs.tally[1])
    zone: Zone = {
        "kind": "row",
        "place": "near",
        "label": look.say("zone.slips"),
        "note": note,
        "pieces": [_slip(obs, seat, points, acting, look) for seat in look.game.seats],
    }
    return [zone]


def _slip(obs: Observation, seat: Seat, points: int, acting: Sequence[Seat], look: Look) -> Piece:
    answer = open_answer(obs, seat)
    verdict = obs.verdicts[seat][obs.number - 1]
    became = look.say(f"slip.{BECAME[verdict]}" if answer else "slip.blank", points=points)
    off = not answer or verdict not in COUNTS
    values = {"seat": seat, "answer": answer, "became": became}
    piece: Piece = {
        "id": f"slip-{obs.round}-{obs.number}-{seat}",
        "face": {"print": {"form": "note", "title": answer or "—", "foot": became, "off": off}},
        "label": look.say("slip_label" if answer else "slip_blank", **values),
        "caption": look.name(seat),
    }
    if seat in obs.case:
        piece["mark"] = look.say("mark.case")
    callers = [caller for caller in acting if caller != seat and obs.phase == "reveal"]
    if callers and answer and verdict == OPEN:
        piece["choices"] = [
            _challenge(obs, caller, seat, look) for caller in callers if caller in obs.waiting
        ]
    return piece


def _challenge(obs: Observation, caller: Seat, seat: Seat, look: Look) -> Choice:
    text = "action.challenge" if caller == obs.seat else "action.challenge_by"
    return make_choice(look.say(text, seat=caller), ["challenge", seat], caller)


def open_answer(obs: Observation, seat: Seat) -> str:
    """Return the answer of *seat* to the number that lies open."""
    return obs.answers[seat][obs.number - 1]


def stake(obs: Observation, about: Sequence[Seat]) -> dict[str, Any]:
    """Return what is at stake in a doubt *about* some seats.

    These are the seats whose answers count, these answers, and those struck.
    """
    counts = [seat for seat in about if obs.verdicts[seat][obs.number - 1] in COUNTS]
    answers = dict.fromkeys(open_answer(obs, seat) for seat in counts)
    struck = dict.fromkeys(open_answer(obs, seat) for seat in about if seat not in counts)
    return {"seats": counts, "answers": list(answers), "struck": list(struck)}


def case_notice(obs: Observation, look: Look) -> list[Zone]:
    """Return the notice of the case that is discussed or voted about."""
    if not obs.case:
        return []
    seats = obs.case
    text: list[str] = []
    if obs.challenger != NOBODY:
        answer = open_answer(obs, seats[0])
        title = look.say("challenge", seat=obs.challenger, other=seats[0], answer=answer)
        words = together(words_of(obs.words(obs.number), look))
        text.append(look.say("case_words", words=words))
    else:
        title = look.say("vote_same", seats=seats)
        at_stake = stake(obs, seats)
        for seat in seats:
            name = "slip_answer" if seat in at_stake["seats"] else "slip_answer_struck"
            text.append(look.say(name, seat=seat, answer=open_answer(obs, seat)))
        means = "case_means_stake" if at_stake["struck"] else "case_means"
        text.append(look.say(means, **at_stake))
    zone: Zone = {
        "kind": "notice",
        "place": "near",
        "label": look.say("zone.case"),
        "title": title,
        "text": text,
        "piece": None,
    }
    return [zone]


def tally(obs: Observation, look: Look) -> list[Zone]:
    """Return the tally: the settled numbers, and at the end of a round the buttons and sums."""
    ended = obs.phase in ("total", "over")
    if obs.phase not in SCORING and not ended:
        return []
    settled = obs.numbers[: obs.shown if ended else max(0, obs.shown - 1)]
    sums = _sums(obs, look) if ended else []
    rows = [*(_row(obs, number, look) for number in settled), *sums]
    if not rows:
        return []
    return [
        {
            "kind": "pad",
            "place": "near" if ended else "side",
            "label": look.say("zone.pad"),
            "folded": not ended,
            "rows": rows,
            "sums": len(sums),
            "parts": [look.say("pad.answer"), look.say("pad.points")],
            "columns": [look.name(seat) for seat in look.game.seats],
        }
    ]


def _row(obs: Observation, number: int, look: Look) -> dict[str, Any]:
    words = words_of(obs.words(number), look)
    head = look.say("pad.number", number=number, words=together(words))
    points = rules_of(look).worth(len(words))
    return {
        "head": head,
        "cells": [_cell(obs, seat, number, points, look) for seat in look.game.seats],
    }


def _cell(obs: Observation, seat: Seat, number: int, points: int, look: Look) -> dict[str, Any]:
    """Return the verdict on an answer: its points, or a word why it has none."""
    answer = obs.answers[seat][number - 1]
    verdict = obs.verdicts[seat][number - 1]
    if not answer:
        return {"parts": ["—", ""]}
    if verdict in COUNTS:
        return {"parts": [answer, str(points)], "tone": "green"}
    return {"parts": [answer, look.say(f"pad.{BECAME[verdict]}")], "tone": "red"}


def gained(obs: Observation, seat: Seat, look: Look) -> int:
    """Return the points of *seat* in this round, with its button."""
    verdicts, answers = obs.verdicts[seat], obs.answers[seat]
    counted = [n for n in obs.numbers if answers[n - 1] and verdicts[n - 1] in COUNTS]
    return sum(rules_of(look).worth(len(obs.words(number))) for number in counted) + obs.taken[seat]


def _sums(obs: Observation, look: Look) -> list[dict[str, Any]]:
    seats = look.game.seats
    rows = [_sum(look.say("pad.button"), [points or "" for points in obs.taken])]
    if look.game.options.rounds > 1:
        gains = [gained(obs, seat, look) for seat in seats]
        rows.append(_sum(look.say("pad.round", round=obs.round), gains))
    return [*rows, _sum(look.say("pad.total"), obs.points)]


def _sum(head: str, numbers: Sequence[int | str]) -> dict[str, Any]:
    return {"head": head, "cells": [{"parts": ["", str(number)]} for number in numbers]}
