"""The table as a widget: one seat of a match in a notebook cell or under Voilà."""

import logging
import os
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from coursekit.core.errors import Spoken
from coursekit.core.game import Game, Seat, sentence
from coursekit.core.match import Match, Record, RecordError, replay
from coursekit.core.strategy import Strategy, StrategyError
from coursekit.kit import GameKit, kit_of
from coursekit.table.host import Host, Player, Stale, handbook, player_name
from coursekit.table.parts import one_file, script, style
from coursekit.table.setup import by_key, filled_in, form, key
from coursekit.table.store import Store, data_directory, store_in
from coursekit.words.texts import LANGUAGES, joined, table, text

UI = "ui."
HERE = {"match": str, "branch": int}
MESSAGES: dict[str, dict[str, type]] = {
    "hello": {},
    "language": {"language": str},
    "new": {"players": int, "seats": list, "options": dict, "seed": str},
    "load": {"text": str},
    "resume": {"id": str},
    "dismiss": {},
    "act": HERE | {"acted": int, "seat": int},
    "more": HERE | {"events": int},
    "tick": {},
    "try": HERE | {"seat": int, "n": int},
    "suggest": HERE | {"seat": int, "n": int},
    "uncover": HERE | {"seat": int},
    "cover": HERE,
    "step": HERE | {"entry": int},
    "now": HERE,
    "fork": HERE | {"entry": int},
    "replace": HERE | {"seat": int, "by": str},
    "save": HERE,
}
"""What table.js may send: the parts of each message and their types; ``HERE`` names the moment it was sent at."""
LARGEST = 12_000
"""How large something to do may be, see :func:`is_small`: a stroke of 500 points is just below 10,000."""
LONGEST_SENDER = 60
"""Characters by which a view may call itself and what it asks."""
log = logging.getLogger(__name__)


