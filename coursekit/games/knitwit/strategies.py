"""Strategies for Knit Wit: players who know the words of a lexicon and differ in what they dare.

All follow one pattern, :class:`Wordsmith`, and change a few of its numbers. A notebook cell can do
the same: ``class Hasty(Original): pace = 3``. They remember nothing. All ideas are ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations
from typing import ClassVar

from coursekit.core.chance import pick
from coursekit.core.game import TABLE, Seat
from coursekit.core.strategy import Numbers, Strategy
from coursekit.games.knitwit.rules.answers import hanging_together
from coursekit.games.knitwit.rules.design import Design, free, inside, middle, on_table
from coursekit.games.knitwit.rules.free_input import LoopInput, SpoolInput, laid, scrawl
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.lexicon import Entry, Modifier, Pack
from coursekit.games.knitwit.rules.state import NOBODY, Action, Observation
from coursekit.words.normalise import are_synonyms, normalise

Tags = frozenset[int]
TONGUES = ("zh", "en", "zh-Hans")
"""What strategies write: the Chinese of the lexicon, its English, or its Chinese in simplified
characters.
"""


class Wordsmith(Strategy):
    """Knits, writes, challenges and votes as its numbers say. It knows the lexicon of the match."""

    game: KnitWit

    numbers: ClassVar[Mapping[str, Numbers]] = {
        "pace": (0, 10_000),
        "courage": (0, 1),
        "choice": range(1, 101),
        "originality": (-20, 20),
        "grip": (0, 100),
        "richness": range(-1, 2),
        "challenges": (-1, 1),
        "votes": (0, 1),
        "trust": (0, 1),
        "tongue": TONGUES,
    }

    pace: float = 10
    """Asks that a line takes on average, for each loop around its spool.

    A table asks it once a second, or every n seconds where n people take turns at the screen, so
    that each of them has as many seconds as it has asks. It does not wait when it is the last to
    write.
    """
    courage: float = 0
    """Share of a spool's tags that a word may miss: at 0.5 one of two, but not two of three.

    A tag that the word only may fit (:attr:`Entry.also`) counts as half missed."""
    choice: int = 1
    """Fewest words to choose from. With fewer it also makes phrases; it misses a tag only where
    nothing fits.
    """
    originality: float = 0
    """Words with many tags are on everybody's mind: below 0 it prefers them, above 0 it dodges
    them.
    """
    grip: float = 0
    """Points per hole of the top button for which it gives up the lines that it can still fill; at
    0 it never does.
    """
    richness: int = 0
    """Where it puts loops and spools: 1 where many loops overlap, -1 where few do, 0 anywhere."""
    challenges: float = 0.5
    """It challenges known words that fit at most this share of the spool's tags; below 0 it never
    does.
    """
    votes: float = 0.6
    """It votes for words that fit at least this share of the tags."""
    trust: float = 0.8
    """Chance that it votes for an unknown word: no lexicon is complete."""
    tongue: str = "zh"
    """The language it writes in: one of :data:`TONGUES`."""

    # Knitting

    SKETCHES = 12
    """Loops that it considers before it lays one."""

    def loop(self, obs: Observation) -> Action:
        """Lay the loop that overlaps the others most or least, or any."""
        legal = obs.legal
        assert isinstance(legal, LoopInput)
        if not self.richness:
            return legal.sample(self.rng)
        sketches: list[Action] = [
            ("loop", scrawl(legal.design, self.rng)) for _ in range(self.SKETCHES)
        ]
        sketches = [action for action in sketches if on_table(laid(legal.design, action)[0])]
        sketches.sort(key=lambda action: -self.richness * overlap(legal.design, action))
        return next((action for action in sketches if action in legal), None) or legal.sample(
            self.rng
        )

    def spool(self, obs: Observation) -> Action:
        """Put a spool inside the most or the fewest loops, or anywhere."""
        legal = obs.legal
        assert isinstance(legal, SpoolInput)
        if not self.richness:
            return legal.sample(self.rng)
        places = free(legal.design)
        for around in sorted(
            places, key=lambda loops: (-self.richness * len(loops), sorted(loops))
        ):
            action = ("spool", pick(self.rng, legal.own), *middle(places[around]))
            if action in legal:
                return action
        return legal.sample(self.rng)

    # Writing

    def write(self, obs: Observation) -> Action | None:
        """Write on the line with the most points; stop without ideas, or for the button."""
        blank = sorted(
            (n for n in obs.numbers if not obs.sheet[n - 1]),
            key=lambda n: (-self.points(obs, n), n),
        )
        lines = [n for n in blank if self.ideas(obs, n)]
        if not blank or self.grabs(obs, lines, len(blank)):
            return "stop"
        # Before it gives up it ponders every blank line, so that it is slow even if it knows no
        # words.
        work = self.pace * sum(len(obs.words(n)) for n in lines[:1] or blank)
        if self.raced(obs) and self.rng.random() * work >= 1:
            return None
        written = (("write", n, word) for n in lines for word in self.words(obs, n))
        return next((action for action in written if action in obs.legal), "stop")

    def grabs(self, obs: Observation, lines: Sequence[int], blank: int) -> bool:
        """Return whether the top button is worth more than the *lines* that it could still fill."""
        if not self.grip or not obs.buttons or blank == len(obs.numbers):
            return False
        return sum(self.points(obs, n) for n in lines) <= self.grip * obs.buttons[-1]

    def raced(self, obs: Observation) -> bool:
        """Return whether other players are still writing."""
        return any(seat not in (obs.seat, TABLE) for seat in obs.waiting)

    def points(self, obs: Observation, number: int) -> int:
        return self.game.worth(len(obs.words(number)))

    def ideas(self, obs: Observation, number: int) -> Sequence[Entry]:
        """Return the words it would write for *number*: the best-fitting ones, and others if these
        are too few.
        """
        return best(self.game.pack, frozenset(obs.words(number)), self.choice, self.courage)

    def words(self, obs: Observation, number: int) -> Iterator[str]:
        """Yield its ideas for *number* in the order they come to mind, and phrases if none of these
        may be written.
        """
        # A random order weighted by tags ** -originality: the largest u ** (1 / weight) first
        # (Efraimidis, Spirakis).
        ideas = [
            (self.rng.random() ** (len(each.tags) ** self.originality), each)
            for each in self.ideas(obs, number)
        ]
        ideas.sort(key=lambda idea: -idea[0])
        yield from (each.word(self.tongue) for _, each in ideas)
        tags = frozenset(obs.words(number))
        others = [each for each in phrases(self.game.pack, tags) if tags <= each.tags]
        yield from (
            each.word(self.tongue) for each in sorted(others, key=lambda _: self.rng.random())
        )

    # Scoring

    def reveal(self, obs: Observation) -> Action | None:
        """Challenge a known word that does not fit, else wait."""
        assert isinstance(obs.legal, tuple)
        for action in obs.legal:
            fit = self.fit(obs, action[1])
            if fit is not None and fit <= self.challenges:
                return action
        return None

    def judge(self, obs: Observation) -> Action:
        """Judge its own answer honestly."""
        return "keep" if self.fits(obs, obs.me) else "withdraw"

    def vote(self, obs: Observation) -> Action:
        if obs.challenger != NOBODY:
            return "yes" if self.fits(obs, obs.case[0]) else "no"
        pack, texts = self.game.pack, [answer(obs, seat) for seat in obs.case]
        if same_thing(pack, texts):
            return "no"
        unknown = any(meaning(pack, text) is None for text in texts)
        return "no" if unknown and self.rng.random() >= self.trust else "yes"

    def fits(self, obs: Observation, seat: Seat) -> bool:
        """Return whether it accepts the open answer of *seat*; it may trust an unknown word."""
        fit = self.fit(obs, seat)
        return self.rng.random() < self.trust if fit is None else fit >= self.votes

    def fit(self, obs: Observation, seat: Seat) -> float | None:
        """Return the share of the tags that the open answer of *seat* fits, ``None`` for an unknown
        word.
        """
        tags, fitting = obs.words(obs.number), meaning(self.game.pack, answer(obs, seat))
        return None if fitting is None else len(fitting.intersection(tags)) / len(tags)


class FirstThought(Wordsmith):
    """Writes what comes to everybody's mind first; where nothing plainly fits, what may fit."""

    courage = 0.2
    originality = -8


