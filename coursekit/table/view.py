"""What one viewer gets of a match that runs, as JSON that ``static/table.js`` draws.

A view is made of what its viewer observed and may read, and of what everybody knows: who plays, who
has to decide, and whether the match is over. So it holds nothing that this viewer may not know.
"""

from collections.abc import Collection
from typing import Any

from coursekit.core.game import TABLE, Game, Seat
from coursekit.core.search import Thought
from coursekit.core.strategy import (
    Reason,
    StrategyError,
    explain_action,
    explanation_error,
    make_player,
)
from coursekit.kit import kit_of
from coursekit.kit.scene import Look, Page, Scene, zones_of
from coursekit.table import what_if
from coursekit.table.players import player_key, player_name
from coursekit.table.read_only_scene import make_read_only
from coursekit.table.run import Run, StaleError
from coursekit.table.snapshot import Snapshot
from coursekit.words.texts import game_text

LONGEST = 300
"""Characters of a strategy's reason that are told."""
RULES = "rules"
"""The page of the handbook with the rules in short."""
STORY = 200  # events that a view tells, the last ones


class View:
    """What one viewer has been shown of *run*, and what is still to be shown.

    It begins with the present. Views of one run know nothing of each other: each is advanced when
    its viewer is ready for more.

    :param seat: the person who looks, ``None`` for a spectator.
    :param had: ``None`` for a screen of one's own. At a screen that several people pass on, those
        who have had it in this race; in one of :attr:`.Game.open_phases` all who may act use it
        together.
    """

    def __init__(self, run: Run, seat: Seat | None, had: Collection[Seat] | None = None) -> None:
        self.run, self.seat, self.had = run, seat, had
        self.back = False
        """Whether it shows an earlier moment of the match, in which nothing can be done."""
        self.moments: list[Snapshot] = []
        """What it shows, one scene each."""
        self.thought: Thought | None = None
        """What came of each action at the decision after the earlier moment that it shows, if that
        was asked for.
        """
        self.catch_up()

    # What is shown

    def catch_up(self) -> None:
        """Show the present alone, as a viewer needs who comes or comes back: nothing is missed but
        how it came.
        """
        self.back, self.moments, self.thought = False, [self.run.snapshot()], None

    def advance(self) -> bool:
        """Show what there was to see since the last moment that is shown; return whether there was
        anything.

        A viewer who lags so far behind that the run keeps it no more gets the present.
        """
        last, kept = self.moments[-1], self.run.moments
        return self._show(
            kept[-1:] if self._lost else [moment for moment in kept if moment.entry > last.entry]
        )

    @property
    def _lost(self) -> bool:
        """Whether the run no longer keeps what is shown: it is long past, or the match continued
        differently.
        """
        return self.moments[-1].number < self.run.moments[0].number

    def show_latest(self) -> None:
        """Show what strategies have done since a person decided last, whether it has been shown or
        not.
        """
        self.back, self.moments, self.thought = False, [], None
        self._show([moment for moment in self.run.moments if moment.entry >= self.run.since])

    def look_back(self, entry: int) -> None:
        """Show the moment after *entry* actions, with nothing to do in it.

        :raises StaleError: as :meth:`.Run.must_have`.
        """
        self.run.must_have(entry)
        self.show(entry)

    def show(self, entry: int) -> None:
        """Show the moment after *entry* actions as the viewer saw it then, whether they may ask for
        it or not.
        """
        self.back, self.moments, self.thought = True, [self.run.snapshot(entry)], None

    @property
    def weighable(self) -> bool:
        """Whether the viewer may ask what else could have been done after the earlier moment that
        is shown.

        While a person plays that is their own decision alone: what another seat could do tells its
        hand.
        """
        run, moment = self.run, self.moments[-1]
        if not self.back or run.hosted or not run.counted or moment.entry == len(run.match.log):
            return False
        seat, _ = run.match.log[moment.entry]
        return (run.open or seat == self.seat) and what_if.is_weighable(run.game, moment, seat)

    def weigh(self, entry: int) -> None:
        """Try each action at the decision after *entry* actions, which is shown, for about a
        second.

        :raises StaleError: unless it is :attr:`is_weighable`.
        """
        if entry != self.moments[-1].entry or not self.weighable:
            raise StaleError("table.stale")
        self.thought = what_if.weigh(self.run.match, entry)

    def _show(self, moments: list[Snapshot]) -> bool:
        """Show *moments*; in a race those that look no different to the viewer from the one before
        are passed over.

        So a viewer cannot count what others do unseen.
        """
        races, news = self.run.game.races, list[Snapshot]()
        for moment in moments:
            shown = news or self.moments
            if (
                shown
                and moment.seen[None].phase in races
                and moment.same(shown[-1], None, self.seat)
            ):
                shown[-1] = moment
            else:
                news.append(moment)
        self.moments = news or self.moments
        return bool(news)

    # What a browser gets

    @property
    def events(self) -> int:
        """How many events the viewer may read."""
        return len(self.run.seat_log(self.seat).story)

    @property
    def acted(self) -> int:
        """How many actions the viewer and the table have taken, to tell a stale click by."""
        return self.run.seat_log(self.seat).acted

    def json(self, language: str) -> dict[str, Any]:
        """Return all that is shown, in *language*; see ``static/table.js`` for its parts.

        What belongs to a screen that is passed on is there and empty: :class:`.Screen` fills it in.
        """
        if self._lost:
            self.catch_up()
        run, kit = self.run, kit_of(self.run.game)
        assert kit.scene is not None
        heard = run.seat_log(self.seat)
        counts = [heard.counts[moment.entry] for moment in self.moments]
        scenes: list[Scene] = [
            kit.scene(moment.seen[self.seat], heard.story[:count], self._look(moment, language))
            for moment, count in zip(self.moments, counts)
        ]
        if kit.guide is not None:
            for scene, moment in zip(scenes, self.moments):
                scene["rule"] = kit.guide.marked(moment.seen[None].phase)
                if heard.told is not None:
                    scene["hints"] = list(heard.told.after[moment.entry])
        if self.back:
            scenes[-1]["prompt"] = self._came_next(language) or scenes[-1]["prompt"]
        if run.trouble is not None and not self.back:
            self._stuck(scenes[-1], run.trouble.seat, language)
        for seat in run.stood_in:
            _mark(scenes[-1], seat, game_text(run.game, "table.stood_in", language))
        skip, end = max(0, counts[-1] - STORY), counts[-1]
        log = heard.lines(language, skip, end)
        for number in kit.forgets(heard.story[skip:end], run.game):
            if skip + number < counts[0]:
                log[number] = None
        told = [
            len(lines) - lines.count(None)
            for lines in (log[: max(0, count - skip)] for count in counts)
        ]
        length = (
            {"entry": self.moments[-1].entry, "entries": len(run.match.log)} if run.counted else {}
        )
        return {
            "match": run.id,
            "branch": run.branch,
            "acted": heard.acted,
            "viewer": self.seat,
            "people": len(run.people),
            "waiting": len(run.waiting),
            "language": language,
            "scenes": [make_read_only(scene, kit.zones) for scene in scenes]
            if self.back or run.closed
            else scenes,
            "story": [line for line in log if line is not None],
            "told": told,
            "more": run.more and not self.back and not run.trouble,
            "covered": [],
            "covered_words": game_text(run.game, "table.covered_some", language),
            "looking_back": self.back,
            "may_look_back": run.counted,
            "may_save": not run.private,
            "guided": heard.told is not None,
            "racing": 0,
            "tick": run.ticks,
            "events": len(heard.story),
            **length,
            "seed": None if run.private else run.match.seed,
            "trouble": self._trouble(language),
            "why": self._why(language),
            "may_weigh": self.weighable,
            "weighed": self.thought
            and what_if.describe_thought(self.run.match, self.moments[-1], self.thought, language),
        }

    def _came_next(self, language: str) -> str:
        """Return who decided after the earlier moment that is shown, "" if nobody did; what was
        asked then is past.
        """
        run, entry = self.run, self.moments[-1].entry
        seat, _ = run.match.log[entry] if entry < len(run.match.log) else (TABLE, None)
        return (
            ""
            if seat == TABLE
            else game_text(run.game, "table.came_next", language, run.match.names, seat=seat)
        )

    def _why(self, language: str) -> str:
        """Return why the strategy that decided after the earlier moment that is shown did so, where
        hands lie open.
        """
        run, moment = self.run, self.moments[-1]
        if not self.back or not run.counted or moment.entry == len(run.match.log) or not run.open:
            return ""
        seat, action = run.match.log[moment.entry]
        if seat == TABLE or (player := run.players[seat]) == "person":
            return ""
        try:
            asked = make_player(player, seat, run.game, run.match.seed)
            why = explain_action(asked, seat, moment.seen[seat], action)
            if isinstance(why, Reason):
                why = game_text(run.game, why.text, language, run.match.names, **why.values)
            why = str(why)[:LONGEST] if why else ""
        except StrategyError as error:
            why = error.sentence(language, run.match.names)[:LONGEST]
        except Exception as error:  # it returned a reason that has no words
            why = explanation_error(asked, seat, error).sentence(language, run.match.names)[
                :LONGEST
            ]
        return (
            game_text(run.game, "table.why", language, run.match.names, seat=seat, why=why)
            if why
            else ""
        )

    def _look(self, moment: Snapshot, language: str) -> Look:
        """Return how the viewer sees *moment*: with all hands open once there are no secrets left."""
        run = self.run
        ended = run.match.over and (self.back or moment.entry == len(run.match.log))
        opened = (
            [moment.seen[seat] for seat in run.game.seats]
            if ended or (run.open and not run.match.over)
            else []
        )
        by = [player_name(run.game.name, player, language) for player in run.players]
        shared = self.had is not None and len(run.people) > 1
        together = shared and moment.seen[None].phase in run.game.open_phases
        acting = (
            moment.waiting
            if together
            else tuple(seat for seat in moment.waiting if seat == self.seat)
        )
        turns = shared and run.private and run.raced
        wait_for = (
            [seat for seat in moment.waiting if seat not in (self.had or ())] if turns else []
        )
        return Look(run.game, language, run.match.names, by, opened, acting, wait_for)

    def _stuck(self, scene: Scene, seat: Seat, language: str) -> None:
        """Let *scene* say that the strategy at *seat* is stuck, not that it is thinking."""
        run = self.run
        scene["prompt"] = game_text(
            run.game, "table.stuck_prompt", language, run.match.names, seat=seat
        )
        for place in _mark(scene, seat, game_text(run.game, "table.stuck", language)):
            place["turn"] = False

    def _trouble(self, language: str) -> dict[str, Any] | None:
        """Return which strategy is in trouble and why, while several people play in words that tell
        no cards.
        """
        run = self.run
        if (trouble := run.trouble) is None:
            return None
        why = trouble.outline(language) if run.private else trouble.sentence(language)
        words = game_text(
            run.game, "table.trouble", language, run.match.names, seat=trouble.seat, words=why
        )
        return {"seat": trouble.seat, "by": player_key(run.players[trouble.seat]), "text": words}


def _mark(scene: Scene, seat: Seat, words: str) -> list[Any]:
    """Put *words* on the places of *seat* in *scene*, and return those."""
    found = [
        place
        for zone in zones_of(scene["zones"])
        for place in zone.get("places", [])
        if place["seat"] == seat
    ]
    for place in found:
        place["badges"] = [*place["badges"], words]
    return found


def handbook(game: Game[Any, Any, Any], language: str) -> dict[str, Page]:
    """Return what the box of *game* tells about its cards, by the ids that pieces name, and its
    rules in short.
    """
    kit, look = kit_of(game), Look(game, language)
    pages = dict(kit.handbook(look))
    if kit.guide is not None:
        pages[RULES] = {"title": look.say("ui.rules"), "text": kit.guide.told(look), "facts": []}
    return pages
