"""The match on one table: its screen, how it is kept, and the earlier match it can go on with."""

from collections.abc import Sequence
from typing import Any

from coursekit.cells.environment import on_page
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError
from coursekit.core.strategy import Strategy
from coursekit.core.strategy_methods import find_slips
from coursekit.files.text_files import NotTextError, file_kind
from coursekit.kit import kit_of
from coursekit.table.first_match import first_players, is_first
from coursekit.table.players import in_language, newest_class, player_key, player_name
from coursekit.table.run import Run, StaleError
from coursekit.table.shared_screen import Screen
from coursekit.table.storage.autosave import Autosave, StoredMatch
from coursekit.table.storage.store import Matches, follows
from coursekit.words.texts import game_titles, join_words, text


class Session:
    """What a :class:`.Table` plays.

    :param own: strategies that may take a seat beside the kit's.
    :param language: what its notices are written in.
    """

    def __init__(
        self, run: Run, store: Matches, language: str, own: Sequence[type[Strategy]]
    ) -> None:
        self.autosave = Autosave(store)
        self.language = language
        self.notice = ""
        """What happened at the last message, until the match goes on."""
        self._own_strategies = list(own)
        self._unopened: tuple[str | None, bool] | None = None
        """The hello whose match wants words or cards that are not loaded yet."""
        self._before_first = run  # what is on the table when the first match is left
        self.sit_down(run)

    def sit_down(self, run: Run) -> None:
        """Play *run* instead."""
        self.screen = Screen(run)
        self.offer: dict[str, Any] | None = None
        """The earlier match that is offered, see :meth:`.StoredMatch.offer`."""
        self.resumed = False
        """Whether the match was kept on this computer; one from a file was not."""

    @property
    def run(self) -> Run:
        """The match, as it runs."""
        return self.screen.run

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.run.game.name

    @property
    def offered_strategies(self) -> list[type[Strategy]]:
        """The strategies that may take a seat: the kit's, in the language, and the table's own."""
        return [*kit_of(self.game).offered_strategies(self.language), *self._own_strategies]

    def set_language(self, language: str) -> None:
        """Speak *language*, and have the kit's strategies write in it."""
        self.language = language
        self.run.exchange(in_language(self.game, self.run.players, language))

    def renew_strategies(self) -> bool:
        """Exchange strategies whose cells were run again; return whether there were any."""
        new = {}
        for kind in self._own_strategies:
            if (now := newest_class(kind)) is not kind:
                new[kind] = now
        if not new:
            return False
        names = [player_name(self.game, kind, self.language) for kind in new]
        notices = [text("table.mended", self.language, who=join_words(names, self.language))]
        for kind in new.values():
            slips = find_slips(kind, Strategy, self.run.game, self.language)
            notices += [words for _, words in slips]
        self._own_strategies = [new.get(kind, kind) for kind in self._own_strategies]
        self.run.exchange(
            [
                player if player == "person" else new.get(player, player)
                for player in self.run.players
            ]
        )
        self.notice = " ".join(notices)
        return True

    # The first match of a new player

    @property
    def own_run(self) -> Run:
        """The run that the form for a new match shows: not the first match, but the one before."""
        return self._before_first if is_first(self.run.match) else self.run

    def switch_first_match(self, on: bool) -> None:
        """Begin the first match of a new player, or go back to the match before."""
        kit = kit_of(self.game)
        if kit.guide is None or is_first(self.run.match) == on:
            return
        run = self._before_first
        if on:
            self._before_first = self.run
            players = first_players(kit, self.language)
            run = Run(kit.guide.first_game(kit.rules), players, seed=kit.guide.seed)
        run.exchange(in_language(self.game, run.players, self.language))
        self.sit_down(run)

    # An earlier match

    def welcome(self, remembered: str | None, same_tab: bool) -> None:
        """Go on with the match that the browser has *remembered*, or offer it.

        :raises LocalizedError: if it cannot be opened.
        """
        self._unopened = remembered, same_tab
        self._welcome(remembered, same_tab)
        self._unopened = None

    def _welcome(self, remembered: str | None, same_tab: bool) -> None:
        if remembered is None or self.run.played or remembered == self.run.id:
            return
        stored = self.autosave.find(remembered, self.game)
        if stored is None:
            return
        # A reload of a page starts a new kernel, but for the reader it is the same page.
        if same_tab and on_page():
            self.open(stored)
        else:
            self.offer = stored.offer()

    def welcome_again(self) -> None:
        """Open or offer what could not be opened at the last :meth:`welcome`."""
        if self._unopened is not None:
            self.welcome(*self._unopened)

    def look_again(self) -> None:
        """Offer what could not be looked up when the page opened, once the store works again."""
        if self._unopened is None or self.autosave.trouble is None:
            return
        if self.autosave.save(self.run) and self.autosave.trouble is None:
            self.welcome_again()

    def offer_question(self) -> dict[str, str] | None:
        """Return the question whether to go on with :attr:`offer`, or to look at it again."""
        if self.offer is None:
            return None
        title, resume = "table.offer", "ui.resume"
        if self.offer["over"]:
            title, resume = "table.offer_over", "ui.look_again"
        question = text(title, self.language, actions=self.offer["actions"])
        return {
            "id": self.offer["id"],
            "title": question,
            "resume": text(resume, self.language),
        }

    def resume(self, match_id: str) -> None:
        """Go on with a match that was offered.

        :raises StaleError: if it is no longer kept.
        """
        stored = self.autosave.find(match_id, self.game)
        self.offer = None
        if stored is None:
            raise StaleError("table.forgotten")
        self.open(stored)

    def take_over(self) -> None:
        """Take the match from the page that has gone on with it; what was played here is kept."""
        run = self.run
        mine = run.match.record()
        try:
            stored = self.autosave.find(run.id, self.game)
        except RecordError:
            stored = None
        if stored is None or follows(mine, stored.record):
            self.autosave.take(run)
        elif follows(stored.record, mine):
            self.open(stored)
        else:
            self.sit_down(Run(run.game, run.players, match=run.match))
            self.autosave.tell(LocalizedError("", "table.own_now"))

    def load(self, words: str) -> None:
        """Go on with the match in a file.

        :raises RecordError: if it is none of this game.
        """
        if kind := file_kind(words.encode("utf-8", "replace")):
            raise RecordError("record.kind", **NotTextError(kind).values)
        players = [player_key(player) for player in self.run.players]
        self.open(StoredMatch(Record.loads(words), players))

    def open(self, stored: StoredMatch) -> None:
        """Go on with *stored*.

        :raises RecordError: if it belongs to another game.
        """
        game = stored.record.game
        if game != self.game:
            raise RecordError(
                "record.other_game", got=game_titles(game), allowed=game_titles(self.game)
            )
        run, strangers = stored.start(self.offered_strategies)
        self.sit_down(run)
        self.resumed = stored.match_id is not None
        if self.resumed:
            self.autosave.take(run)
        if strangers:
            self.notice = text(
                "table.strangers",
                self.language,
                who=join_words(strangers, self.language),
                now=player_name(game, self.offered_strategies[-1], self.language),
            )
