"""The kernel of Wikipedia and Books beside its rules: for its tests, and for ``benchmarks``."""

from collections.abc import Iterator
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, pick_action
from coursekit.core.match import Match
from coursekit.core.numba_kernels import Kernel, below
from coursekit.games.wikipedia import Wikipedia, playout_kernel
from coursekit.games.wikipedia.playouts import position
from coursekit.games.wikipedia.rules.cards import ACTIONS, KINDS
from coursekit.games.wikipedia.strategies import Editor

THROWS = {below([seed], 6) + 1: seed for seed in range(1, 1 << 32, 1 << 28)}
"""By face of the die, a state of the kernel's chance that throws it."""


def everything(game: Wikipedia, state: Any) -> list[int]:
    """Return *state* as a position of the kernel."""
    s = position(game, game.observe(state, max(0, state.turn)), Editor.PATIENCE)
    for number, kind in enumerate(KINDS):
        for seat in game.seats:
            s[playout_kernel.HANDS + 5 * seat + number] = state.hands[seat].count(kind)
        s[playout_kernel.POOL + number] = state.deck.count(kind)
        s[playout_kernel.GONE + number] = state.seen[number] + sum(
            counts[number] for counts in state.thrown
        )
    return s


def walked(match: Match, fast: Kernel) -> Iterator[str]:
    """Play *match*, half by chance and half as editors do; yield for each action how the kernel
    differs, "" if not.

    The kernel draws the cards and throws the die as the match did; of new roles only the numbers
    are compared.
    """
    game, rng = match.game, stream(match.seed, "walk")
    assert isinstance(game, Wikipedia)
    editor = Editor(rng, game)
    while deciding := game.to_act(match.state):
        seat, before = deciding[0], everything(game, match.state)
        legal, points = game.legal_actions(match.state, seat), match.state.points[:]
        s = fast.ints(before)
        wrong = [] if set(bits(fast.legal(s))) == set(map(ACTIONS.index, legal)) else ["legal"]
        decided = editor.decide(game.observe(match.state, seat)) if seat != TABLE else legal[0]
        if ACTIONS[fast.decide(s)] != decided:
            wrong.append("decide")
        action = decided if rng.random() < 0.5 else pick_action(legal, rng)
        events = match.play(seat, action)
        drawn = [KINDS.index(event.values["card"]) for event in events if event.text == "draw"]
        for number in range(5):
            s[playout_kernel.POOL + number] = drawn.count(number)
        fast.act(
            s,
            ACTIONS.index(action),
            fast.ints([THROWS[match.state.die] if action == "roll" else 1]),
        )
        after = everything(game, match.state)
        if [now - then for now, then in zip(match.state.points, points)] != [
            *s[playout_kernel.POINTS :][: game.players]
        ]:
            wrong.append("points")
        if game.to_act(match.state):  # the kernel does not know who has won
            for t in (s, after):
                t[playout_kernel.SCHOLARS] += sum(
                    t[playout_kernel.ROLES : playout_kernel.ROLES + game.players]
                )
            known = [
                *range(playout_kernel.ROLES),
                *range(playout_kernel.GONE, playout_kernel.SCORED),
            ]
            if before[playout_kernel.DECK] < len(
                drawn
            ):  # mixed in between: of the pool only what was drawn is there
                known = [*range(playout_kernel.PHASE, playout_kernel.SCORED)]
            wrong += [
                f"place {place}: {s[place]}, not {after[place]}"
                for place in known
                if s[place] != after[place]
            ]
        elif (
            match.state.turns >= before[playout_kernel.LIMIT]
            and s[playout_kernel.PHASE] != playout_kernel.OVER
        ):
            wrong.append("not over")
        yield f"{action} after {len(match.log) - 1}: {', '.join(wrong)}" if wrong else ""


def bits(mask: int) -> list[int]:
    """Return the places of the ones in *mask*."""
    return [place for place in range(int(mask).bit_length()) if mask >> place & 1]
