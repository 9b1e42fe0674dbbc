"""The table as a widget: one seat of a match in a notebook cell or under Voilà."""

import logging
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from coursekit.arena.statistics import Rerun
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game, Seat, sentence
from coursekit.core.match import Match, Record, RecordError
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.core.strategy_methods import find_misspellings
from coursekit.kit import GameKit, kit_of
from coursekit.table.first_match import first_players, is_first
from coursekit.table.messages import CHANGES, GOES_ON, check, kind_of, to_sender
from coursekit.table.players import (
    Player,
    check_seats,
    in_language,
    newest,
    player_name,
    players_by_key,
)
from coursekit.table.run import Run, StaleError
from coursekit.table.setup_form import filled_in, form
from coursekit.table.shared_screen import Screen
from coursekit.table.static_files import table_script, table_styles, zone_styles
from coursekit.table.storage.autosave import Keeping, store_in
from coursekit.table.storage.resume import Reopening
from coursekit.table.storage.store import Matches, data_directory
from coursekit.table.view import handbook
from coursekit.words.texts import LANGUAGES, join_words, load_texts, text

UI = "ui."
log = logging.getLogger(__name__)


class Table(Reopening, anywidget.AnyWidget):
    """A match to play, with everything that belongs beside the table.

    :param game: a game's name, its kit, a game with its players and options, or a match that runs
        already or was played in a tournament (``result.worst(Mine)``), whose seats, names and seed
        are then its own.
    :param players: how many, if *game* is a name; the fewest the game allows by default.
    :param seats: who plays each seat: ``"person"`` or a strategy class.  By default one
        person and the game's best strategy in all other seats, or a random one if it has none.
    :param names: the players' names; an empty one is shown as "Player 1".
    :param seed: any text or number, the same for the same deal; ``None`` for chance.
    :param language: ``"zh-Hant"``, ``"en"`` or ``"zh-Hans"``; it can be switched at the table.
        The kit's strategies that write words do so in it, too.
    :param name: tells apart several tables on one page, which remember a match each.
    :raises ValueError: for an unknown game or language, a game without a scene, or seats that do
        not fit.
    """

    _made: ClassVar[Counter[str]] = Counter()  # tables by game, to tell nameless ones apart

    # Everything synced here reaches the browser and the saved notebook.
    _css = table_styles()
    zone_css = traitlets.Unicode("").tag(sync=True)
    """The look of zones that only this game has: apart from ``_css``, of which a page has one for
    all tables.
    """
    view = traitlets.Dict().tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    languages: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    art = traitlets.Unicode("").tag(sync=True)
    handbook = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str | GameKit | Game[Any, Any, Any] | Run | Rerun,
        players: int | None = None,
        *,
        seats: Sequence[Player] | None = None,
        names: Sequence[str] = (),
        seed: str | int | None = None,
        language: str = LANGUAGES[0],
        name: str = "",
        store: Matches | None = None,
    ) -> None:
        if isinstance(game, Rerun):
            game = Run(game.match.game, game.players, match=game.match)
        rules = game.game if isinstance(game, Run) else make_game(game, players)
        kit = kit_of(rules)
        if kit.scene is None:
            raise ValueError(
                f"{rules.name} has no scene, so it cannot be put on a table; see GameKit.scene"
            )
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        kits = kit.players(language)
        if isinstance(game, Run):
            seats = game.players
        best = kits[-1] if kits else AtRandom
        seats = list(seats) if seats is not None else ["person", *[best] * (rules.players - 1)]
        check_seats(rules.players, seats)
        seats = in_language(rules.name, seats, language)
        self._brought = [
            kind
            for kind in dict.fromkeys(seats)
            if kind != "person" and kind not in kit.offered(language)
        ]
        self._keeping = Keeping(store or store_in(data_directory()))
        self._language = language
        self._offer: dict[str, Any] | None = None
        self._notice = ""
        self.resumed = False
        Table._made[rules.name] += 1
        self._name = f"{rules.name}/{name or Table._made[rules.name]}"
        self._screen = Screen(game if isinstance(game, Run) else Run(rules, seats, names, seed))
        self._run.exchange(seats)
        self._own = self._run  # what is on the table when the first steps are left
        self._next: dict[
            str, Any
        ] = {}  # options that the form for the next match is filled in with
        self._unopened = None
        self._shared = False  # whether the browser draws what a spectator sees
        named = [
            {"value": each, "label": text(f"ui.language.{each}", each), "lang": each}
            for each in LANGUAGES
        ]
        self._esm = table_script(kit)
        super().__init__(languages=named, art=kit.drawings(), zone_css=zone_styles(kit))
        self._speak()
        self._show()
        self.on_msg(lambda _widget, content, _buffers: self.hear(content))

    @property
    def _run(self) -> Run:
        """The match on the table, as it runs."""
        return self._screen.run

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

    def next_match(self, **options: Any) -> bool:
        """Have the next match played with these *options*, the others being as they are in this
        one.

        A match in which a person has acted is left alone, and the form for a new one is filled in
        with them. Else the match on the table is laid out anew at once. What this browser
        remembers, and could not be opened without what was loaded since, is opened now.

        :return: whether the match on the table has them.
        :raises OptionError: for an option or a value that the game does not have.
        """
        game = self._run.game
        now = {each.name: getattr(game.options, each.name) for each in fields(game.options)}
        new = type(game)(game.players, game.options_from(now | options))
        self._next |= options
        if self._unopened is not None:
            with suppress(RecordError):
                self._do_hello(self._unopened)
        if not self._run.played:
            offer, before = self._offer, self._run
            self._sit_down(Run(new, before.players, before.match.names, before.match.seed))
            self._offer = offer
        else:
            self._set_out()
        self._show()
        return not self._run.played

    @property
    def _offered(self) -> list[type[Strategy]]:
        """The strategies that may take a seat: the kit's, in the table's language, and those
        brought along.
        """
        return [*kit_of(self.game).offered(self._language), *self._brought]

    def _speak(self) -> None:
        """Send the words of the interface in the language chosen."""
        texts = {**load_texts(), **load_texts(self.game)}
        self.words = {
            id[len(UI) :]: each[self._language] for id, each in texts.items() if id.startswith(UI)
        }
        self._set_out()

    def _set_out(self) -> None:
        """Send what belongs to this match: the form filled in as it is, and the pages about its
        cards.
        """
        filled = form(
            self._own if is_first(self._run.match) else self._run, self._offered, self._language
        )
        filled["chosen"]["options"] |= self._next
        self.setup = filled
        self.handbook = handbook(self._run.game, self._language)

    def _show(self) -> None:
        view = self._screen.view(self._language)
        if view["trouble"]:
            view["trouble"]["choices"] = self.setup["by"]
        if self._keeping.elsewhere:
            view |= {"more": False, "racing": 0}  # time goes by in the other page
        if self._shared:
            view["spectator"] = self._screen.spectator(self._language)
        self.view = view | {
            "table": self._name,
            "offer": self._offer and self._question(self._offer),
            "notice": self._notice,
            "boxes": self._keeping.boxes(self._run, self._language),
            "kept": self._run.played,
            "named": any(self._run.match.names),
        }

    def hear(self, content: Any) -> None:
        """Do what *content*, a message of table.js, asks for; see :mod:`coursekit.table.messages`.

        What is no such message is passed over; what cannot be done is answered with a sentence.
        """
        kind = kind_of(content)
        if kind is None:
            return
        lost = self._keeping.look(self._run)
        try:
            check(content, self._run)
            if self._keeping.elsewhere and kind in CHANGES:
                self._do_nothing(content)
                return
            self._notice = "" if kind in GOES_ON else self._notice
            mended = self._mended()
            news = getattr(self, f"_do_{kind}")(content) is not False or mended
        except LocalizedError as error:
            self._refuse(content, error.sentence(self._language, self._run.match.names))
            if lost:
                self._show()
            return
        except Exception as error:  # a mistake in the rules or the kit; its words might name cards
            log.exception("the table could not do %s", kind)
            line = traceback.extract_tb(error.__traceback__)[-1]
            where = {
                "file": Path(line.filename).name,
                "line": line.lineno,
                "kind": type(error).__name__,
            }
            self._refuse(content, text("table.broken", self._language, **where))
            return
        told = self._keeping.keep(self._run)  # before the screen moves on
        if news or told or lost:
            self._show()

    def _mended(self) -> bool:
        """Let classes play on whose cells were mended and run again, and say so; return whether
        there were any.
        """
        new: dict[Player, type[Strategy]] = {
            kind: now for kind in self._brought if (now := newest(kind)) is not kind
        }
        mended = [player_name(self.game, kind, self._language) for kind in new]
        if mended:
            self._brought = [new.get(kind, kind) for kind in self._brought]
            told = [
                words
                for kind in new.values()
                for _, words in find_misspellings(kind, Strategy, self._run.game, self._language)
            ]
            self._run.exchange([new.get(player, player) for player in self._run.players])
            self._notice = " ".join(
                [
                    text("table.mended", self._language, who=join_words(mended, self._language)),
                    *told,
                ]
            )
        return bool(mended)

    def _do_nothing(self, content: dict[str, Any]) -> None:
        """Answer what would go on with a match that another page has."""
        if content["type"] == "tick":
            self.send({"type": "ticked", "tick": self._run.ticks})
        elif content["type"] != "more":  # the page asks for these by itself
            self._refuse(content, text("table.elsewhere", self._language))
        self._show()

    def _answer(self, content: dict[str, Any], **parts: Any) -> None:
        """Send an answer to *content*."""
        self.send(parts | to_sender(content))

    def _refuse(self, content: dict[str, Any], words: str) -> None:
        self._answer(content, type="refusal", text=words)

    def _sit_down(self, run: Run) -> None:
        self._screen, self._offer, self.resumed = Screen(run), None, False
        self._set_out()

    # One method per message of table.js; one that returns False has changed nothing that is shown

    def _do_act(self, content: dict[str, Any]) -> None:
        parts = ("match", "branch", "acted")
        self._screen.act(content["seat"], content.get("action"), *[content[part] for part in parts])
        self._offer = None

    def _do_more(self, content: dict[str, Any]) -> None:
        self._screen.go_on(content["events"])  # a second view of the same table asks as well

    def _do_tick(self, content: dict[str, Any]) -> bool:
        # Its number lets each moment go by once, however many views ask and however late a busy
        # kernel hears of it.
        asked = tuple(content.get(part) for part in ("match", "branch", "tick"))
        news = asked == (self._run.id, self._run.branch, self._run.ticks) and self._screen.tick()
        self.send({"type": "ticked", "tick": self._run.ticks})
        return news

    def _do_try(self, content: dict[str, Any]) -> bool:
        refusal, preview = self._screen.attempt(content["seat"], content.get("action"))
        words = (
            ""
            if refusal is None
            else sentence(self._run.game, refusal, self._language, self._run.match.names)
        )
        about = [] if refusal is None else list(refusal.values.get("about", ()))
        self._answer(
            content, type="tried", n=content["n"], text=words, preview=preview, about=about
        )
        return False

    def _do_suggest(self, content: dict[str, Any]) -> bool:
        action = self._screen.suggestion(content["seat"], content["n"], content.get("about"))
        self._answer(content, type="suggested", n=content["n"], action=action)
        return False

    def _do_uncover(self, content: dict[str, Any]) -> None:
        self._screen.uncover(content["seat"])

    def _do_share(self, content: dict[str, Any]) -> bool:
        """Send what a spectator sees along from now on; the answer tells a second window that
        somebody is there.
        """
        before, self._shared = self._shared, True
        self._answer(content, type="shared")
        return not before

    def _do_cover(self, _content: dict[str, Any]) -> None:
        self._screen.cover()

    def _do_language(self, content: dict[str, Any]) -> None:
        if content["language"] in LANGUAGES:
            self._language = content["language"]
            self._run.exchange(in_language(self.game, self._run.players, self._language))
            self._speak()

    def _do_new(self, content: dict[str, Any]) -> None:
        run = filled_in(type(self._run.game), self._offered, content)
        self._next = {}
        self._sit_down(run)

    def _do_first(self, content: dict[str, Any]) -> bool:
        """Begin the first match of a new player, or go back to the match that was on the table
        before.
        """
        kit, guided = kit_of(self._run.game), is_first(self._run.match)
        if kit.guide is None or guided == content["on"]:
            return False
        run = self._own
        if not guided:
            self._own = self._run
            run = Run(
                kit.guide.first_game(kit.rules),
                first_players(kit, self._language),
                seed=kit.guide.seed,
            )
        run.exchange(in_language(self.game, run.players, self._language))
        self._sit_down(run)
        return True

    def _do_step(self, content: dict[str, Any]) -> None:
        self._screen.look_at(content["entry"])

    def _do_weigh(self, content: dict[str, Any]) -> None:
        self._screen.shown.weigh(content["entry"])

    def _do_now(self, _content: dict[str, Any]) -> None:
        self._screen.look_at(None)

    def _do_fork(self, content: dict[str, Any]) -> None:
        self._screen.fork(content["entry"])

    def _do_replace(self, content: dict[str, Any]) -> None:
        player = players_by_key(self._offered).get(content["by"])
        if player is None:
            raise StaleError("table.stale")
        self._screen.replace(content["seat"], player)

    def _do_save(self, content: dict[str, Any]) -> None:
        record, names = self._run.record(), content.get("names") is True
        if any(record.names) and not names:
            record = replace(record, names=())
            self._notice = text("table.unnamed", self._language)
        name = f"coursekit-{record.game}-{self._run.id[:6]}.json"
        self._answer(content, type="download", name=name, text=record.dumps())


def make_game(
    game: str | GameKit | Game[Any, Any, Any], players: int | None = None
) -> Game[Any, Any, Any]:
    """Return *game*, or the game of that name or kit with its standard rules.

    :raises ValueError: if there is none of that name, or not for that many players.
    """
    return game if isinstance(game, Game) else kit_of(game).standard(players)
