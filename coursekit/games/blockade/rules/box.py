"""The box: cards, decks and track, and who stands where; what effects, events and turns need."""

from abc import ABC
from collections import Counter

from coursekit.core.game import Game, Seat
from coursekit.games.blockade.rules.card_codes import CENSORS, EDITIONS, EVENTS, LIFTING, PENS
from coursekit.games.blockade.rules.card_facts import ERAS
from coursekit.games.blockade.rules.options import SHARES, Options, check_combination
from coursekit.games.blockade.rules.state import Action, Observation, State, Step

LAST_ERA = max(ERAS)


class Box(Game[State, Observation, Action], ABC):
    """Cards, decks and track under the options chosen, and what a state says of them."""

    options: Options

    def __init__(self, players: int = 4, options: Options | None = None) -> None:
        super().__init__(players, options)
        o = self.options
        self._clockwise = [self.seats[turn:] + self.seats[:turn] for turn in self.seats]
        self.cards = EDITIONS[o.edition]
        # What lies on the book deck, and a card that is passed on face down, stay secret.
        self.bare_phases = frozenset({*self.phases} - {"peek", "pass_left"} if o.open_hands else ())
        self.usable: dict[int, frozenset[int]] = {}
        """The writers that may be placed in each era: 「1956年之作品，不得於1970年代使用」."""
        self.deck: dict[int, list[int]] = {}
        """The experience cards in play in each era."""
        self._goals: dict[int, int] = {}
        so_far = o.stale_cards == "not_before_publication"
        self.which = "so_far" if so_far else "era"
        """What texts call the writers that may be placed: those of this era, or all so far."""
        writers = range(len(self.cards.writers))
        functions = self._functions()
        for era, years in ERAS.items():
            if so_far:
                years = range(ERAS[1][0], years[-1] + 1)
            usable = [card for card in writers if self.cards.years[card] in years]
            self.usable[era] = frozenset(usable)
            self.deck[era] = usable if o.stale_cards == "era_deck" else [*writers]
            self.deck[era] += functions
            ends_early = era == LAST_ERA and o.last_goal == "1992"
            self._goals[era] = len(ERAS[era]) + o.start_in_buffer - ends_early
        check_combination(o, {era: (len(self.deck[era]), len(self.usable[era])) for era in o.eras})
        self.events_at: dict[int, list[int]] = {}
        """The events on the space of each year."""
        for event in EVENTS if o.events else ():
            year = o.lifting_year if event == LIFTING else event
            self.events_at.setdefault(year, []).append(event)
        # A turn has at most 14 decisions and one for each card of a hand.  At most 6 events happen
        # in an era, each at most once per seat, with fewer than 12 decisions.
        self.longest = len(o.eras) * (o.laps_limit * players * (o.hand + 14) + 12 * 6 * players)

    def _functions(self) -> list[int]:
        """Return the function cards in play: the first copies of each."""
        o, cards = self.options, self.cards.functions
        if o.function_set == "none":
            return []
        part = SHARES.get(o.function_set, 1)
        kept: list[int] = []
        for name, copies in Counter(filter(None, cards)).items():
            first = cards.index(name)
            # To the nearest number: a third of 4 is 1, of 5 is 2.
            kept += range(first, first + (copies + part // 2) // part)
        return kept

    # Who

    def clockwise(self, state: State) -> tuple[Seat, ...]:
        """Return all seats, beginning with the one whose turn it is."""
        return self._clockwise[state.turn]

    def censors(self, state: State) -> list[Seat]:
        """Return 警總 and 線民, in the order of :meth:`clockwise`."""
        return [seat for seat in self.clockwise(state) if state.roles[seat] in CENSORS]

    def pens(self, state: State) -> list[Seat]:
        """Return 主編 and 作家, in the order of :meth:`clockwise`."""
        return [seat for seat in self.clockwise(state) if state.roles[seat] in PENS]

    def rivals(self, state: State, seat: Seat) -> list[Seat]:
        """Return the other camp, in the order of :meth:`clockwise`."""
        camp = PENS if state.roles[seat] in CENSORS else CENSORS
        return [other for other in self.clockwise(state) if state.roles[other] in camp]

    def rival_books(self, state: State, seat: Seat, kind: str) -> list[int]:
        """Return the book cards of one *kind* that the other camp has."""
        kinds = self.cards.book_kinds
        books = [book for rival in self.rivals(state, seat) for book in state.books[rival]]
        return [book for book in books if kinds[book] == kind]

    def partner(self, state: State, seat: Seat) -> Seat:
        """Return the other player of the camp of *seat*."""
        rivals = self.rivals(state, seat)
        return next(other for other in self.seats if other != seat and other not in rivals)

    # Where

    def last(self, state: State) -> list[Seat]:
        """Return the seats farthest from the end of the era, in the order of :meth:`clockwise`."""
        least = min(state.positions)
        return [seat for seat in self.clockwise(state) if state.positions[seat] == least]

    def goal(self, era: int) -> int:
        """Return the number of spaces from the start of an era to its end."""
        return self._goals[era]

    def year(self, era: int, position: int) -> int:
        """Return the year of a position; the buffer before an era counts as the year before."""
        return ERAS[era][0] + position - self.options.start_in_buffer

    def can_happen(self, event: int) -> bool:
        """Return whether a marker can come to the space of *event* without ending the era."""
        years = [self.year(era, space) for era in ERAS for space in range(self.goal(era))]
        return any(event in self.events_at.get(year, ()) for year in years)

    def trigger(self, state: State, year: int, seat: Seat) -> list[Step]:
        """Note the events that happen as *seat* comes to *year*, and return them as steps.

        :param seat: NOBODY as the era begins.
        """
        steps: list[Step] = []
        for event in self.events_at.get(year, ()):
            seats = [other for fired, other in state.fired if fired == event]
            once_each = self.options.event_scope == "per_player"
            if not seats or (once_each and seat not in seats):
                state.fired += ((event, seat),)
                steps.append(["event", event, seat])
        return steps

    # What

    def has_room(self, state: State, seat: Seat) -> bool:
        """Return whether *seat* may have another writer in front."""
        limit = self.options.table_limit
        return limit is None or len(state.tables[seat]) < limit

    def has_opening(self, state: State) -> bool:
        """Return whether this era has a first lap of its own, with writers only."""
        return self.options.opening_each_era or not state.by_era
