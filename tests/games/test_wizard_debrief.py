"""Moments of one match and of a class: the numbers of the score pads, counted once more."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import wizard_oracle as oracle
from wizard_letters import letters

from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.after import debrief
from coursekit.games.wizard.after.debrief import MOMENTS, Story, describe_player, find_cause
from coursekit.games.wizard.after.history import (
    Bid,
    Prediction,
    Round,
    Share,
    Trick,
    find_bidding,
    read_decisions,
    read_predictions,
)
from coursekit.games.wizard.rules.cards import DWARF, ELF, HUMAN, JESTER, card_of
from coursekit.games.wizard.strategies import CardCounter
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.words.texts import LANGUAGES

PEOPLES = {"B": "Human", "G": "Elf", "R": "Dwarf", "Y": "Giant"}


def played(seed: str = "3", players: int = 4, **options: Any) -> Match:
    return play_out(
        Wizard(players, Options(**{"short_game": 5} | options)), [AtRandom] * players, seed
    )


@pytest.fixture(scope="module")
def school() -> list[Match]:
    """Return the matches of a class, tables of three to five, one of them under way."""
    done = [played(str(seed), 3 + seed % 3, short_game=4 + seed % 2) for seed in range(5)]
    begun = played("6", 4)
    return [*done, replay(begun.record(), upto=len(begun.log) // 2, game=begun.game)]


def pad(match: Match) -> list[list[dict[str, Any]]]:
    """Return the score pad: round by round a line for each player."""
    lines = [
        dict(event.values)
        for events in match.events
        for event in events
        if event.text.startswith("score.")
    ]
    n = match.game.players
    return [lines[start : start + n] for start in range(0, len(lines), n)]


def words(parts: Sequence[Any]) -> list[str]:
    return [part for part in parts if isinstance(part, str)]


def numbers(sentence: str) -> list[int]:
    return [int(each) for each in re.findall(r"[-+]?\d+", sentence.replace("−", "-"))]


def moments(matches: Sequence[Match], language: str, people: Sequence[int] = ()) -> list[Moment]:
    """Return the moments of matches, the same seats in each of them being people."""
    return debrief.moments([Played(each, people) for each in matches], language)


def told(matches: list[Match], name: str, people: Sequence[int] = ()) -> list[str]:
    """Return the sentences of one moment."""
    found = MOMENTS[name](Story([Played(each, people) for each in matches], "en"))
    assert found
    return words(found[1])


def shared(hits: int, of: int) -> str:
    low, high = Share(hits, of).interval
    return f"{hits} of {of} (in the long run it may be anywhere from {low:.0f} to {high:.0f} %)"


WORST_FOUR = (
    "In round 4, with 4 cards each, Player 2 predicted 4 and won 0, for −40 points; it went out of reach in trick 1. "
    "Known at that moment: Player 2 held Giant 3, Elf 6\N{NO-BREAK SPACE}4, a Jester; trump was Giant; before that, "
    "Player 4 said 0, Player 1 said 2."
)
WORST_THREE = (
    "In round 3, with 3 cards each, Player 2 predicted 0 and won 3, for −30 points; it went out of reach in trick 1. "
    "Known at that moment: Player 2 held Dwarf 13\N{NO-BREAK SPACE}8, Giant 11; trump was Dwarf; before that, "
    "Player 3 said 3, Player 4 said 1, Player 1 said 0."
)
TRIED = (
    "From what was known then, the hidden cards were guessed 48 times, and all played on as the card counter does: "
    "a prediction of 4 would be met in 0 % of the guesses; 1, met in 88 %, would clearly have brought more points."
)
WHERE = "Looking at 5 finished rounds of this match"
EXPECTED_EN: dict[str, tuple[str, list[str]]] = {
    "calibration": (
        WHERE,
        [
            "Predictions met: 7 of 20 (in the long run it may be anywhere from 18 to 57 %). Of the misses, "
            "5 came from too many tricks and 8 from too few.",
            "Player 1: 2 of 5 met, 0.6 tricks off on average; on balance 0.2 too many per round.",
            "Player 2: 1 of 5 met, 2.4 tricks off on average; on balance 1.2 too few per round.",
            "Player 3: 2 of 5 met, 1.0 tricks off on average; on balance 0.6 too few per round.",
            "Player 4: 2 of 5 met, 1.0 tricks off on average; on balance 0.2 too many per round.",
        ],
    ),
    "worst": (
        WHERE,
        [
            "Of 20 predictions, 13 missed. Only the largest misses are shown here; they do not stand for the rest.",
            WORST_FOUR,
            WORST_THREE,
            TRIED,
        ],
    ),
    "size": (
        WHERE,
        [
            "The rounds are split in the middle of the hand sizes dealt here, at 3 cards. Split elsewhere, "
            "the result may look different.",
            "Predictions met with fewer than 3 cards each: 6 of 8 (in the long run it may be anywhere from 41 to 93 %).",
            "Predictions met with 3 cards or more each: 1 of 12 (in the long run it may be anywhere from 1 to 35 %).",
            "The two ranges do not overlap, so it does not look like luck alone. But several things are compared here, "
            "and by luck alone one of them may well differ this much: more rounds would tell.",
        ],
    ),
    "sum": (
        WHERE,
        [
            "In 5 rounds the predictions added up to more than the tricks in 3, exactly as many in 2. Where they "
            "differ, somebody has to miss.",
            "In 5 rounds the last one to predict could have made the sum equal the tricks 2 times, and did so 2 times.",
        ],
    ),
    "bid": (
        WHERE,
        [
            "Predictions of 0 that were met: 6 of 9 (in the long run it may be anywhere from 35 to 88 %).",
            "Predictions of 1 or more that were met: 1 of 11 (in the long run it may be anywhere from 2 to 38 %).",
            "The two ranges overlap: luck alone may make such a difference, so this settles nothing yet.",
        ],
    ),
    "turn": (
        WHERE,
        [
            "Player 1 took the lead in round 3 and held it to the end; before that, Player 3, Player 4 led. In the "
            "round of the change, Player 1 predicted 0 and won 0, for +20 points; Player 3 predicted 3 and won 0, for "
            "−30 points; Player 4 predicted 1 and won 0, for −10 points.",
        ],
    ),
    "broken": (
        WHERE,
        [
            "Of 13 misses, 2 became certain in a trick that a Wizard took. Another 1 became certain when "
            "another trick was needed but the card played was a Jester.",
        ],
    ),
    "place": (
        WHERE,
        [
            "Predictions met when predicting first: 1 of 5 (in the long run it may be anywhere from 4 to 62 %).",
            "Predictions met when predicting in between: 5 of 10 (in the long run it may be anywhere from 24 to 76 %).",
            "Predictions met when predicting last: 1 of 5 (in the long run it may be anywhere from 4 to 62 %).",
            "The ranges of the first and of the last overlap: luck alone may make such a difference, so this settles "
            "nothing yet.",
        ],
    ),
}


def test_a_match_in_words_the_best_moment_first() -> None:
    found = moments([played()], "en")
    assert {each.name: (each.where, words(each.parts)) for each in found} == EXPECTED_EN
    assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
    assert found[0].name == "calibration"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_has_a_title_a_place_a_picture_or_words_and_one_question(
    school: list[Match], language: str
) -> None:
    for matches in ([school[1]], school):
        found = moments(matches, language)
        assert {each.name for each in found} <= {*MOMENTS}
        assert len(found) > 5
        for each in found:
            assert 0 <= each.worth <= 1
            assert each.title
            assert each.where
            assert each.parts
            assert each.ask.count("？" if language != "en" else "?") >= 1
            for part in each.parts:
                assert "{" not in (part.alt if isinstance(part, Picture) else part)


def test_before_anything_is_scored_there_is_no_moment() -> None:
    assert moments([], "en") == []
    assert moments([Match(Wizard(3), "1")], "en") == []
    match = played("5")
    early = replay(match.record(), upto=9, game=match.game)  # one round of one card
    assert {each.name for each in moments([early, Match(Wizard(3), "1")], "en")} >= {"calibration"}


# A class, counted once more


def test_shares_have_everybody_below_the_line(school: list[Match]) -> None:
    lines = [
        (place, len(row), each)
        for match in school
        for row in pad(match)
        for place, each in enumerate(
            row[(first_bidder(match, row) + at) % len(row)] for at in range(len(row))
        )
    ]
    met = [each for _, _, each in lines if each["bid"] == each["won"]]
    all_of_it = told(school, "calibration")[0]
    assert shared(len(met), len(lines)) in all_of_it
    over, under = (
        sum((each["won"] - each["bid"]) * side > 0 for _, _, each in lines) for side in (1, -1)
    )
    assert f"Of the misses, {over} came from too many tricks and {under} from too few." in all_of_it
    for name, place in (("first", 0), ("last", -1)):
        mine = [each for at, n, each in lines if at == place % n]
        line = next(each for each in told(school, "place") if f"predicting {name}:" in each)
        assert shared(sum(each["bid"] == each["won"] for each in mine), len(mine)) in line
    for line, zero in zip(told(school, "bid"), (True, False)):
        mine = [each for *_, each in lines if (each["bid"] == 0) is zero]
        assert shared(sum(each["bid"] == each["won"] for each in mine), len(mine)) in line


def first_bidder(match: Match, row: list[dict[str, Any]]) -> int:
    number = pad(match).index(row)
    return (match.state.scorer + number + 1) % match.game.players


def test_the_sum_of_the_bids_and_what_the_last_one_made_of_it(school: list[Match]) -> None:
    more = fewer = could = even = rounds = 0
    for match in school:
        for number, row in enumerate(pad(match), 1):
            bids = sum(each["bid"] for each in row)
            last = row[(match.state.scorer + number - 1) % match.game.players]["bid"]
            rounds, more, fewer = rounds + 1, more + (bids > number), fewer + (bids < number)
            could += number in range(bids - last, bids - last + number + 1)
            even += bids == number
    everything, last_one, *_ = told(school, "sum")
    assert numbers(everything) == [rounds, *filter(None, [more, fewer, even])]
    assert numbers(last_one) == [rounds, could, even]
    assert 0 < even < could < rounds


def test_where_the_rule_forbids_it_the_last_one_is_kept_from_an_even_sum() -> None:
    match, barred = played("1", bid_rule="sum_must_differ", short_game=7), 0

    def watch(now: Match, seat: int, action: Any) -> None:
        nonlocal barred
        if now.state.phase == "bid" and seat == now.state.dealer:
            barred += len(now.game.legal_actions(now.state, seat)) == now.state.size

    replay(match.record(), game=match.game, watch=watch)
    _, line = told([match], "sum")
    assert "the rule kept" in line
    assert numbers(line) == [7, barred]
    assert barred > 1


def test_the_largest_misses_of_a_class_name_match_and_player(school: list[Match]) -> None:
    missed = sorted(
        -abs(each["won"] - each["bid"]) for match in school for row in pad(match) for each in row
    )
    everything, *lines = told(school, "worst")
    assert numbers(everything) == [
        sum(len(row) for match in school for row in pad(match)),
        sum(map(bool, missed)),
    ]
    assert "Only the largest misses" in everything
    few = next(
        early
        for n in range(99)
        if (early := replay(school[0].record(), n))
        and pad(early)
        and 0 < sum(each["bid"] != each["won"] for row in pad(early) for each in row) < 3
    )
    assert not any("Only the largest" in line for line in told([few], "worst"))
    assert len(lines) == 3
    for line, worst in zip(lines, missed):
        match, number, size, player, bid, won, gain, *_ = numbers(line)
        assert size == number
        each = pad(school[match - 1])[number - 1][player - 1]
        assert (each["bid"], each["won"], each["gain"]) == (bid, won, gain)
        assert -abs(won - bid) == worst


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bid_mode": "hidden"},
        {"bid_mode": "secret"},
        {"hawk_eye": True},
        {"bid_rule": "sum_must_differ"},
    ],
)
def test_what_was_known_has_been_on_the_table(options: dict[str, Any]) -> None:
    """Of a match under way too: hands told are of rounds whose cards have all been played, and no
    bid is sealed.
    """
    record, told_of = played("3", **options).record(), 0
    for upto in range(0, len(record.log) + 1, 9):
        match = replay(record, upto=upto)
        hands: list[dict[int, set[str]]] = []
        for event in (event for events in [match.opening, *match.events] for event in events):
            if event.text == "deal":
                hands.append({})
            elif event.text == "play":
                card = event.values["card"]
                colour, rank = letters(card)[0], letters(card)[1:]
                name = {"N": "a Jester", "Z": "a Wizard"}.get(colour) or f"{PEOPLES[colour]} {rank}"
                hands[-1].setdefault(event.values["seat"], set()).add(name)
        found = MOMENTS["worst"](Story([Played(match)], "en"))
        for line in words(found[1]) if found else []:
            if not line.startswith("In round"):
                continue
            told_of += 1
            number, size, player, bid = numbers(line)[:4]
            line_of_pad = pad(match)[number - 1]
            assert line_of_pad[player - 1]["bid"] == bid
            for name, said in re.findall(r"Player (\d) said (\d+)", line):
                assert line_of_pad[int(name) - 1]["bid"] == int(said)
            if options.get("bid_mode"):
                assert "what the others predicted was not known" in line
            if options.get("hawk_eye") and number == 1:
                assert "could not see the card" in line
                continue
            held: set[str] = set()
            for group in re.search(r" held ([^;]*);", line)[1].split(", "):  # type: ignore[index]
                suit, *ranks = group.split()
                held |= {group} if suit == "a" else {f"{suit} {rank}" for rank in ranks}
            assert held == hands[number - 1][player - 1]
            assert len(held) == size
    assert told_of > 3


def test_wizards_and_jesters_that_decided_are_counted_by_other_rules(school: list[Match]) -> None:
    wizard = jester = missed = 0
    for match in school:
        tricks: list[list[tuple[int, str]]] = []
        for event in (event for events in match.events for event in events):
            if event.text == "play":
                tricks += [[]] if not tricks or len(tricks[-1]) == match.game.players else []
                card = event.values["card"]
                tricks[-1].append((event.values["seat"], letters(card)))
        trumps = [
            event.values.get("suit", -1)
            for events in [match.opening, *match.events]
            for event in events
            if event.text in ("trump.turned", "trump.jester", "trump.none_left", "trump.chosen")
        ]
        for size, (row, trump) in enumerate(zip(pad(match), trumps), 1):
            mine, tricks = tricks[:size], tricks[size:]
            for each in (each for each in row if each["bid"] != each["won"]):
                missed += 1
                left, won = size, 0
                for trick in mine:
                    seat, best = trick[
                        oracle.winner(
                            [name for _, name in trick], "BGRY"[trump] if trump >= 0 else ""
                        )
                    ]
                    left, won = left - 1, won + (seat == each["seat"])
                    if won > each["bid"] or won + left < each["bid"]:
                        wizard += best == "Z"
                        jester += (
                            best != "Z" and won <= each["bid"] and dict(trick)[each["seat"]] == "N"
                        )
                        break
    both, *_ = told(school, "broken")
    assert numbers(both) == [missed, wizard, jester]
    assert wizard > 0
    assert jester > 0


def test_a_jester_that_won_is_not_to_blame() -> None:
    cards = [(0, card_of(HUMAN, JESTER)), (1, card_of(ELF, JESTER)), (2, card_of(DWARF, JESTER))]
    now = Round(1, 1, 2, [0, 0, 0], tricks=[Trick(cards, 0, JESTER)])
    now.bids = [Bid(0, 0, 1), Bid(1, 1, 2), Bid(2, 0, 3)]
    assert [now.lost_in(seat) for seat in range(3)] == [1, 1, 0]
    assert [find_cause(now, seat) for seat in range(2)] == ["", "jester"]


def test_who_led_at_half_time_is_compared_with_who_won(school: list[Match]) -> None:
    stayed = []
    for match in school[:5]:
        half = [each["total"] for each in pad(match)[len(pad(match)) // 2 - 1]]
        end = match.state.points
        stayed.append(
            any(half[seat] == max(half) and end[seat] == max(end) for seat in match.game.seats)
        )
    (line,) = told(school, "turn")
    assert line.endswith(f"{shared(sum(stayed), 5)}.")
    assert 0 < sum(stayed) < 5


def test_the_round_since_which_somebody_leads() -> None:
    for seed in range(12):
        match = played(str(seed))
        totals = [[each["total"] for each in row] for row in pad(match)]
        led = [
            [seat + 1 for seat, points in enumerate(row) if points == max(row)] for row in totals
        ]
        since = next(place for place in range(5) if all(each == led[-1] for each in led[place:]))
        first = told([match], "turn")[0].partition(" In the round of the change")[0]
        assert numbers(first) == ([*led[-1], since + 1, *led[since - 1]] if since else led[-1])


def test_people_are_those_whose_predictions_are_told() -> None:
    match = played()
    mine = [row[1] for row in pad(match)]
    met = sum(each["bid"] == each["won"] for each in mine)
    first, *each = told([match], "calibration", people=[1])
    assert shared(met, 5) in first
    off = [each["won"] - each["bid"] for each in mine]
    far, mean = sum(map(abs, off)) / 5, sum(off) / 5
    assert each == [
        f"Player 2: {met} of 5 met, {far} tricks off on average; "
        f"on balance {-mean} too few per round."
    ]


def test_in_each_of_several_matches_only_its_people_count(school: list[Match]) -> None:
    """A match against three strategies brings one person's bids, not four."""
    played = [Played(school[0], [2]), Played(school[1], [0, 1])]
    about = Story(played, "en")
    rows = [pad(match) for match in school[:2]]
    mine = [
        rows[at][number][seat]
        for at, seat in ((0, 2), (1, 0), (1, 1))
        for number in range(len(rows[at]))
    ]
    met = sum(each["bid"] == each["won"] for each in mine)
    assert len(about.predictions) == len(mine)
    found = {each.name: each for each in debrief.moments(played, "en")}
    first, *each_one = words(found["calibration"].parts)
    assert shared(met, len(mine)) in first
    assert [line.partition(":")[0] for line in each_one] == ["Match 1", "Match 2", "Match 2"]
    assert [numbers(line)[1] for line in each_one] == [3, 1, 2]
    drawn = [part for part in found["calibration"].parts if isinstance(part, Picture)]
    assert f"{met} of {len(mine)}" in drawn[0].alt or numbers(drawn[0].alt)[:2] == [met, len(mine)]
    assert sum(numbers(told_so)[2] for told_so in words(found["bid"].parts)[:2]) == len(mine)