class Sprinter(Wordsmith):
    """Keeps spools to few loops, writes quickly, and takes a button before the last lines.

    Where nothing fits, its word may miss one tag of four.
    """

    pace = 6
    courage = 0.25
    grip = 1
    richness = -1


class Bluffer(Wordsmith):
    """Goes where many loops cross, and writes any word that fits at least one tag, hoping for no
    challenge.
    """

    courage = 0.9
    richness = 1


class Stickler(Wordsmith):
    """Writes only what fits every tag, then takes a button, and challenges whatever misses a tag."""

    grip = 0.1
    challenges = votes = 0.9


class Original(Wordsmith):
    """Dodges the words that others will think of, by phrases too; where none fits, it may miss a
    tag of two.
    """

    courage = 0.5
    choice = 4
    originality = 1


STRATEGIES: tuple[type[Strategy], ...] = (FirstThought, Stickler, Sprinter, Bluffer, Original)
"""The weakest first. ``AtRandom`` is left out: it scrawls a few words at once and takes the top
button.
"""


@cache
def speaking(kind: type[Wordsmith], language: str) -> type[Wordsmith]:
    """Return *kind* as a player who writes the *language* of a table."""
    tongue = language if language in TONGUES else "zh"
    return kind if kind.tongue == tongue else type(kind.__name__, (kind,), {"tongue": tongue})


def overlap(design: Design, action: Action) -> int:
    """Return the cells that a new loop shares with each loop of *design*, added up."""
    loop, _ = laid(design, action)
    return sum((inside(loop) & inside(other)).bit_count() for other in design.loops)


def answer(obs: Observation, seat: Seat) -> str:
    """Return what *seat* wrote for the number that lies open."""
    return obs.answers[seat][obs.number - 1]