class Table(anywidget.AnyWidget):
    """A match to play, with everything that belongs beside the table.

    :param game: a game's name, its kit, or a game with its players and options.
    :param players: how many, if *game* is a name; the fewest the game allows by default.
    :param seats: who plays each seat: ``"person"`` or a strategy class.  By default one
        person and the game's best strategy in all other seats.
    :param names: the players' names; an empty one is shown as "Player 1".
    :param seed: any text or number, the same for the same deal; ``None`` for chance.
    :param language: ``"zh-Hant"``, ``"en"`` or ``"zh-Hans"``; it can be switched at the table.
        The kit's strategies that write words do so in it, too.
    :param name: tells apart several tables on one page, which remember a match each.
    :raises ValueError: for an unknown game or language, a game without a scene, or seats that do not fit.
    """

    _made: ClassVar[Counter[str]] = Counter()  # tables by game, to tell nameless ones apart

    # Everything synced here reaches the browser and the saved notebook.
    _css = one_file("css")
    zone_css = traitlets.Unicode("").tag(sync=True)
    """The look of zones that only this game has: apart from ``_css``, of which a page has one for all tables."""
    view = traitlets.Dict().tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    languages: traitlets.List[dict[str, str]] = traitlets.List().tag(sync=True)
    art = traitlets.Unicode("").tag(sync=True)
    handbook = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str | GameKit | Game[Any, Any, Any],
        players: int | None = None,
        *,
        seats: Sequence[Player] | None = None,
        names: Sequence[str] = (),
        seed: str | int | None = None,
        language: str = LANGUAGES[0],
        name: str = "",
        store: Store | None = None,
    ) -> None:
        rules = make_game(game, players)
        kit = kit_of(rules)
        if kit.scene is None:
            raise ValueError(f"{rules.name} has no scene, so it cannot be put on a table; see GameKit.scene")
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        kits = kit.players(language)
        seats = list(seats) if seats is not None else ["person", *[kits[-1]] * (rules.players - 1)]
        self._check_seats(rules, seats)
        seats = in_language(rules.name, seats, language)
        self._brought = [kind for kind in dict.fromkeys(seats) if kind != "person" and kind not in kits]
        self._store = store or store_in(data_directory())
        self._language = language
        self._offer: dict[str, str] | None = None
        Table._made[rules.name] += 1
        self._name = f"{rules.name}/{name or Table._made[rules.name]}"
        self._host = Host(rules, seats, names, seed)
        self._saved: tuple[str, int, int] | None = None  # match, branch and entries kept last
        self._next: dict[str, Any] = {}  # options that the form for the next match is filled in with
        self._unopened: dict[str, Any] | None = None  # the hello whose match wants words or cards not loaded yet
        named = [{"value": each, "label": text(f"ui.language.{each}", each)} for each in LANGUAGES]
        self._esm = script(kit)
        super().__init__(languages=named, art=kit.drawings(), zone_css=style(kit))
        self._speak()
        self._show()
        self.on_msg(self._on_message)

    @staticmethod
    def _check_seats(rules: Game[Any, Any, Any], seats: Sequence[Any]) -> None:
        if len(seats) != rules.players:
            raise ValueError(f"{rules.players} players need {rules.players} seats, not {len(seats)}")
        for seat in seats:
            if seat != "person" and not (isinstance(seat, type) and issubclass(seat, Strategy)):
                raise ValueError(f'a seat is "person" or a Strategy class, not {seat!r}')

    @property
    def match(self) -> Match:
        """The match on the table, for a look at it in another cell.

        :raises Stale: while several people play, since it tells every hand.
        """
        self._host.must_be_open()
        return self._host.match

    @property
    def game(self) -> str:
        """The name of the game on the table."""
        return self._host.game.name

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people play."""
        return tuple(self._host.people)

    @property
    def record(self) -> Record:
        """The save file of the match on the table.

        :raises Stale: while several people play, since it tells every hand.
        """
        return self._host.record()

    @property
    def trouble(self) -> StrategyError | None:
        """What a strategy did wrong, with everything that the page does not tell of it."""
        return self._host.trouble

    def next_match(self, **options: Any) -> bool:
        """Have the next match played with these *options*, the others being as they are in this one.

        A match that somebody has begun is left alone, and the form for a new one is filled in with them.  Else
        the match on the table is laid out anew at once.  What this browser remembers, and could not be opened
        without what was loaded since, is opened now.

        :return: whether the match on the table has them.
        :raises OptionError: for an option or a value that the game does not have.
        """
        game = self._host.game
        now = {each.name: getattr(game.options, each.name) for each in fields(game.options)}
        new = type(game)(game.players, game.options_from(now | options))
        self._next |= options
        if self._unopened is not None:
            with suppress(RecordError):
                self._do_hello(self._unopened)
        if not self._host.played:
            offer, before = self._offer, self._host
            self._sit_down(Host(new, before.players, before.match.names, before.match.seed))
            self._offer = offer
        else:
            self._set_out()
        self._show()
        return not self._host.played

    @property
    def _offered(self) -> list[type[Strategy]]:
        """The strategies that may take a seat: the kit's, in the table's language, and those somebody has brought."""
        return [*kit_of(self.game).players(self._language), *self._brought]

    def _speak(self) -> None:
        """Send the words of the interface in the language chosen."""
        texts = {**table(), **table(self.game)}
        self.words = {id[len(UI) :]: each[self._language] for id, each in texts.items() if id.startswith(UI)}
        self._set_out()

    def _set_out(self) -> None:
        """Send what belongs to this match: the form filled in as it is, and the pages about its cards."""
        filled = form(self._host, self._offered, self._language)
        filled["chosen"]["options"] |= self._next
        self.setup = filled
        self.handbook = handbook(self._host.game, self._language)

    def _show(self) -> None:
        view = self._host.view(self._language)
        if view["trouble"]:
            view["trouble"]["choices"] = self.setup["by"]
        self.view = view | {"table": self._name, "offer": self._offer, "kept": self._host.played}

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        kind = content.get("type") if isinstance(content, dict) else None
        if not isinstance(kind, str) or kind not in MESSAGES:
            return
        try:
            self._check(content, MESSAGES[kind])
            news = getattr(self, f"_do_{kind}")(content) is not False
        except Spoken as error:
            self._refuse(content, error.sentence(self._language, self._host.match.names))
            return
        except Exception as error:  # a mistake in the rules or the kit; its words might name cards
            log.exception("the table could not do %s", kind)
            line = traceback.extract_tb(error.__traceback__)[-1]
            where = {"file": Path(line.filename).name, "line": line.lineno, "kind": type(error).__name__}
            self._refuse(content, text("table.broken", self._language, **where))
            return
        self._keep()  # before the screen moves on
        if news:
            self._show()

    def _keep(self) -> None:
        """Save the match if it has gone on, also unseen."""
        now = (self._host.id, self._host.branch, len(self._host.match.log))
        if self._host.played and now != self._saved:
            self._store.save(self._host.id, self._host.match.record(), [key(each) for each in self._host.players])
            self._saved = now

    def _check(self, content: dict[str, Any], parts: dict[str, type]) -> None:
        """Raise :class:`Stale` unless *content* has all *parts* and was sent from the match on the table."""
        if not all(type(content.get(part)) is kind for part, kind in parts.items()):
            raise Stale("table.stale")
        if not is_small([content.get(part) for part in ("action", "about", "n")]):
            raise Stale("table.too_long")
        if "match" in parts and (content["match"], content["branch"]) != (self._host.id, self._host.branch):
            raise Stale("table.stale")

    def _answer(self, content: dict[str, Any], **parts: Any) -> None:
        """Send an answer to *content*, for the view alone that has sent it: all views of a table hear everything."""
        sender = content.get("from")
        known = isinstance(sender, str) and len(sender) <= LONGEST_SENDER
        self.send(parts | ({"to": sender} if known else {}))

    def _refuse(self, content: dict[str, Any], words: str) -> None:
        self._answer(content, type="refusal", text=words)

    def _sit_down(self, host: Host) -> None:
        self._host, self._offer = host, None
        self._set_out()

    # One method per message of table.js; one that returns False has changed nothing that is shown

    def _do_act(self, content: dict[str, Any]) -> None:
        parts = ("match", "branch", "acted")
        self._host.act(content["seat"], content.get("action"), *[content[part] for part in parts])
        self._offer = None

    def _do_more(self, content: dict[str, Any]) -> None:
        # A second view of the same table asks as well.
        if self._host.more and self._host.entry is None and content["events"] == self._host.events:
            self._host.go_on()

    def _do_tick(self, content: dict[str, Any]) -> bool:
        # Its number lets each moment go by once, however many views ask and however late a busy kernel hears of it.
        asked = tuple(content.get(part) for part in ("match", "branch", "tick"))
        news = asked == (self._host.id, self._host.branch, self._host.ticks) and self._host.tick()
        self.send({"type": "ticked", "tick": self._host.ticks})
        return news

    def _do_try(self, content: dict[str, Any]) -> bool:
        refusal, preview = self._host.attempt(content["seat"], content.get("action"))
        words = "" if refusal is None else sentence(self._host.game, refusal, self._language, self._host.match.names)
        about = [] if refusal is None else list(refusal.values.get("about", ()))
        self._answer(content, type="tried", n=content["n"], text=words, preview=preview, about=about)
        return False

    def _do_suggest(self, content: dict[str, Any]) -> bool:
        action = self._host.suggestion(content["seat"], content["n"], content.get("about"))
        self._answer(content, type="suggested", n=content["n"], action=action)
        return False

    def _do_uncover(self, content: dict[str, Any]) -> None:
        self._host.uncover(content["seat"])

    def _do_cover(self, _content: dict[str, Any]) -> None:
        self._host.cover()

    def _do_language(self, content: dict[str, Any]) -> None:
        if content["language"] in LANGUAGES:
            self._language = content["language"]
            self._host.exchange(in_language(self.game, self._host.players, self._language))
            self._speak()

    def _do_new(self, content: dict[str, Any]) -> None:
        host = filled_in(type(self._host.game), self._offered, content)
        self._next = {}
        self._sit_down(host)

    def _do_step(self, content: dict[str, Any]) -> None:
        self._host.look_at(content["entry"])

    def _do_now(self, _content: dict[str, Any]) -> None:
        self._host.look_at(None)

    def _do_fork(self, content: dict[str, Any]) -> None:
        self._host.fork(content["entry"])

    def _do_replace(self, content: dict[str, Any]) -> None:
        player = by_key(self._offered).get(content["by"])
        if player is None:
            raise Stale("table.stale")
        self._host.replace(content["seat"], player)

    def _do_save(self, content: dict[str, Any]) -> None:
        record = self._host.record()
        name = f"coursekit-{record.game}-{self._host.id[:6]}.json"
        self._answer(content, type="download", name=name, text=record.dumps())

    def _do_load(self, content: dict[str, Any]) -> None:
        self._open(Record.loads(content["text"]), [key(player) for player in self._host.players])

    def _do_hello(self, content: dict[str, Any]) -> None:
        self._unopened = content
        self._welcome(content)
        self._unopened = None

    def _welcome(self, content: dict[str, Any]) -> None:
        """Go on with the match that the browser remembers, or offer it.

        :raises RecordError: if it cannot be opened.
        """
        id = content.get("remembered")
        kept = None if self._host.played or id == self._host.id or not isinstance(id, str) else self._store.load(id)
        if not kept or not self._fits(kept[0]):
            return
        # A reload under Voilà starts a new kernel, but for the reader it is the same page.
        if content.get("same_tab") and os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            self._open(*kept, id)
        elif not (match := replay(kept[0])).over:
            # Those that everybody saw: all of them would tell how much somebody did unseen.
            seen = sum(any(event.is_for(None) for event in events) for events in match.events)
            self._offer = {"id": id or "", "title": text("table.offer", self._language, actions=seen)}

    def _do_resume(self, content: dict[str, Any]) -> None:
        kept = self._store.load(content["id"])
        self._offer = None
        if kept is None or not self._fits(kept[0]):
            raise Stale("table.forgotten")
        self._open(*kept, content["id"])

    def _do_dismiss(self, _content: dict[str, Any]) -> None:
        self._offer = None

    def _fits(self, record: Record) -> bool:
        return record.game == self._host.game.name

    def _open(self, record: Record, by: Sequence[str], id: str | None = None) -> None:
        """Go on with *record*, its seats played by those whose keys are *by*; it is still the match *id*.

        :raises RecordError: if it belongs to another game.
        """
        if not self._fits(record):
            raise RecordError("record.other_game", got=record.game, allowed=self._host.game.name)
        known, match, best = by_key(self._offered), replay(record), self._offered[-1]
        by = [*by, *["person", *[key(best)] * match.game.players][len(by) :]][: match.game.players]
        self._sit_down(Host(match.game, [known.get(each, best) for each in by], match=match, id=id))
        if strangers := [each for each in dict.fromkeys(by) if each not in known]:
            who = {"who": joined(strangers, self._language), "now": player_name(record.game, best, self._language)}
            self.send({"type": "notice", "text": text("table.strangers", self._language, **who)})


def is_small(thing: Any) -> bool:
    """Return whether *thing* is as small as what a hand does: all it holds, in letters and binary digits."""
    size, left = 0, [thing]
    while left and size <= LARGEST:
        each = left.pop()
        size += len(each) + 1 if isinstance(each, (str, list, dict)) else each.bit_length() if type(each) is int else 1
        left += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
    return size <= LARGEST


def in_language(game: str, players: Sequence[Player], language: str) -> list[Player]:
    """Return *players*, the kit's own strategies among them as they are where *language* is spoken.

    >>> from coursekit.games.knitwit.strategies import Original
    >>> [getattr(each, "tongue", each) for each in in_language("knitwit", ["person", Original], "en")]
    ['person', 'en']
    """
    kit = kit_of(game)
    here = kit.players(language)
    ways = [kit.strategies, *(kit.players(each) for each in LANGUAGES)]
    same: dict[Player, Player] = {kind: here[place] for way in ways for place, kind in enumerate(way)}
    return [same.get(player, player) for player in players]


def make_game(game: str | GameKit | Game[Any, Any, Any], players: int | None = None) -> Game[Any, Any, Any]:
    """Return *game*, or the game of that name or kit with its standard rules.

    :raises ValueError: if there is none of that name, or not for that many players.
    """
    return game if isinstance(game, Game) else kit_of(game).standard(players)
