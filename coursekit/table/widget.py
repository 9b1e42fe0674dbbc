"""The table as a widget: one seat of a match in a notebook cell or under Voilà."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

import traitlets

from coursekit.arena.statistics import Rerun
from coursekit.cells.message_widget import MessageWidget
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game, Seat, sentence
from coursekit.core.match import Match, Record, RecordError
from coursekit.core.page_messages import Message, Messages
from coursekit.core.strategy import AtRandom, StrategyError
from coursekit.kit import GameKit, kit_of, make
from coursekit.table.players import Player, find_players, players_by_key
from coursekit.table.run import Run, StaleError
from coursekit.table.session import Session
from coursekit.table.setup_form import describe_form, read_form
from coursekit.table.static_files import table_script, table_styles, zone_styles
from coursekit.table.storage import open_store
from coursekit.table.storage.store import Matches, data_directory
from coursekit.table.view import handbook, interface_words
from coursekit.words.language import current_language
from coursekit.words.texts import LANGUAGES, check_language, game_text, text

NEWS, PLAYS, ASKS = "news", "plays", "asks"
"""What a message does.

- ``NEWS``: the match goes on, so that the last notice is no news any more.
- ``PLAYS``: it is refused while another page has the match.
- ``ASKS``: it changes nothing that is shown, unless its handler shows that itself.
"""


class Question(NamedTuple):
    """What another cell of the page has the table ask its players, and who hears the answer."""

    text: str
    choices: Mapping[bool, str]
    answer: Callable[[bool], None]


class Moment(NamedTuple):
    """Which match a page showed when it sent a message, and which of its continuations."""

    match: str
    branch: int


class Table(MessageWidget):
    """A match to play, with everything that belongs beside the table.

    :param game: a game's name, its kit, a game with its players and options, or a match that runs
        already or was played in a tournament (``result.worst(Mine)``), whose seats, names and seed
        are then its own.
    :param players: how many, if *game* is a name; the fewest the game allows by default.
    :param seats: who plays each seat: ``"person"``, a strategy class, or the name of one of the
        kit.  By default one person and the game's best strategy in all other seats, or a random one
        if it has none.
    :param names: the players' names; an empty one is shown as "Player 1".
    :param seed: any text or number, the same for the same deal; ``None`` for chance.
    :param language: ``"zh-Hant"``, ``"en"`` or ``"zh-Hans"``; it can be switched at the table.
        The kit's strategies that write words do so in it, too.
    :param name: tells apart several tables on one page, which remember a match each.
    :raises ValueError: for an unknown game or language, a game without a scene, or seats that do
        not fit.
    """

    messages = Messages()
    _counts: ClassVar[Counter[str]] = Counter()  # tables by game, to tell nameless ones apart

    # Everything synced here reaches the browser and the saved notebook.
    _css = table_styles()
    zone_css = traitlets.Unicode("").tag(sync=True)
    """The look of zones that only this game has: apart from ``_css``, of which a page has one for
    all tables.
    """
    view = traitlets.Dict().tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    languages: "traitlets.List[dict[str, str]]" = traitlets.List().tag(sync=True)
    art = traitlets.Unicode("").tag(sync=True)
    handbook = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str | GameKit | Game[Any, Any, Any] | Run | Rerun,
        players: int | None = None,
        *,
        seats: Sequence[Player | str] | None = None,
        names: Sequence[str] = (),
        seed: str | int | None = None,
        language: str | None = None,
        name: str = "",
        store: Matches | None = None,
    ) -> None:
        language = language or current_language()
        if isinstance(game, Rerun):
            game = Run(game.match.game, game.players, match=game.match)
        rules = game.game if isinstance(game, Run) else make(game, players)
        kit = kit_of(rules)
        if kit.scene is None:
            raise ValueError(
                f"{rules.name} has no scene, so it cannot be put on a table; see GameKit.scene"
            )
        check_language(language)
        if isinstance(game, Run):
            seats = game.players
        elif seats is None:
            players_here = kit.players(language)
            best = players_here[-1] if players_here else AtRandom
            seats = ["person", *[best] * (rules.players - 1)]
        found = find_players(kit, rules.players, seats, language)
        known = ("person", *kit.offered_strategies(language))
        own = [kind for kind in dict.fromkeys(found) if kind != "person" and kind not in known]
        run = game if isinstance(game, Run) else Run(rules, found, names, seed)
        run.exchange(found)
        self.session = Session(run, store or open_store(data_directory()), language, own)
        Table._counts[rules.name] += 1
        self._name = f"{rules.name}/{name or Table._counts[rules.name]}"
        self._next_options: dict[str, Any] = {}  # for the form for the next match
        self._form_of: Run | None = None  # the run that the form and the handbook are about
        self._question: Question | None = None
        self._shared = False  # whether the browser draws what a spectator sees
        languages = [
            {"value": code, "label": text(f"ui.language.{code}", code), "lang": code}
            for code in LANGUAGES
        ]
        self._esm = table_script(kit)
        super().__init__(languages=languages, art=kit.drawings(), zone_css=zone_styles(kit))
        self._send_words()
        self._show()

    @property
    def language(self) -> str:
        """The language that the table speaks now."""
        return self.session.language

    @property
    def _run(self) -> Run:
        return self.session.run

    @property
    def game(self) -> str:
        """The name of the game on the table."""
        return self.session.game

    @property
    def resumed(self) -> bool:
        """Whether the match on the table was played here before, and kept on this computer."""
        return self.session.resumed

    @property
    def match(self) -> Match:
        """The match on the table, for a look at it in another cell.

        :raises StaleError: while several people play, since it tells every hand.
        """
        self._run.must_be_open()
        return self._run.match

    @property
    def rules(self) -> Game[Any, Any, Any]:
        """The game on the table, with its players and options; everybody may know it."""
        return self._run.game

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people play."""
        return tuple(self._run.people)

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays each seat, strategies as they are in the table's language."""
        return tuple(self._run.players)

    @property
    def record(self) -> Record:
        """The save file of the match on the table.

        :raises StaleError: while several people play, since it tells every hand.
        """
        return self._run.record()

    @property
    def trouble(self) -> StrategyError | None:
        """What a strategy did wrong, with everything that the page does not tell of it."""
        return self._run.trouble

    def ask(self, question: Question | None) -> None:
        """Ask the players *question* above the cloth until they answer, or nothing more."""
        if question != self._question:
            self._question = question
            self._show()

    def next_match(self, **options: Any) -> bool:
        """Have the next match played with these *options*, and this one's for the rest.

        A match in which a person has acted is left alone, and the form for a new one is filled in
        with them. Else the match on the table is laid out anew at once. What this browser
        remembers, and could not be opened without what was loaded since, is opened now.

        :return: whether the match on the table has them.
        :raises OptionError: for an option or a value that the game does not have.
        """
        session, run = self.session, self._run
        now = {
            option.name: getattr(run.game.options, option.name)
            for option in dataclasses.fields(run.game.options)
        }
        new = type(run.game)(run.game.players, run.game.options_from(now | options))
        self._next_options |= options
        with suppress(RecordError):
            session.welcome_again()
        run = session.run
        if not run.played:
            offer = session.offer
            session.sit_down(Run(new, run.players, run.match.names, run.match.seed))
            session.offer = offer
        self._send_form()
        self._show()
        return not session.run.played

    def _send_words(self) -> None:
        """Send the words of the interface in the language chosen."""
        self.words = interface_words(self.game, self.language)
        self._send_form()

    def _send_form(self) -> None:
        """Send what belongs to this match: the form filled in as it is, and its cards' pages."""
        session = self.session
        form = describe_form(session.own_run, session.offered_strategies, self.language)
        form["chosen"]["options"] |= self._next_options
        self.setup = form
        self.handbook = handbook(self._run.game, self.language)
        self._form_of = session.run

    def _show(self) -> None:
        session = self.session
        if session.run is not self._form_of:
            self._send_form()
        view = session.screen.view(self.language)
        if view["trouble"]:
            view["trouble"]["choices"] = self.setup["by"]
        if session.autosave.elsewhere:
            view |= {"more": False, "racing": 0}  # time goes by in the other page
        if self._shared:
            view["spectator"] = session.screen.spectator(self.language)
        self.view = view | {
            "table": self._name,
            "offer": session.offer_question(),
            "notice": session.notice,
            "boxes": [
                *session.autosave.boxes(self._run, self.language),
                *self._question_boxes(),
            ],
            "kept": self._run.played,
            "named": any(self._run.match.names),
        }

    def _question_boxes(self) -> list[dict[str, Any]]:
        if self._question is None:
            return []
        choices = [
            {"label": label, "send": {"type": "answer", "yes": yes}}
            for yes, label in self._question.choices.items()
        ]
        return [{"kind": "asked", "text": self._question.text, "choices": choices}]

    # Messages of table.js

    def deliver(self, message: Message, sender: str, data: list[bytes]) -> dict[str, Any] | None:
        """Return the handler's answer; then keep the match, before the screen moves on."""
        session, flags = self.session, message.handler.flags
        news = session.autosave.look(self._run)
        try:
            moment = message.arguments.get("moment")
            if moment is not None and moment != self._moment:
                raise StaleError("table.stale")
            if session.autosave.elsewhere and PLAYS in flags:
                raise StaleError("table.elsewhere")
            if NEWS in flags:
                session.notice = ""
            news |= session.renew_strategies()
            answer = super().deliver(message, sender, data)
            news |= session.autosave.save(self._run) or ASKS not in flags
        finally:
            if news:
                self._show()
        return answer

    def refusal(self, error: LocalizedError) -> dict[str, Any]:
        """Return the answer to what cannot be done, in which players have their names."""
        return {"type": "refused", "text": error.sentence(self.language, self._run.match.names)}

    @property
    def _moment(self) -> Moment:
        return Moment(self._run.id, self._run.branch)

    @messages.handle()
    def hello(self, remembered: str | None = None, same_tab: bool = False) -> None:
        """Go on with the match that the browser remembers, or offer it."""
        self.session.welcome(remembered, same_tab)

    @messages.handle()
    def look(self) -> None:
        """Look into the store, as every message does: the page is on the screen again."""
        self.session.look_again()

    @messages.handle(NEWS)
    def resume(self, match_id: str) -> None:
        """Go on with the match that was offered."""
        self.session.resume(match_id)

    @messages.handle(NEWS)
    def dismiss(self) -> None:
        """Leave the match that was offered."""
        self.session.offer = None

    @messages.handle()
    def take(self, moment: Moment) -> None:
        """Take over the match that another page has gone on with."""
        self.session.take_over()

    @messages.handle()
    def noted(self) -> None:
        """Stop telling what a reader has read."""
        self.session.autosave.drop_news()

    @messages.handle()
    def answer(self, yes: bool) -> None:
        """Hand on what the players answer to the question that another cell asks."""
        if self._question is not None:
            self._question.answer(yes)

    @messages.handle(NEWS)
    def load(self, text: str) -> None:
        """Go on with the match in a file."""
        self.session.load(text)

    @messages.handle(NEWS)
    def new(self, players: int, seats: list[Any], options: dict[str, Any], seed: str) -> None:
        """Begin the match that a filled-in form asks for."""
        session = self.session
        run = read_form(
            type(self._run.game), session.offered_strategies, players, seats, options, seed
        )
        self._next_options = {}
        session.sit_down(run)

    @messages.handle(NEWS)
    def first(self, on: bool) -> None:
        """Begin the first match of a new player, or leave it."""
        self.session.switch_first_match(on)

    @messages.handle(kind="language")
    def set_language(self, language: str) -> None:
        """Speak another language."""
        if language in LANGUAGES:
            self.session.set_language(language)
            self._send_words()

    @messages.handle(NEWS, PLAYS)
    def act(self, moment: Moment, acted: int, seat: int, action: Any = None) -> None:
        """Carry out the decision of a person, or of the table."""
        self.session.screen.act(seat, action, acted)
        self.session.offer = None

    @messages.handle(NEWS, PLAYS)
    def take_back(self, moment: Moment, decision: int) -> None:
        """Take back the last decision, to which the others at the screen have agreed."""
        session = self.session
        seat = session.screen.take_back(decision)
        words = {"seat": seat, "others": session.screen.others(seat)}
        names = self._run.match.names
        session.notice = game_text(
            self._run.game, "table.taken_back", self.language, names, **words
        )

    @messages.handle()
    def more(self, moment: Moment, events: int) -> None:
        """Let the strategies play on; a second view of the same table asks as well."""
        if not self.session.autosave.elsewhere:
            self.session.screen.go_on(events)

    @messages.handle(ASKS)
    def tick(self, match: str, branch: int, tick: int) -> None:
        """Let a moment of a race go by.

        Its number lets each go by once, however many views ask and however late a busy kernel
        hears of it.
        """
        session, run = self.session, self._run
        is_due = (Moment(match, branch), tick) == (self._moment, run.ticks)
        if is_due and not session.autosave.elsewhere and session.screen.tick():
            session.autosave.save(run)
            self._show()
        self.send({"type": "ticked", "tick": run.ticks})

    @messages.handle(ASKS, kind="try")
    def attempt(self, moment: Moment, seat: int, n: int, action: Any = None) -> dict[str, Any]:
        """Answer why something drawn by hand is not allowed, and how it would lie."""
        refusal, preview = self.session.screen.attempt(seat, action)
        answer = {"type": "tried", "text": "", "preview": preview, "about": []}
        if refusal is not None:
            names = self._run.match.names
            answer["text"] = sentence(self._run.game, refusal, self.language, names)
            answer["about"] = list(refusal.values.get("about", ()))
        return answer

    @messages.handle(ASKS)
    def suggest(self, moment: Moment, seat: int, n: int, about: Any = None) -> dict[str, Any]:
        """Answer with the *n*-th proposal for what can be done by hand."""
        return {"type": "suggested", "action": self.session.screen.suggestion(seat, n, about)}

    @messages.handle()
    def share(self) -> dict[str, Any]:
        """Send along what a spectator sees; the answer tells a window that somebody is there."""
        self._shared = True
        return {"type": "shared"}

    @messages.handle()
    def uncover(self, moment: Moment, seat: int) -> None:
        """Open the hand of the person who has taken the screen."""
        self.session.screen.uncover(seat)

    @messages.handle()
    def cover(self, moment: Moment) -> None:
        """Put the open hand away."""
        self.session.screen.cover()

    @messages.handle()
    def step(self, moment: Moment, entry: int) -> None:
        """Look at an earlier moment."""
        self.session.screen.look_at(entry)

    @messages.handle()
    def now(self, moment: Moment) -> None:
        """Look at the present again."""
        self.session.screen.look_at(None)

    @messages.handle()
    def weigh(self, moment: Moment, entry: int) -> None:
        """Try what else could have been done at the moment that is looked at."""
        self.session.screen.shown.weigh(entry)

    @messages.handle(NEWS)
    def fork(self, moment: Moment, entry: int) -> None:
        """Go on from an earlier moment with new chance."""
        self.session.screen.fork(entry)

    @messages.handle(NEWS, PLAYS)
    def replace(self, moment: Moment, seat: int, by: str) -> None:
        """Let another player go on for a strategy that is in trouble."""
        player = players_by_key(self.session.offered_strategies).get(by)
        if player is None:
            raise StaleError("table.stale")
        self.session.screen.replace(seat, player)

    @messages.handle()
    def save(self, moment: Moment, names: bool = False) -> dict[str, Any]:
        """Send the save file, with the players' names only if that is asked for."""
        record = self._run.record()
        if any(record.names) and not names:
            record = dataclasses.replace(record, names=())
            self.session.notice = text("table.unnamed", self.language)
        name = f"coursekit-{record.game}-{self._run.id[:6]}.json"
        return {"type": "download", "name": name, "text": record.dumps()}