@lru_cache(4096)
def best(pack: Pack, tags: Tags, choice: int, courage: float) -> Sequence[Entry]:
    """Return the words and phrases that fit *tags* best, at least *choice* if so many fit all that
    *courage* asks.
    """
    found: list[Entry] = []
    for fit, words in by_fit(pack, tags):
        enough = choice if fit == len(tags) else 1
        if fit < (1 - courage) * len(tags) or len(found) >= enough:
            break
        found += words
    return found


@lru_cache(4096)
def by_fit(pack: Pack, tags: Tags) -> Sequence[tuple[float, Sequence[Entry]]]:
    """Return words and phrases by the number of *tags* they fit, the best first, without those that
    fit none.

    A tag that they only may fit counts half. Phrases come after words that fit as well: nobody says
    a smashed phone who knows a broken word.
    """
    found: dict[float, tuple[list[Entry], list[Entry]]] = {}
    for made, entries in enumerate((candidates(pack, tags), phrases(pack, tags))):
        for each in entries:
            found.setdefault(fitted(each, tags), ([], []))[made].append(each)
    return [
        (fit, words) for fit in sorted(found, reverse=True) if fit for words in found[fit] if words
    ]


def fitted(entry: Entry, tags: Tags) -> float:
    """Return the number of *tags* that *entry* fits; one that it only may fit counts half."""
    return len(entry.tags & tags) + len(entry.also & tags) / 2


@lru_cache(4096)
def phrases(pack: Pack, tags: Tags) -> Sequence[Entry]:
    """Return phrases, a modifier and a word, that fit or may fit all *tags* where the word alone
    does not.
    """
    alone = [each for each in candidates(pack, tags) if not tags <= each.tags]
    words = [(each, each.tags | each.also) for each in alone if not each.tags.isdisjoint(tags)]
    found = []
    for modifier in pack.modifiers:
        if modifier.adds.isdisjoint(tags):
            continue
        missing = tags - modifier.adds
        made = (modifier.phrase(word) for word, fits in words if missing <= fits)
        found += [
            phrase for phrase in made if phrase is not None and tags <= phrase.tags | phrase.also
        ]
    return found


def candidates(pack: Pack, tags: Tags) -> Sequence[Entry]:
    """Return the words that fit or may fit any of *tags*, in the order of the lexicon."""
    places = by_tag(pack)
    found = {place for tag in tags for place in places.get(tag, ())}
    return [pack.lexicon[place] for place in sorted(found)]


@lru_cache
def by_tag(pack: Pack) -> Mapping[int, Sequence[int]]:
    """Return for each tag the places in the lexicon of the words that fit or may fit it."""
    found: dict[int, list[int]] = {}
    for place, each in enumerate(pack.lexicon):
        for tag in each.tags | each.also:
            found.setdefault(tag, []).append(place)
    return found


@lru_cache
def known_words(pack: Pack) -> dict[str, Entry]:
    """Return each known word by its norm; a name of several words fits the tags of all."""
    found: dict[str, Entry] = {}
    for each in pack.lexicon:
        for word in {normalise(each.zh), normalise(each.en)}:
            found[word] = both(found[word], each) if word in found else each
    return found


def both(one: Entry, other: Entry) -> Entry:
    """Return *one* with the tags of *other* as well."""
    return one._replace(tags=one.tags | other.tags, also=one.also | other.also)


def known(pack: Pack, text: str) -> Entry | None:
    """Return *text*, or another word for it, as a word of the lexicon or a phrase; ``None`` if
    unknown.
    """
    words, form = known_words(pack), normalise(text)
    forms = {form, *pack.same.get(form, ())} & words.keys()
    if forms:
        return reduce(both, (words[each] for each in sorted(forms)))
    parts = (
        (each, form.removeprefix(begin))
        for each, begin in beginnings(pack)
        if form.startswith(begin)
    )
    made = (
        None if (rest := known(pack, word)) is None else each.phrase(rest) for each, word in parts
    )
    return next((phrase for phrase in made if phrase is not None), None)


def meaning(pack: Pack, text: str) -> Tags | None:
    """Return the tags that *text*, or another word for it, fits or may fit; ``None`` if unknown."""
    found = known(pack, text)
    return None if found is None else found.tags | found.also


@lru_cache
def beginnings(pack: Pack) -> Sequence[tuple[Modifier, str]]:
    """Return each modifier with the norm of its words, in Chinese and in English."""
    words = ((each, word) for each in pack.modifiers for word in (each.zh, each.en))
    return [
        (each, normalise(f"{word} x").removesuffix("x").strip()) for each, word in words
    ]  # no plural at its end


def same_thing(pack: Pack, texts: Sequence[str]) -> bool:
    """Return whether all *texts* are known as words for one thing, directly or through each other."""
    forms = sorted({normalise(text) for text in texts})
    pairs = [frozenset(two) for two in combinations(forms, 2) if are_synonyms(*two, pack.same)]
    return len(hanging_together(forms, pairs)) == 1