@pytest.mark.parametrize(
    ("off", "says"),
    [
        (
            (3, -3),
            "none of 2 met, 3.0 tricks off on average; too many and too few about cancel out.",
        ),
        ((0, 0), "all 2 met."),
        ((1, 0), "1 of 2 met, 0.5 tricks off on average; on balance 0.5 too many per round."),
        ((-2, 1), "none of 2 met, 1.5 tricks off on average; on balance 0.5 too few per round."),
        (
            ((-1,) + (0,) * 39),
            "39 of 40 met, 0.0 tricks off on average; too many and too few about cancel out.",
        ),
    ],
)
def test_how_far_bids_were_off_has_no_sign(off: tuple[int, ...], says: str) -> None:
    bids = [Prediction(0, 1, 5, 0, 1, 4, 0, 3, 3 + each) for each in off]
    assert describe_player(Story([Played(played())], "en"), 0, 0, bids).endswith(f": {says}")


def test_players_called_the_same_have_a_panel_each() -> None:
    match = played()
    match.names = ("a player",) * 4
    (drawn,) = [part for part in moments([match], "en")[0].parts if isinstance(part, Picture)]
    assert drawn.alt.count("a player") == 4


def test_bids_made_at_once_have_no_moment_of_order() -> None:
    found = {each.name: each for each in moments([played("3", bid_mode="hidden")], "en")}
    assert "place" not in found
    assert len(words(found["sum"].parts)) == 1


