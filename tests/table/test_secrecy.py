"""Nothing that a seat may not see is in anything that is sent to its screen."""

import json
import re

import pytest
from playing import ODD, Quiet, Scribbles, at_screen, at_the_sheets, do, pieces, views

from coursekit.core.game import TABLE
from coursekit.core.match import replay
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games import wikipedia
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.cards import NO_SUIT, RANK, SUIT
from coursekit.table.run import StaleError
from coursekit.table.view import STORY
from coursekit.words.texts import LANGUAGES, game_text

SEATINGS = {
    "one person": ["person", AtRandom, AtRandom],
    "all people": ["person", "person", "person"],
    "two people": ["person", AtRandom, "person", AtRandom],
}
RULES = {
    "standard": Options(short_game=6),
    "hawk eye, hidden": Options(short_game=3, hawk_eye=True, bid_mode="hidden"),
    "secret": Options(short_game=4, bid_mode="secret", trick_history="full"),
    "scorer only": Options(short_game=4, bid_mode="hidden", hidden_reveal="scorer_only"),
    "blind dealer": Options(short_game=8, dealer_picks_blind=True),
    "sizes": Options(short_game=5, bid_rule="adjust_tricks"),
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("seed", range(2))
def test_no_view_shows_a_card_that_its_seat_may_not_see(rules, seating, seed):
    players = SEATINGS[seating]
    screen = at_screen(Wizard(len(players), RULES[rules]), players, seed=f"{rules}{seed}")
    language = LANGUAGES[seed % 3]
    for view in views(screen, seed, language):
        for moment, scene in zip(screen.shown.moments, view["scenes"], strict=True):
            if scene["over"]:
                continue
            obs = moment.seen[view["viewer"]]
            own = set(obs.hand) | {card for hand in obs.shown for card in hand}
            public = {*obs.trick, *obs.played, obs.turned}
            shown = {
                int(piece["id"].removeprefix("card-"))
                for piece in pieces(scene)
                if "card-" in piece["id"]
            }
            assert shown <= own | public
            secret = {card for hand in screen.run.match.state.hands for card in hand} - own - public
            text = json.dumps(scene, ensure_ascii=False)
            for card in secret:
                if SUIT[card] != NO_SUIT:  # a Jester or a Wizard is named like any other
                    name = game_text(
                        screen.run.game, "card.plain", language, suit=SUIT[card], rank=RANK[card]
                    )
                    assert not re.search(re.escape(name) + r"(?!\d)", text), (name, view["viewer"])


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seating", SEATINGS)
def test_what_is_sent_for_spectators_holds_no_hand_and_no_seed(rules, seating):
    players, looked_at = SEATINGS[seating], 0
    screen = at_screen(Wizard(len(players), RULES[rules]), players, seed="the seed itself")
    for view in views(screen):
        spectator = screen.spectator("en")
        assert set(spectator) == {"scenes", "story", "told"}
        assert len(spectator["scenes"]) == len(view["scenes"])
        assert "the seed itself" not in json.dumps(spectator)
        if screen.run.match.over:
            continue
        for moment, scene in zip(screen.shown.moments, spectator["scenes"], strict=True):
            seen = moment.seen[None]
            public = {f"card-{card}" for card in (*seen.trick, *seen.played, seen.turned)}
            assert {piece["id"] for piece in pieces(scene) if "card-" in piece["id"]} <= public
            assert not any("action" in piece for piece in pieces(scene))
            secret = {card for hand in screen.run.match.state.hands for card in hand}
            for card in secret - {*seen.trick, *seen.played, seen.turned}:
                if SUIT[card] != NO_SUIT:
                    name = game_text(
                        screen.run.game, "card.plain", "en", suit=SUIT[card], rank=RANK[card]
                    )
                    assert not re.search(
                        re.escape(name) + r"(?!\d)", json.dumps(scene, ensure_ascii=False)
                    )
        looked_at += 1
    assert looked_at > 5


@pytest.mark.parametrize("rules", RULES)
def test_a_covered_hand_is_covered_in_the_kernel(rules):
    screen = at_screen(Wizard(3, RULES[rules]), ["person"] * 3, seed=rules)
    covered = 0
    for view in views(screen):
        if not view["covered"]:
            continue
        covered += 1
        assert view["viewer"] is None
        for scene in view["scenes"]:
            assert "hand" not in [zone["kind"] for zone in scene["zones"]]
            assert not any("action" in piece for piece in pieces(scene))
    assert covered > 10


@pytest.mark.parametrize("rules", ["secret", "hawk eye, hidden", "scorer only"])
def test_a_sealed_bid_is_the_same_view_whatever_was_bid(rules):
    seen = set()
    for bid in (0, 1):
        screen = at_screen(Wizard(3, RULES[rules]), ["person"] * 3, seed=7)
        screen.run.id = "the same"
        first = screen.covered[0]
        screen.uncover(first)
        view = screen.view("en")
        screen.act(first, bid, view["acted"])
        seen.add(json.dumps(screen.view("en")))
        screen.uncover(screen.covered[0])
        seen.add(json.dumps(screen.view("en")))
    assert len(seen) == 2  # one covered and one uncovered view, for either bid


def test_neither_seed_nor_record_is_sent_while_several_people_play():
    screen = at_screen(
        Wizard(3, Options(short_game=2)), ["person", "person", AtRandom], seed="the seed itself"
    )
    for view in views(screen):
        if screen.run.match.over:
            assert view["seed"] == "the seed itself"
        else:
            assert view["seed"] is None
            assert "the seed itself" not in json.dumps(view)
            with pytest.raises(ValueError, match="several people"):
                screen.run.record()
            with pytest.raises(ValueError, match="several people"):
                screen.look_at(0)
            with pytest.raises(ValueError, match="several people"):
                screen.fork(0)


def test_all_hands_lie_open_when_the_match_is_looked_back_at():
    screen = at_screen(Wizard(3, Options(short_game=3)), ["person"] * 3, seed=1)
    for _ in views(screen):
        pass
    last_deal = max(
        number
        for number, events in enumerate(screen.run.match.events)
        if events[:1] and events[0].text == "deal"
    )
    screen.look_at(last_deal + 1)
    (scene,) = screen.view("en")["scenes"]
    (seats,) = [zone for zone in scene["zones"] if zone["kind"] == "seats"]
    hand = [
        piece["id"] for zone in scene["zones"] if zone["kind"] == "hand" for piece in zone["pieces"]
    ]
    assert sum(len(place["pieces"]) for place in seats["places"]) + len(hand) == 9


class Tells(Strategy):
    """Raises with everything it knows in its words, or plays a card that it may not play."""

    def bid(self, obs):
        raise ValueError(repr(obs))

    def play(self, obs):
        return f"cards {obs.hand}"


class TellsLater(Tells):
    def bid(self, obs):
        return obs.legal[0]


@pytest.mark.parametrize("bad", [Tells, TellsLater])
def test_a_strategy_in_trouble_tells_nobody_its_cards(bad):
    screen = at_screen(Wizard(3, Options(rounds=(5,))), ["person", "person", bad], seed=1)
    for view in views(screen):
        if view["trouble"]:
            break
    assert str(screen.run.match.state.hands[2][0]) in str(screen.run.trouble)
    assert not re.search(r"[(\[]\d+, ", view["trouble"]["text"])
    assert "Observation" not in view["trouble"]["text"]
    assert ("raise ValueError(repr(obs))" if bad is Tells else "In play (from line") in view[
        "trouble"
    ]["text"]


@pytest.mark.parametrize("seed", range(6))
def test_a_match_gone_on_with_begins_covered(seed):
    screen = at_screen(Wizard(3, Options(short_game=2)), ["person"] * 3, seed=seed)
    for _ in views(screen):
        pass
    screen.fork(0)
    assert screen.viewer is None
    assert screen.covered


def test_a_seed_that_was_shown_is_given_up_when_somebody_else_sits_down():
    screen = at_screen(
        Wizard(3, Options(rounds=(5,))), ["person", TellsLater, AtRandom], seed="shown"
    )
    for view in views(screen):
        if view["trouble"]:
            break
    assert view["seed"] == "shown"
    log = list(screen.run.match.log)
    screen.replace(1, "person")
    assert screen.view("en")["seed"] is None
    assert screen.viewer is None
    assert screen.run.match.log[: len(log)] == log
    assert screen.run.match.seed != "shown"


def test_a_loaded_match_goes_on_with_chance_that_its_file_does_not_tell():
    alone = at_screen(Wizard(3), ["person", AtRandom, AtRandom], seed="in the file")
    record = alone.run.record()
    assert (
        at_screen(alone.run.game, ["person"] * 3, match=replay(record)).run.match.seed
        != "in the file"
    )


def test_only_the_seat_in_trouble_can_be_given_to_somebody_else():
    screen = at_screen(Wizard(3), ["person"] * 3, seed=1)
    for seat in (0, 99):
        with pytest.raises(StaleError):
            screen.replace(seat, AtRandom)
    assert screen.run.players == ["person"] * 3


# Wikipedia and Books: cards of a kind are alike, so they are counted


@pytest.mark.parametrize("seating", [1, 2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_no_view_of_wikipedia_shows_more_than_the_own_hand_and_the_boards(seating, seed):
    players = ["person"] * seating + [AtRandom] * (4 - seating)
    game = wikipedia.Wikipedia(4, wikipedia.Options(points_to_win=2))
    screen = at_screen(game, players, seed=f"boards {seed}")
    looked = 0
    for view in views(screen, seed, LANGUAGES[seed]):
        for moment, scene in zip(screen.shown.moments, view["scenes"], strict=True):
            if scene["over"]:
                continue
            obs = moment.seen[view["viewer"]]
            open_cards = [*obs.hand, *obs.roles, *filter(None, [obs.work])]
            open_cards += ["use"] * (obs.user >= 0) + ["vandal"] * (obs.vandal >= 0)
            faces = [piece["face"] for piece in pieces(scene)]
            assert sorted(face["art"] for face in faces if "art" in face) == sorted(open_cards)
            assert all("art" in face for face in faces)
            offered = [choice for piece in pieces(scene) for choice in piece.get("choices", [])]
            assert all(choice["action"].split()[-1] in obs.hand for choice in offered)
            looked += 1
        told = game_text(game, "draw", LANGUAGES[seed], card="wiki").split(
            game_text(game, "card.wiki", LANGUAGES[seed])
        )[0]
        own = (
            0
            if view["viewer"] is None
            else obs.drawn[view["viewer"]] - screen.run.game.options.start
        )
        if not screen.run.match.over and len(view["story"]) < STORY:
            assert sum(told in line for line in view["story"]) == own
    assert looked > 30


def test_a_covered_hand_of_wikipedia_is_the_same_view_whatever_is_held():
    seen = set()
    for hand in (["book"] * 5, ["revise", "use", "vandal", "wiki", "wiki"]):
        screen = at_screen(wikipedia.Wikipedia(2), ["person"] * 2, seed="the same")
        screen.run.id = "the same"
        screen.run.match.state.hands = [list(hand), list(hand)]
        screen.cover()
        seen.add(json.dumps(screen.view("en")))
    assert len(seen) == 1
    screen.uncover(screen.covered[0])
    assert json.dumps(screen.view("en")) not in seen


def test_looking_back_at_wikipedia_offers_pages_but_nothing_to_do():
    screen = at_screen(
        wikipedia.Wikipedia(2, wikipedia.Options(points_to_win=1)), ["person", AtRandom], seed=3
    )
    for _ in views(screen):
        pass
    for entry in range(len(screen.run.match.log)):
        screen.look_at(entry)
        (scene,) = screen.view("en")["scenes"]
        assert not any({"action", "choices", "legal"} & set(piece) for piece in pieces(scene))
        assert all("about" in piece for zone in scene["zones"] for piece in zone.get("pieces", []))
        assert not any(zone.get("choices") for zone in scene["zones"])


# Knit Wit: a race at one screen, answers and votes


def shown(screen):
    """Return the whole view as text, with one name for all strategies."""
    words = json.dumps(screen.view("en"), ensure_ascii=False)
    for kind in set(screen.run.players) - {"person"}:
        words = words.replace(f'"{kind.__name__}"', '"Bot"')
    return words


def evening(bot, first, rewritten):
    """Return all that two people at one screen are sent while they and two bots write, the second
    person last.

    The first of them writes the answers *first*, and writes one of them so many times anew.
    """
    screen = at_the_sheets(["person", bot, "person", bot])
    screen.run.id, sent = "the same", []

    def show():
        sent.append(shown(screen))

    show()
    screen.uncover(0)
    for number, words in zip(screen.run.game.numbers(screen.run.match.state), first):
        do(screen, 0, ("write", number, words))
        for again in range(rewritten):
            do(screen, 0, ("write", number, f"{words}{again}"))
    for _ in range(8):
        screen.tick()
    screen.cover()
    show()
    screen.uncover(2)
    show()
    for number in screen.run.game.numbers(screen.run.match.state)[:2]:
        do(screen, 2, ("write", number, f"mine {number}"))
        show()
        for _ in range(6):
            if screen.tick():
                show()
    screen.cover()
    show()
    return screen, sent


def test_a_race_at_one_screen_tells_nobody_how_much_others_have_written():
    _, quiet = evening(Quiet, [], 0)
    screen, busy = evening(Scribbles, [f"{ODD}a", f"{ODD}b", f"{ODD}c"], 2)
    assert sum(map(bool, screen.run.match.state.sheets[1])) > 3
    assert quiet == busy
    assert ODD not in "".join(busy)
    assert "mine" in "".join(busy)
    assert not any({"entry", "entries"} & set(json.loads(view)) for view in busy)


def test_the_own_draft_is_shown_to_its_writer_again():
    screen, _ = evening(Quiet, [f"{ODD}a"], 0)
    screen.uncover(0)
    assert f"{ODD}a" in json.dumps(screen.view("en"), ensure_ascii=False)


class Agrees(Quiet):
    """Writes one answer."""

    def decide(self, obs):
        if obs.phase == "write" and not any(obs.sheet):
            return "write", obs.numbers[0], f"{ODD}{obs.seat}"
        return super().decide(obs)


class Disagrees(Agrees):
    def decide(self, obs):
        return "no" if obs.phase == "vote" else super().decide(obs)


@pytest.mark.parametrize("people", [1, 2])
def test_a_vote_is_the_same_view_whatever_others_have_voted(people):
    seen = []
    for kind in (Agrees, Disagrees):
        screen = at_the_sheets(["person"] * people + [kind] * 3, buttons=(2,))
        screen.run.id = "the same"
        if screen.covered:
            screen.uncover(0)
        for _ in range(9):
            screen.tick()
        do(screen, 0, "stop")
        number = screen.run.game.numbers(screen.run.match.state)[0]
        while screen.run.match.state.shown < 1 or not screen.run.match.state.compared:
            do(screen, TABLE, screen.run.game.legal_actions(screen.run.match.state, TABLE)[0])
        assert screen.run.match.state.sheets[people][number - 1]
        do(screen, 0, ("challenge", people))
        do(screen, TABLE, "vote")
        assert screen.run.match.state.phase == "vote"
        assert all(vote >= 0 for vote in screen.run.match.state.votes[people:])
        seen.append(shown(screen))
        if people == 2:  # a show of hands: the first has voted, the second not yet
            do(screen, 0, "no")
            seen.append(shown(screen))
    assert seen[: len(seen) // 2] == seen[len(seen) // 2 :]


@pytest.mark.parametrize(
    "seating", [["person", "person", Scribbles], ["person", Scribbles, Scribbles], [Scribbles] * 3]
)
@pytest.mark.parametrize("seed", range(2))
def test_no_view_of_knit_wit_shows_an_answer_before_it_is_turned_up(seating, seed):
    screen = (
        at_the_sheets(seating, seed=seed)
        if "person" in seating
        else at_screen(KnitWit(3), seating, seed=seed)
    )
    secrets = 0
    for view in views(screen, seed, LANGUAGES[seed]):
        for moment, scene in zip(screen.shown.moments, view["scenes"], strict=True):
            obs, text = moment.seen[view["viewer"]], json.dumps(scene, ensure_ascii=False)
            if obs.phase != "write":
                continue
            others = {
                line
                for seat in screen.run.game.seats
                if seat != obs.seat
                for line in moment.seen[seat].sheet
            }
            others.discard("")
            own = set(obs.sheet)
            secrets += len(others - own)
            assert not any(json.dumps(line, ensure_ascii=False) in text for line in others - own)
    assert secrets > 5
