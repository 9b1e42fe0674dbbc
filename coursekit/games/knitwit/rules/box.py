"""The box of Knit Wit, and the table: all that scoring and refusals need of the game."""

from abc import ABC

from coursekit.core.game import Game, Seat
from coursekit.games.knitwit.rules.free_input import WriteInput
from coursekit.games.knitwit.rules.lexicon import LINES, PACKS
from coursekit.games.knitwit.rules.loop_design import Design
from coursekit.games.knitwit.rules.options import COMMITS, Options, check_combination, setup_of
from coursekit.games.knitwit.rules.state import Action, Observation, State, loops_around


class Box(Game[State, Observation, Action], ABC):
    """Words, loops and buttons under the options, and what they say about a state."""

    options: Options

    def __init__(self, players: int, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        self.pack = PACKS[o.words]
        self.setup = setup_of(o, players)
        check_combination(o, self.setup, len(self.pack.tags))
        n = self.setup.loops
        knitting, writing = 2 * n + 1, players * (n * COMMITS + 1) + 1
        # Each answer is challenged at most once, and each pair doubted at most once: open, vote,
        # close.
        scoring_a_line = 2 + (players + players * players) * (players + 3)
        self.longest = o.rounds * (knitting + writing + n * scoring_a_line + 2)

    def design(self, seen: State | Observation) -> Design:
        """Return what lies on the table, in the form that :mod:`.loop_design` checks."""
        return Design(
            loops=seen.loops,
            pins=seen.pins,
            spools=tuple([(x, y) for _, x, y in seen.spools]),
            turns=sum(map(len, seen.hands)),
            by_label=self.options.region_rule == "loops",
            string=self.options.perimeter_limit,
        )

    def numbers(self, state: State) -> tuple[int, ...]:
        """Return the numbers of all spools in play, in ascending order."""
        numbers = [number for number, _, _ in state.spools]
        for hand in state.hands:
            numbers += hand
        return tuple(sorted(numbers))

    def worth(self, loops: int) -> int:
        """Return the points for an answer that counts, if its spool is inside so many *loops*."""
        return loops

    @property
    def pays_a_point_a_loop(self) -> bool:
        """Whether an answer brings a point for each loop, as in the rulebook."""
        return all(self.worth(loops) == loops for loops in range(1, LINES + 1))

    def seconds(self, seen: State | Observation) -> int:
        """Return the time limit of the writing in seconds, 0 for none.

        Without buttons it is the limit of the second of two players.
        """
        o = self.options
        return (0 if seen.buttons else o.extra_seconds) or o.answer_time_limit or 0

    def write_input(self, state: State, seat: Seat) -> WriteInput:
        """Return what *seat* may write on its pad."""
        o = self.options
        numbers = self.numbers(state)
        bans: list[tuple[int, ...]] = [()] * LINES
        for number in numbers:
            bans[number - 1] = state.tags
            if o.ban_scope == "spool":
                loops = loops_around(state, number)
                bans[number - 1] = tuple([state.tags[loop] for loop in loops])
        return WriteInput(
            pack=self.pack,
            numbers=numbers,
            answers=tuple(state.sheets[seat]),
            writes=tuple(state.writes[seat]),
            extra=state.extra,
            bans=tuple(bans),
            match=o.ban_match,
            longest=o.answer_length,
        )
