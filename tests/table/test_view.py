"""Several views of one match: each shows what its viewer may know, and goes on when its viewer is
ready.
"""

import json
from copy import copy
from random import Random

import pytest
from playing import ODD, Quiet, at_the_sheets

from coursekit.core.game import TABLE, Event, pick_action
from coursekit.core.match import replay
from coursekit.core.strategy import AtRandom, Reason
from coursekit.games.blockade import Blockade
from coursekit.games.blockade import Options as BlockadeOptions
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Options as WikipediaOptions
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.table.run import BATCH, MOMENTS_KEPT, Run, StaleError
from coursekit.table.view import View
from coursekit.words.texts import LANGUAGES

VIEWERS = (0, 1, None)  # two people and a spectator
SHORT = {
    "wikipedia": Wikipedia(4, WikipediaOptions(points_to_win=2)),
    "wizard": Wizard(3, WizardOptions(short_game=4, bid_mode="hidden")),
    "wizard, secret bids": Wizard(
        4, WizardOptions(short_game=3, bid_mode="secret", dealer_picks_blind=True)
    ),
    "blockade": Blockade(4, BlockadeOptions(eras=(1,), laps_limit=3)),
    "knitwit": KnitWit(3),
}


def two_people(game, seed=1):
    return Run(game, ["person", "person", *[AtRandom] * (game.players - 2)], seed=seed)


def played(run, seed=0):
    """Let *run* go on by one thing at a time until it is over, people deciding at random."""
    rng = Random(seed)
    while not run.match.over:
        deciding = run.game.to_act(run.match.state)
        if run.more:
            run.go_on()
        elif run.racing and rng.random() < 0.7:
            run.tick()
        else:
            seat = TABLE if TABLE in deciding else rng.choice(run.waiting)
            run.act(seat, pick_action(run.game.legal_actions(run.match.state, seat), rng))
        yield rng


def sent(view, language="en"):
    """Return the bytes that a browser gets of *view*."""
    return json.dumps(view.json(language), ensure_ascii=False).encode()


def otherwise(run, viewer, rng):
    """Return *run* as it might be for all that *viewer* knows: everything hidden is drawn anew,
    dealt or done.
    """
    other, match = copy(run), copy(run.match)
    match.state = run.game.resample(run.game.observe(run.match.state, viewer), rng)
    match.log = [
        (seat, action if seat in (viewer, TABLE) else "hidden") for seat, action in match.log
    ]
    hidden = Event("no such text", {}, ())
    match.opening, *match.events = [
        [event if event.is_for(viewer) else hidden for event in events]
        for events in (match.opening, *match.events)
    ]
    other.match = match
    return other


