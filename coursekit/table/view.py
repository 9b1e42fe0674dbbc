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
from coursekit.core.surroundings import Surroundings
from coursekit.kit import kit_of, standing_of
from coursekit.kit.scene import Look, Page, Scene, places_of, zones_of
from coursekit.kit.standing import Standing
from coursekit.table import what_if
from coursekit.table.players import player_key, player_name
from coursekit.table.read_only_scene import make_read_only
from coursekit.table.run import Run, StaleError
from coursekit.table.snapshot import Snapshot
from coursekit.words.texts import game_text, load_texts

LONGEST_REASON = 300
"""Maximum characters of a strategy's reason."""
RULES = "rules"
"""The page of the handbook with the rules in short."""
UI = "ui."
STORY = 200  # how many events a view tells, the last ones


class View:
    """What one viewer has been shown of *run*, and what is still to be shown.

    It begins with the present. Views of one run are independent: each is advanced when its viewer
    is ready for more.

    :param seat: the person who looks, ``None`` for a spectator.
    :param had: ``None`` for a screen of one's own. At a screen that several people pass on, those
        who have had it in this race; in one of :attr:`.Game.open_phases` all who may act use it
        together.
    """

    def __init__(self, run: Run, seat: Seat | None, had: Collection[Seat] | None = None) -> None:
        self.run = run
        self.seat = seat
        self.had = had
        self.back = False
        """Whether it shows an earlier moment of the match, in which nothing can be done."""
        self.moments: list[Snapshot] = []
        """What it shows, one scene each."""
        self.thought: Thought | None = None
        """What would have come of each action at the earlier moment, if that was asked for."""
        self.catch_up()

    # What is shown

    def catch_up(self) -> None:
        """Show the present alone, as a viewer needs who comes or comes back."""
        self._turn_to([self.run.snapshot()])

    def _turn_to(self, moments: list[Snapshot], back: bool = False) -> None:
        self.back = back
        self.moments = moments
        self.thought = None

    def advance(self) -> bool:
        """Show what there was to see since then; return whether there was anything.

        A viewer who lags so far behind that the run keeps it no more gets the present.
        """
        moments = self.run.moments
        if self._lost:
            return self._show(moments[-1:])
        last = self.moments[-1].entry
        return self._show([moment for moment in moments if moment.entry > last])

    @property
    def _lost(self) -> bool:
        """Whether the run no longer keeps what is shown: it is long past, or went on otherwise."""
        return self.moments[-1].number < self.run.moments[0].number

    def show_latest(self) -> None:
        """Show what strategies have done since a person decided last, also again."""
        self._turn_to([])
        self._show([moment for moment in self.run.moments if moment.entry >= self.run.since])

    def look_back(self, entry: int) -> None:
        """Show the moment after *entry* actions, with nothing to do in it.

        :raises StaleError: as :meth:`.Run.must_have`.
        """
        self.run.must_have(entry)
        self.show(entry)

    def show(self, entry: int) -> None:
        """Show the moment after *entry* actions without asking whether the viewer may."""
        self._turn_to([self.run.snapshot(entry)], back=True)

    @property
    def _next_action(self) -> tuple[Seat, Any] | None:
        """Who decided what after the earlier moment that is shown, if that may be told."""
        log, entry = self.run.match.log, self.moments[-1].entry
        if not self.back or not self.run.counted or entry == len(log):
            return None
        return log[entry]

    @property
    def may_weigh(self) -> bool:
        """Whether the viewer may ask what else could have been done at the earlier moment.

        While a person plays that is their own decision alone: what another seat could do tells its
        hand.
        """
        run = self.run
        if run.hosted or self._next_action is None:
            return False
        seat, _ = self._next_action
        is_known = run.open or seat == self.seat
        return is_known and what_if.is_weighable(run.game, self.moments[-1], seat)

    def weigh(self, entry: int) -> None:
        """Try for about a second each action at the decision after *entry* actions.

        :raises StaleError: unless it is :attr:`is_weighable`.
        """
        if entry != self.moments[-1].entry or not self.may_weigh:
            raise StaleError("table.stale")
        self.thought = what_if.weigh(self.run.match, entry)

    def _show(self, moments: list[Snapshot]) -> bool:
        """Show *moments*; return whether there are any.

        In a race, moments that look no different to the viewer are passed over, so that a viewer
        cannot count what others do unseen.
        """
        races, news = self.run.game.races, list[Snapshot]()
        for moment in moments:
            shown = news or self.moments
            is_race = moment.seen[None].phase in races
            if shown and is_race and moment.same(shown[-1], None, self.seat):
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
        run = self.run
        log = run.seat_log(self.seat)
        weighed = None
        if self.thought is not None:
            weighed = what_if.describe_thought(run.match, self.moments[-1], self.thought, language)
        view = {
            "match": run.id,
            "branch": run.branch,
            "acted": log.acted,
            "viewer": self.seat,
            "people": len(run.people),
            "waiting": len(run.waiting),
            "language": language,
            "scenes": self._scenes(language),
            **self._story(language),
            "more": run.more and not self.back and not run.trouble,
            "covered": [],
            "covered_words": game_text(run.game, "table.covered_some", language),
            "looking_back": self.back,
            "may_look_back": run.counted,
            "may_save": not run.private,
            "guided": log.hints is not None,
            "racing": 0,
            "tick": run.ticks,
            "events": len(log.story),
            "seed": None if run.private else run.match.seed,
            "trouble": self._trouble(language),
            "why": self._why(language),
            "may_weigh": self.may_weigh,
            "weighed": weighed,
        }
        if run.counted:
            view |= {"entry": self.moments[-1].entry, "entries": len(run.match.log)}
        return view

    def _say(self, text_id: str, language: str, **values: Any) -> str:
        return game_text(self.run.game, text_id, language, self.run.match.names, **values)

    def _scenes(self, language: str) -> list[Scene]:
        """Return the scene of each moment; only the last one is about the present."""
        run, kit = self.run, kit_of(self.run.game)
        assert kit.scene is not None
        log = run.seat_log(self.seat)
        scenes = []
        for moment in self.moments:
            story = log.story[: log.counts[moment.entry]]
            scene: Scene = kit.scene(moment.seen[self.seat], story, self._look(moment, language))
            if kit.guide is not None:
                scene["rule"] = kit.guide.place_of_rule(moment.seen[None].phase)
                if log.hints is not None:
                    scene["hints"] = list(log.hints.after[moment.entry])
            scenes.append(scene)
        last = scenes[-1]
        if self.back:
            self._tell_who_came_next(last, language)
        elif run.trouble is not None:
            seat = run.trouble.seat
            last["prompt"] = self._say("table.stuck_prompt", language, seat=seat)
            for place in _mark(last, seat, game_text(run.game, "table.stuck", language)):
                place["turn"] = False  # it is stuck, not thinking
        for seat in run.stood_in:
            _mark(last, seat, game_text(run.game, "table.stood_in", language))
        if self.back or run.closed:
            scenes = [make_read_only(scene, kit.zones) for scene in scenes]
        is_over = run.closed or (run.hosted and run.match.over)
        if is_over and self.moments[-1].entry == len(run.match.log):
            self._tell_end(scenes[-1], language)
        return scenes

    def _tell_end(self, scene: Scene, language: str) -> None:
        """Tell in *scene* how the players stand and, if the match ended early, that it is over."""
        standing = standing_of(self.run.match)
        if not self.run.match.over:
            self._tell_early_end(scene, standing, language)
        for place in places_of(scene):
            if not place["winner"] and standing.ranks:
                place["badges"] = [*place["badges"], standing.place_words(place["seat"], language)]

    def _tell_early_end(self, scene: Scene, standing: Standing, language: str) -> None:
        how = standing.end_words(self.run.game.name, language)
        winners, points = standing.winners, max(standing.totals)
        scene["over"] = True
        if winners:
            values = {"how": how, "winners": winners, "points": points}
            scene["prompt"] = self._say("standing.told", language, **values)
        else:
            scene["sober"] = True  # nobody is crowned
            scene["prompt"] = self._say("standing.told_none", language, how=how)
        if not scene.get("sober"):
            scene["moments"] = [{"kind": "won", "seat": seat} for seat in winners]
        for zone in zones_of(scene["zones"]):
            for spot in zone.get("slots", []):
                spot["turn"] = False
        for place in places_of(scene):
            place["turn"] = False
            place["badges"] = []
            place["winner"] = place["seat"] in winners

    def _tell_who_came_next(self, scene: Scene, language: str) -> None:
        """Put who decided then into the prompt of an earlier scene: its question is past."""
        log, entry = self.run.match.log, self.moments[-1].entry
        seat = log[entry][0] if entry < len(log) else TABLE
        if seat != TABLE:
            scene["prompt"] = self._say("table.came_next", language, seat=seat)

    def _story(self, language: str) -> dict[str, Any]:
        """Return the last lines of the story, and how many of them each scene has told."""
        run, log = self.run, self.run.seat_log(self.seat)
        counts = [log.counts[moment.entry] for moment in self.moments]
        end = counts[-1]
        skip = max(0, end - STORY)
        lines = log.lines(language, skip, end)
        for number in kit_of(run.game).forgets(log.story[skip:end], run.game):
            if skip + number < counts[0]:
                lines[number] = None
        told = []
        for count in counts:
            before = lines[: max(0, count - skip)]
            told.append(len(before) - before.count(None))
        return {"story": [line for line in lines if line is not None], "told": told}

    def _why(self, language: str) -> str:
        """Return why the strategy that decided next did so, where hands lie open."""
        run = self.run
        if not run.open or self._next_action is None:
            return ""
        seat, action = self._next_action
        player = "person" if seat == TABLE else run.players[seat]
        if player == "person":
            return ""
        names = run.match.names
        try:
            with Surroundings(run.match.seed).entered():
                strategy = make_player(player, seat, run.game, run.match.seed)
                reason = explain_action(strategy, seat, self.moments[-1].seen[seat], action)
            if isinstance(reason, Reason):
                reason = self._say(reason.text, language, **reason.values)
            why = str(reason) if reason else ""
        except StrategyError as error:
            why = error.sentence(language, names)
        except Exception as error:  # it returned a reason that has no words
            why = explanation_error(strategy, seat, error).sentence(language, names)
        return self._say("table.why", language, seat=seat, why=why[:LONGEST_REASON]) if why else ""

    def _look(self, moment: Snapshot, language: str) -> Look:
        """Return how the viewer sees *moment*, with all hands open once there are no secrets."""
        run, game, waiting = self.run, self.run.game, moment.waiting
        has_ended = run.match.over and (self.back or moment.entry == len(run.match.log))
        open_hands = []
        if has_ended or (run.open and not run.match.over):
            open_hands = [moment.seen[seat] for seat in game.seats]
        by = [player_name(game.name, player, language) for player in run.players]
        is_shared = self.had is not None and len(run.people) > 1
        acting = tuple(seat for seat in waiting if seat == self.seat)
        if is_shared and moment.seen[None].phase in game.open_phases:
            acting = waiting
        wait_for = []
        if is_shared and run.private and run.raced:
            wait_for = [seat for seat in waiting if seat not in (self.had or ())]
        return Look(game, language, run.match.names, by, open_hands, acting, wait_for)

    def _trouble(self, language: str) -> dict[str, Any] | None:
        """Return which strategy is in trouble and why; among people in words that tell no cards."""
        run, trouble = self.run, self.run.trouble
        if trouble is None:
            return None
        seat = trouble.seat
        why = trouble.outline(language) if run.private else trouble.sentence(language)
        words = self._say("table.trouble", language, seat=seat, words=why)
        return {"seat": seat, "by": player_key(run.players[seat]), "text": words}


def _mark(scene: Scene, seat: Seat, words: str) -> list[Any]:
    """Put *words* on the places of *seat* in *scene*, and return those."""
    marked = [place for place in places_of(scene) if place["seat"] == seat]
    for place in marked:
        place["badges"] = [*place["badges"], words]
    return marked


def handbook(game: Game[Any, Any, Any], language: str) -> dict[str, Page]:
    """Return what the box of *game* tells about its cards, by the ids of pieces, and its rules."""
    kit, look = kit_of(game), Look(game, language)
    pages = dict(kit.handbook(look))
    if kit.guide is not None:
        pages[RULES] = {
            "title": look.say("ui.rules"),
            "text": kit.guide.list_rules(look),
            "facts": [],
        }
    return pages


def interface_words(game: str, language: str) -> dict[str, str]:
    """Return the words of a table's buttons and notes: the kit's and those of *game*."""
    texts = {**load_texts(), **load_texts(game)}
    return {
        text_id.removeprefix(UI): words[language]
        for text_id, words in texts.items()
        if text_id.startswith(UI)
    }