def test_the_questions_go_by_the_rules_of_the_match() -> None:
    found = {
        each.name: each.ask for each in moments([played("3", hit=30, per_trick=5, wizards=2)], "en")
    }
    assert "earns 30 points, one of 3 earns 45" in found["bid"]
    assert "The deck of 58 cards has 2 Wizards" in found["broken"]


def test_few_cases_are_told_as_they_are_or_not_at_all() -> None:
    """One round of four players has four bids, one of each of them, and one sum; one bid of a
    person is no share.
    """
    record = played().record()
    one = replay(
        record, next(n for n in range(len(record.log)) if len(pad(replay(record, n))) == 1)
    )
    found = {each.name: words(each.parts) for each in moments([one], "en")}
    assert len(found["calibration"]) == 1  # nobody by name
    assert not {"sum", "turn", "place", "size", "bid"} & set(found)
    assert "calibration" not in {each.name for each in moments([one], "en", people=[0])}
    assert not any(
        " of 1 " in line or " of 2 " in line for lines in found.values() for line in lines
    )


def test_a_miss_is_tried_again_from_what_was_known():
    match = played()
    made = max(
        (each for each in read_predictions([match]) if each.off), key=lambda each: abs(each.off)
    )
    seen = find_bidding(read_decisions(match, [made.seat]), made)
    game, rng, met = match.game, Random(7), 0
    for _ in range(100):  # by the contract alone: the kernel has no part in it
        state = game.resample(seen, rng)
        game.apply(state, made.seat, 1, rng)
        counters = [CardCounter(rng, game) for _ in game.seats]
        while state.round == seen.round and (seats := game.to_act(state)):
            seat = seats[0]
            game.apply(state, seat, counters[seat].decide(game.observe(state, seat)), rng)
            points = state.points[made.seat]
        met += points > seen.points[made.seat]
    would = numbers(told([match], "worst")[-1])[-1]
    assert abs(met - would) < 20, met