@pytest.mark.parametrize("game", SHORT)
def test_no_view_depends_on_what_is_hidden_from_its_viewer(game):
    run, differ, looked = two_people(SHORT[game]), 0, 0
    for step, rng in enumerate(played(run)):
        if run.match.over or rng.random() > 0.7:
            continue
        viewer, language = VIEWERS[step % 3], LANGUAGES[step // 3 % 3]
        other = otherwise(run, viewer, rng)
        assert sent(View(other, viewer), language) == sent(View(run, viewer), language)
        differ += other.match.state != run.match.state
        looked += 1
    assert looked > 5
    assert differ > looked / 4, "what was drawn anew was hardly ever something else"


def looks(view, moments=None):
    """Return what the viewer of *view* sees, scene by scene; in a race only what looks different."""
    return [(moment.seen[view.seat], moment.seen[None]) for moment in moments or view.moments]


@pytest.mark.parametrize("game", SHORT)
def test_views_of_one_match_are_advanced_each_in_its_own_time(game):
    run = two_people(SHORT[game], seed=2)
    prompt, late = ({viewer: View(run, viewer) for viewer in VIEWERS} for _ in range(2))
    missed = {viewer: [] for viewer in VIEWERS}
    several = 0
    for rng in played(run, seed=2):
        for viewer in VIEWERS:
            if prompt[viewer].advance():
                missed[viewer] += looks(prompt[viewer])
        viewer = rng.choice(VIEWERS)
        if len(missed[viewer]) > MOMENTS_KEPT - BATCH:
            late[viewer].catch_up()
            missed[viewer] = []
        elif rng.random() > 0.5:
            continue
        others = [view for view in late.values() if view.seat != viewer]
        before = [sent(view) for view in others]
        assert late[viewer].advance() == bool(missed[viewer])
        if missed[viewer]:
            assert looks(late[viewer]) == missed[viewer]
        several += len(missed[viewer]) > 1
        assert len(late[viewer].json("en")["scenes"]) == len(late[viewer].moments)
        assert [sent(view) for view in others] == before, "one view moved another"
        missed[viewer] = []
    assert several
    for viewer in VIEWERS:
        late[viewer].advance()
        prompt[viewer].catch_up()
        late[viewer].catch_up()
        assert sent(prompt[viewer]) == sent(late[viewer])


@pytest.mark.parametrize("game", SHORT)
def test_each_person_sees_what_is_theirs_and_decides_for_themselves_alone(game):
    run = two_people(SHORT[game], seed=3)
    turns = 0
    for _ in played(run, seed=3):
        for viewer in VIEWERS:
            scene = View(run, viewer).json("en")["scenes"][-1]
            if run.match.over:
                continue
            if TABLE not in run.game.to_act(run.match.state):  # that is for all to touch
                assert scene["turn"] == (viewer in run.waiting)
            turns += scene["turn"]
    assert turns


def written_at_once(match, viewer, language, last):
    """Return the log of the *last* events that *viewer* may read of *match*, written anew."""
    kit, story = kit_of(match.game), match.story(viewer)
    lines, first = (
        kit.log(story, Look(match.game, language, match.names)),
        max(0, len(story) - last),
    )
    forgotten = {first + number for number in kit.forgets(story[first:], match.game)}
    return [
        line for number, line in enumerate(lines) if number >= first and number not in forgotten
    ]


@pytest.mark.parametrize("game", SHORT)
def test_a_log_that_is_added_to_is_the_log_written_at_once(game, monkeypatch):
    monkeypatch.setattr("coursekit.table.view.STORY", 30)
    run = two_people(SHORT[game], seed=4)
    for step, _ in enumerate(played(run, seed=4)):
        viewer, language = VIEWERS[step % 3], LANGUAGES[step // 3 % 3]
        assert View(run, viewer).json(language)["story"] == written_at_once(
            run.match, viewer, language, 30
        )
    back = View(run, 0)
    for entry in range(0, len(run.match.log), 1 + len(run.match.log) // 10):
        back.look_back(entry)
        before = replay(run.match.record(), entry)
        assert back.json("en")["story"] == written_at_once(before, 0, "en", 30)


def test_a_viewer_who_comes_back_gets_the_present_and_the_story_since():
    run = two_people(SHORT["wizard"])
    away = View(run, 0)
    for _ in played(run):
        if len(run.match.log) > 20:
            break
    back = View(run, 0)
    assert len(back.json("en")["scenes"]) == 1
    assert away.advance()
    assert len(away.json("en")["scenes"]) > 1
    assert [back.json("en")[part] for part in ("events", "acted")] == [
        away.json("en")[part] for part in ("events", "acted")
    ]


def test_a_viewer_who_lags_far_behind_gets_the_present_alone():
    run = Run(Wizard(3), ["person", "person", AtRandom], seed=1)
    late = View(run, 0)
    while len(run.match.log) <= MOMENTS_KEPT + BATCH:
        next(played(run, seed=len(run.match.log)))
    assert late.advance()
    assert len(late.moments) == 1
    assert not late.advance()
    assert len(run.moments) <= MOMENTS_KEPT + 1


def test_a_view_goes_on_with_a_match_that_goes_on_otherwise():
    run = Run(Wizard(3, WizardOptions(short_game=3)), ["person", AtRandom, AtRandom], seed=1)
    view = View(run, 0)
    for _ in played(run):
        view.advance()
    run.fork(4)
    assert len(view.json("en")["scenes"]) == 1, "what it showed is no more"
    assert not view.advance()
    assert [moment.entry for moment in view.moments] == [len(run.match.log)]
    assert not view.json("en")["scenes"][-1]["over"]


def test_each_viewer_looks_back_alone_and_nobody_before_the_end():
    run = two_people(SHORT["wizard"])
    view, other = View(run, 0), View(run, None)
    with pytest.raises(StaleError, match="several people"):
        view.look_back(0)
    for _ in played(run):
        view.advance()
        other.advance()
    before = sent(other)
    view.look_back(3)
    assert (view.json("en")["entry"], view.json("en")["looking_back"]) == (3, True)
    assert sent(other) == before
    view.catch_up()
    assert view.json("en")["scenes"][-1]["over"]


@pytest.mark.parametrize("times", [0, 1, 5])
def test_nobody_can_count_what_another_writes(times):
    """The first writes, the second and a spectator see the same, however much it is."""
    run = at_the_sheets(["person", "person", Quiet]).run
    others = [View(run, 1), View(run, None)]
    before = [sent(view) for view in others]
    writer = View(run, 0)
    for n in range(times):
        run.act(0, ("write", run.game.numbers(run.match.state)[0], f"{ODD}{n}"))
        assert [view.advance() for view in others] == [False, False]
    assert [sent(view) for view in others] == before == [sent(View(run, 1)), sent(View(run, None))]
    assert writer.advance() == bool(times)
    assert len(writer.moments) == max(1, times)
    assert (ODD.encode() in sent(writer)) == bool(times)


@pytest.mark.parametrize(
    "game", [Wizard(3, WizardOptions(short_game=4)), Wikipedia(2)], ids=lambda game: game.name
)
def test_what_else_could_have_been_done_is_told_of_ones_own_decisions_until_the_match_is_over(game):
    run = Run(game, ["person", *[AtRandom] * (game.players - 1)], seed="what if")
    view = View(run, 0)

    def may_ask():
        found = set()
        for entry, (seat, _) in enumerate(run.match.log):
            view.look_back(entry)
            if view.json("en")["may_weigh"]:
                found.add(seat)
                asked.append(entry)
        return found

    asked = []
    for _ in played(run):
        if len(run.match.log) >= 20:
            break
    assert may_ask() == {0}
    for moment in (asked[0], asked[-1]):
        view.look_back(moment)
        view.weigh(moment)
        for language in LANGUAGES:
            told = view.json(language)["weighed"]
            rows = told["rows"]
            assert [row["taken"] for row in rows].count(True) == 1
            assert all(0 <= row["low"] <= row["good"] <= row["high"] <= 100 for row in rows)
            assert len({row["label"] for row in rows}) == len(rows)
            assert len(rows) == min(8, len(run.snapshot(moment).seen[0].legal))
    other = next(entry for entry, (seat, _) in enumerate(run.match.log) if seat == 1)
    for entry in (other, len(run.match.log)):
        view.look_back(entry)
        with pytest.raises(StaleError):
            view.weigh(entry)
    view.catch_up()
    assert not view.json("en")["may_weigh"]
    assert view.json("en")["weighed"] is None
    for _ in played(run):
        pass
    assert may_ask() == set(game.seats)


def test_among_several_people_nobody_asks_what_else_could_have_been_done_before_the_end():
    run = two_people(SHORT["wizard"])
    for _ in played(run):
        if len(run.match.log) == 12:
            break
    view = View(run, 0)
    view.show(4)
    assert not view.json("en")["may_weigh"]
    with pytest.raises(StaleError):
        view.weigh(4)


class Wordy(AtRandom):
    def explain(self, obs, action):
        if obs.phase == "play":
            raise LookupError("no idea")
        return f"{action} of {obs.legal}"


@pytest.mark.parametrize("name", ["wizard", "wikipedia", "blockade"])
def test_strategies_tell_why_once_no_hand_is_a_secret(name):
    game = SHORT[name]
    run = Run(game, ["person", *[kit_of(game).strategies[-1]] * (game.players - 1)], seed="why")
    view = View(run, 0)

    def told(language="en"):
        reasons = {}
        for entry, (seat, _) in enumerate(run.match.log):
            view.look_back(entry)
            if why := view.json(language)["why"]:
                reasons[entry] = seat, why
        return reasons

    for _ in played(run):
        if len(run.match.log) >= 12:
            break
    assert not told()
    for _ in played(run):
        pass
    reasons = told()
    assert {seat for seat, _ in reasons.values()} == set(game.seats) - {0}
    assert len({why for _, why in reasons.values()}) > 3
    for language in LANGUAGES:
        assert told(language).keys() == reasons.keys()


def test_a_learners_strategy_tells_why_in_its_own_words(monkeypatch):
    run = Run(SHORT["wizard"], [Wordy] * 3, seed="why")
    while run.more:
        run.go_on()
    view = View(run, None)
    for entry, (seat, action) in enumerate(run.match.log):
        view.look_back(entry)
        seen = view.moments[-1].seen[None if seat == TABLE else seat]
        own = "" if seat == TABLE else f"{action} of {seen.legal}"
        words = "Wordy failed in line" if seen.phase == "play" else own
        assert words in view.json("en")["why"]
    monkeypatch.setattr(Wordy, "explain", lambda self, obs, action: Reason("no_such_text"))
    assert f"Wordy.explain (line {Wordy.explain.__code__.co_firstlineno})" in view.json("en")["why"]


@pytest.mark.parametrize("game", SHORT)
def test_an_earlier_moment_of_a_hosted_match_is_as_the_record_tells_it(game):
    """Also after it was taken back, to its deal too: snapshots of what is gone are of no use."""
    rng = Random(game)
    for seed in range(3):
        run = Run(SHORT[game], ["person"] * SHORT[game].players, seed=f"{game}{seed}", hosted=True)
        takes = [0, 24, 25, 30]
        while not run.match.over and len(run.match.log) < 90:
            seat = rng.choice(run.game.to_act(run.match.state))
            if (
                action := pick_action(run.game.legal_actions(run.match.state, seat), rng)
            ) is not None:
                run.act(seat, action)
            if takes and len(run.match.log) > 40:
                run.take_back(takes.pop(), f"other {seed}")
        record = run.match.record()
        for entry in [*range(0, len(record.log), 7), 24, 25, 26, len(record.log)]:
            if entry <= len(record.log):
                there = replay(record, entry, run.game)
                seen = {
                    seat: run.game.observe(there.state, seat) for seat in (None, *run.game.seats)
                }
                assert run.snapshot(entry).seen == seen
        with pytest.raises(ValueError, match="upto is from 0"):
            run.snapshot(len(record.log) + 1)


def test_what_happens_unseen_is_seen_at_its_end():
    run = Run(Wizard(3), ["person"] * 3, seed=2, hosted=True)
    rng, view = Random(3), View(run, 0)
    with run.unseen():
        for _ in range(30):
            seat = rng.choice(run.game.to_act(run.match.state))
            run.act(seat, pick_action(run.game.legal_actions(run.match.state, seat), rng))
    assert view.advance()
    assert [moment.entry for moment in view.moments] == [30]
    run.rest()
    assert view.json("en") == View(run, 0).json("en")
