"""How Keep or Swap looks on the table."""

from collections.abc import Sequence

from coursekit.core.game import Event, Seat
from coursekit.kit.scene import Choice, Look, Piece, Place, Scene, Zone
from keep_or_swap.rules import Observation


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees."""
    over = obs.phase == "over"
    zones: list[Zone] = [
        {
            "kind": "seats",
            "place": "far",
            "label": look.say("zone.seats"),
            "places": [_place(obs, seat, look) for seat in look.game.seats],
        },
        {
            "kind": "pile",
            "place": "middle",
            "label": look.say("zone.pile"),
            "caption": look.say("zone.pile"),
            "count": obs.left,
            "top": None,
        },
    ]
    if obs.away:
        away = [_piece(card, look) for card in obs.away]
        zones.append(
            {"kind": "row", "place": "middle", "label": look.say("zone.away"), "pieces": away}
        )
    if obs.legal:
        choices: list[Choice] = [
            {"label": look.say(f"action.{action}"), "action": action, "legal": action in obs.legal}
            for action in ("keep", "swap")
        ]
        zones.append(
            {
                "kind": "choices",
                "place": "near",
                "label": look.say("zone.choices"),
                "choices": choices,
            }
        )
    if obs.seat is not None:
        mine = [_piece(obs.cards[obs.seat], look)]
        zones.append(
            {"kind": "hand", "place": "near", "label": look.say("zone.hand"), "pieces": mine}
        )
    return {
        "title": look.say("title"),
        "prompt": _prompt(obs, look),
        "turn": bool(obs.legal),
        "over": over,
        "zones": zones,
        "beat": 1.0,
    }


def _prompt(obs: Observation, look: Look) -> str:
    if obs.phase == "over":
        best = max(obs.cards)
        return look.say(
            "over", winners=tuple(s for s, card in enumerate(obs.cards) if card == best), card=best
        )
    return look.say("prompt.choose") if obs.legal else look.say("prompt.wait", seat=obs.turn)


def _place(obs: Observation, seat: Seat, look: Look) -> Place:
    shown = [_piece(obs.cards[seat], look)] if obs.cards[seat] and seat != obs.seat else []
    return {
        "seat": seat,
        "name": look.name(seat),
        "by": look.by[seat] if look.by else "",
        "you": seat == obs.seat,
        "turn": seat in obs.waiting,
        "winner": obs.phase == "over" and obs.cards[seat] == max(obs.cards),
        "badges": [],
        "counts": [],
        "backs": int(not obs.cards[seat]),
        "pieces": shown,
    }


def _piece(card: int, look: Look) -> Piece:
    return {
        "id": f"card-{card}",
        "label": look.say("card", number=card),
        "face": {"art": "star", "corner": str(card), "tone": "blue"},
    }
