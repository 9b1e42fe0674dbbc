"""Strategies for Knit Wit: players who know the words of a lexicon and differ in what they dare.

All follow one pattern, :class:`Wordsmith`, and change a few of its numbers. A notebook cell can do
the same: ``class Hasty(Original): pace = 3``. They remember nothing. All ideas are ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations
from typing import Any, ClassVar

from coursekit.core.chance import pick
from coursekit.core.game import TABLE, Seat
from coursekit.core.strategy import Numbers, Strategy
from coursekit.games.knitwit.rules.answers import connected_norms
from coursekit.games.knitwit.rules.free_input import LoopInput, SpoolInput, laid_loop, scrawl_loop
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.lexicon import Entry, Modifier, Pack
from coursekit.games.knitwit.rules.loop_design import (
    Design,
    cells_inside,
    free_cells,
    is_on_table,
    middle,
)
from coursekit.games.knitwit.rules.state import NOBODY, Action, Observation
from coursekit.words.language import current_language
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
        design = legal.design
        sketches: list[Action] = []
        for _ in range(self.SKETCHES):
            sketch = ("loop", scrawl_loop(design, self.rng))
            if is_on_table(laid_loop(design, sketch)[0]):
                sketches.append(sketch)
        sketches.sort(key=lambda action: -self.richness * count_overlap(design, action))
        for sketch in sketches:
            if sketch in legal:
                return sketch
        return legal.sample(self.rng)

    def spool(self, obs: Observation) -> Action:
        """Put a spool inside the most or the fewest loops, or anywhere."""
        legal = obs.legal
        assert isinstance(legal, SpoolInput)
        if not self.richness:
            return legal.sample(self.rng)
        rooms = free_cells(legal.design)
        labels = sorted(rooms, key=lambda loops: (-self.richness * len(loops), sorted(loops)))
        for loops in labels:
            action = ("spool", pick(self.rng, legal.own), *middle(rooms[loops]))
            if action in legal:
                return action
        return legal.sample(self.rng)

    # Writing

    def write(self, obs: Observation) -> Action | None:
        """Write on the line with the most points; stop without ideas, or for the button."""
        blank = [n for n in obs.numbers if not obs.sheet[n - 1]]
        blank.sort(key=lambda n: (-self.points(obs, n), n))
        if not blank or self.grabs_button(obs, blank):
            return "stop"
        lines = filter(lambda n: self.ideas(obs, n), blank)
        first = next(lines, None)
        # Before it gives up it ponders every blank line, so that it is slow even if it knows no
        # words.
        pondered = blank if first is None else [first]
        work = self.pace * sum(len(obs.words(n)) for n in pondered)
        if self.is_raced(obs) and self.rng.random() * work >= 1:
            return None
        for n in () if first is None else (first, *lines):
            for word in self.words(obs, n):
                action = ("write", n, word)
                if action in obs.legal:
                    return action
        return "stop"

    def grabs_button(self, obs: Observation, blank: Sequence[int]) -> bool:
        """Return whether the top button is worth more than the *blank* lines that it can fill."""
        if not self.grip or not obs.buttons or len(blank) == len(obs.numbers):
            return False
        lines = [n for n in blank if self.ideas(obs, n)]
        return sum(self.points(obs, n) for n in lines) <= self.grip * obs.buttons[-1]

    def is_raced(self, obs: Observation) -> bool:
        """Return whether other players are still writing."""
        return any(seat not in (obs.seat, TABLE) for seat in obs.waiting)

    def points(self, obs: Observation, number: int) -> int:
        return self.game.worth(len(obs.words(number)))

    def ideas(self, obs: Observation, number: int) -> Sequence[Entry]:
        """Return the words it would write for *number*: the best-fitting, or more if few."""
        return best_words(self.game.pack, frozenset(obs.words(number)), self.choice, self.courage)

    def words(self, obs: Observation, number: int) -> Iterator[str]:
        """Yield its ideas for *number* in the order they come to mind, then phrases."""
        # A random order weighted by tags ** -originality: the largest u ** (1 / weight) first
        # (Efraimidis, Spirakis).
        ideas = [
            (self.rng.random() ** (len(entry.tags) ** self.originality), entry)
            for entry in self.ideas(obs, number)
        ]
        ideas.sort(key=lambda idea: -idea[0])
        for _, entry in ideas:
            yield entry.word(self.tongue)
        tags = frozenset(obs.words(number))
        phrases = [phrase for phrase in make_phrases(self.game.pack, tags) if tags <= phrase.tags]
        phrases.sort(key=lambda _: self.rng.random())
        for phrase in phrases:
            yield phrase.word(self.tongue)

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
        pack = self.game.pack
        texts = [open_answer(obs, seat) for seat in obs.case]
        if are_one_thing(pack, texts):
            return "no"
        unknown = any(find_tags(pack, text) is None for text in texts)
        return "no" if unknown and self.rng.random() >= self.trust else "yes"

    def fits(self, obs: Observation, seat: Seat) -> bool:
        """Return whether it accepts the open answer of *seat*; it may trust an unknown word."""
        fit = self.fit(obs, seat)
        return self.rng.random() < self.trust if fit is None else fit >= self.votes

    def fit(self, obs: Observation, seat: Seat) -> float | None:
        """Return the share of the tags that the open answer of *seat* fits.

        It is ``None`` for an unknown word.
        """
        tags = obs.words(obs.number)
        fitting = find_tags(self.game.pack, open_answer(obs, seat))
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
    """Goes where many loops cross, and writes any word that fits a tag, hoping for no challenge."""

    courage = 0.9
    richness = 1


class Stickler(Wordsmith):
    """Writes what fits every tag, then takes a button, and challenges whatever misses a tag."""

    grip = 0.1
    challenges = votes = 0.9


class Original(Wordsmith):
    """Dodges the words of others, by phrases too; where none fits, it may miss a tag of two."""

    courage = 0.5
    choice = 4
    originality = 1


STRATEGIES: tuple[type[Strategy], ...] = (FirstThought, Stickler, Sprinter, Bluffer, Original)
"""The weakest first. ``AtRandom`` is left out: it scrawls a few words at once and takes the top
button.
"""


def speak(kind: type[Wordsmith], language: str | None = None) -> type[Wordsmith]:
    """Return *kind* as a player who writes the *language* of a table, by default the current."""
    hashable: Any = kind  # mypy does not take a class for one
    return _speak(hashable, language or current_language())


@cache
def _speak(kind: Any, language: str) -> type[Wordsmith]:
    tongue = language if language in TONGUES else "zh"
    return kind if kind.tongue == tongue else type(kind.__name__, (kind,), {"tongue": tongue})


def count_overlap(design: Design, action: Action) -> int:
    """Return the cells that a new loop shares with each loop of *design*, added up."""
    loop, _ = laid_loop(design, action)
    return sum((cells_inside(loop) & cells_inside(other)).bit_count() for other in design.loops)


def open_answer(obs: Observation, seat: Seat) -> str:
    """Return what *seat* wrote for the number that lies open."""
    return obs.answers[seat][obs.number - 1]


@lru_cache(4096)
def best_words(pack: Pack, tags: Tags, choice: int, courage: float) -> Sequence[Entry]:
    """Return the words and phrases that fit *tags* best.

    They are at least *choice* if so many fit all that *courage* asks.
    """
    words: list[Entry] = []
    for fit, entries in rank_words(pack, tags):
        enough = choice if fit == len(tags) else 1
        if fit < (1 - courage) * len(tags) or len(words) >= enough:
            break
        words += entries
    return tuple(words)


@lru_cache(4096)
def rank_words(pack: Pack, tags: Tags) -> Sequence[tuple[float, Sequence[Entry]]]:
    """Return words and phrases by the number of *tags* they fit, the best first.

    Those that fit none are left out. A tag that they only may fit counts half. Phrases come after
    words that fit as well: nobody says a smashed phone who knows a broken word.
    """
    ranks: dict[tuple[float, bool], list[Entry]] = {}
    for is_phrase, entries in ((False, find_candidates), (True, make_phrases)):
        for entry in entries(pack, tags):
            fit = len(entry.tags & tags) + len(entry.also & tags) / 2
            if fit:
                ranks.setdefault((-fit, is_phrase), []).append(entry)
    return [(-rank[0], ranks[rank]) for rank in sorted(ranks)]


@lru_cache(4096)
def make_phrases(pack: Pack, tags: Tags) -> Sequence[Entry]:
    """Return phrases that fit or may fit all *tags* where the word alone does not.

    A phrase is a modifier and a word.
    """
    words = [
        (entry, entry.tags | entry.also)
        for entry in find_candidates(pack, tags)
        if not tags <= entry.tags and not entry.tags.isdisjoint(tags)
    ]
    phrases = []
    for modifier in pack.modifiers:
        missing = tags - modifier.adds
        if missing == tags:
            continue
        for entry, fits in words:
            if missing <= fits:
                phrase = modifier.phrase(entry)
                if phrase is not None and tags <= phrase.tags | phrase.also:
                    phrases.append(phrase)
    return phrases


def find_candidates(pack: Pack, tags: Tags) -> Sequence[Entry]:
    """Return the words that fit or may fit any of *tags*, in the order of the lexicon."""
    by_tag = entries_by_tag(pack)
    places = {place for tag in tags for place in by_tag.get(tag, ())}
    return [pack.lexicon[place] for place in sorted(places)]


@lru_cache
def entries_by_tag(pack: Pack) -> Mapping[int, Sequence[int]]:
    """Return for each tag the places in the lexicon of the words that fit or may fit it."""
    places: dict[int, list[int]] = {}
    for place, entry in enumerate(pack.lexicon):
        for tag in entry.tags | entry.also:
            places.setdefault(tag, []).append(place)
    return places


@lru_cache
def lexicon_by_norm(pack: Pack) -> dict[str, Entry]:
    """Return each known word by its norm; a name of several words fits the tags of all."""
    entries: dict[str, Entry] = {}
    for entry in pack.lexicon:
        for norm in {normalise(entry.zh), normalise(entry.en)}:
            entries[norm] = merge_entries(entries[norm], entry) if norm in entries else entry
    return entries


def merge_entries(one: Entry, other: Entry) -> Entry:
    """Return *one* with the tags of *other* as well."""
    return one._replace(tags=one.tags | other.tags, also=one.also | other.also)


def find_entry(pack: Pack, text: str) -> Entry | None:
    """Return *text*, or another word for it, as a word or a phrase; ``None`` if unknown."""
    entries = lexicon_by_norm(pack)
    norm = normalise(text)
    norms = {norm, *pack.same.get(norm, ())} & entries.keys()
    if norms:
        return reduce(merge_entries, [entries[known] for known in sorted(norms)])
    for modifier, beginning in modifier_beginnings(pack):
        if norm.startswith(beginning):
            rest = find_entry(pack, norm.removeprefix(beginning))
            if rest and (phrase := modifier.phrase(rest)):
                return phrase
    return None


def find_tags(pack: Pack, text: str) -> Tags | None:
    """Return the tags that *text*, or another word for it, fits or may fit; ``None`` if unknown."""
    entry = find_entry(pack, text)
    return None if entry is None else entry.tags | entry.also


@lru_cache
def modifier_beginnings(pack: Pack) -> Sequence[tuple[Modifier, str]]:
    """Return each modifier with the norm of its words, in Chinese and in English."""
    beginnings = []
    for modifier in pack.modifiers:
        for word in (modifier.zh, modifier.en):
            norm = normalise(f"{word} x").removesuffix("x")  # no plural at its end
            beginnings.append((modifier, norm.strip()))
    return beginnings


def are_one_thing(pack: Pack, texts: Sequence[str]) -> bool:
    """Return whether all *texts* are words for one thing, directly or through each other."""
    norms = sorted({normalise(text) for text in texts})
    pairs = [frozenset(two) for two in combinations(norms, 2) if are_synonyms(*two, pack.same)]
    return len(connected_norms(norms, pairs)) == 1
