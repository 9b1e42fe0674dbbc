"""Golden records: whole matches that have to come out the same, written anew by one command::

    python -m tests.make_records

Each is a record file and a transcript for reading: every action, what it told, and a digest of
what all seats observe then.  Read the difference in Git before committing it: it says which matches
run differently now, and from which action on.  If they do, old record files are no longer valid
either, and the game's ``version`` goes up by one.
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from coursekit.core.chance import pick, stream
from coursekit.core.game import TABLE, Event, Seat, pick_action
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.state import loops_around
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Wizard
from coursekit.testing.random_match import AnyGame
from tests.games.knitwit_comb import comb

FOLDER = Path(__file__).parent / "records"


def at_random(kind: type[AnyGame], players: int, seed: str = "golden", **options: object) -> Match:
    """Return a whole match of *kind* between players at random."""
    return play_out(kind(players, kind.option_type(**options)), [AtRandom] * players, seed)


def forked(match: Match) -> Match:
    """Return *match* continued from its 40th action with another seed."""
    match = match.fork(40, "silver")
    rng = stream("golden", "fork")
    while deciding := match.game.to_act(match.state):
        seat = pick(rng, deciding)
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    return match


def knitwit_example() -> Match:
    """Return the example of Knit Wit's rulebook: spool 2 is inside three loops, so its answers fit
    three tags.

    Two have the same answer in two scripts; the third has another one, which is challenged and
    stands.
    """
    match, rng = Match(KnitWit(3), "example 7"), stream("golden", "example")
    while match.state.phase in ("loop", "spool"):
        seat = match.state.turn
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    match.play(match.state.starter, "go")
    for seat, answer in enumerate(("電視", "电视", "radio")):
        match.play(seat, ("write", 2, answer))
    match.play(0, "stop")
    match.play(1, "stop")
    while not match.over:
        match.play(TABLE, "next")
        if match.game.numbers(match.state)[match.state.shown - 1] == 2 and not match.over:
            match.play(0, ("challenge", 2))
            match.play(TABLE, "vote")
            for seat, vote in enumerate(("no", "yes", "yes")):
                match.play(seat, vote)
            match.play(TABLE, "close")
            assert len(loops_around(match.state, 2)) == 3
    return match


def knitwit_full() -> Match:
    """Return a match of Knit Wit whose table is full after two turns."""
    match, rng = Match(KnitWit(3), "golden comb"), stream("golden", "comb")
    match.play(match.state.turn, ("loop", comb(2, 7), (0, 0)))
    while match.state.phase in ("loop", "spool"):
        seat = match.state.turn
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    while deciding := match.game.to_act(match.state):
        seat = pick(rng, deciding)
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
    return match


MATCHES: dict[str, Callable[[], Match]] = {
    "blockade-one-era-to-the-corner": lambda: at_random(Blockade, 4, eras=(4,)),
    "blockade-roles-passed-on": lambda: at_random(
        Blockade, 4, roles_each_era="passed", laps_limit=6
    ),
    "blockade-house-rules": lambda: at_random(
        Blockade,
        4,
        eras=(1, 3),
        laps_limit=12,
        stale_cards="not_before_publication",
        exchange_from="hand_or_table",
        exchange_delay=False,
        table_limit=4,
        may_pass=True,
        start_in_buffer=True,
        event_on="land",
        event_scope="per_player",
        defence_o="defender",
        seize_bonus=1,
        loss_penalty=1,
        carry_over="hands_books",
        opening_each_era=False,
        tie_points="average",
        team_score=True,
        o_faces=4,
    ),
    "blockade-early-lifting": lambda: at_random(
        Blockade,
        4,
        eras=(2, 4),
        laps_limit=10,
        lifting_year=1962,
        roles_each_era="drawn",
        stale_cards="era_deck",
        last_goal="1992",
        final_tie="era4",
        starter_usable_only=True,
        price=1,
    ),
    "blockade-at-a-standstill": lambda: at_random(
        Blockade,
        4,
        eras=(3,),
        stall_laps=5,
        function_set="blank",
        events=False,
        stale_cards="discard_action",
    ),
    "blockade-continued": lambda: forked(at_random(Blockade, 4, eras=(1,), laps_limit=8)),
    "knitwit-2-standard": lambda: at_random(KnitWit, 2),
    "knitwit-4-standard": lambda: at_random(KnitWit, 4),
    "knitwit-8-standard": lambda: at_random(KnitWit, 8),
    "knitwit-3-two-rounds": lambda: at_random(
        KnitWit, 3, "golden fleece", rounds=2, shuffle_tag=True, words_last=True, loops=4
    ),
    "knitwit-5-house-rules": lambda: at_random(
        KnitWit,
        5,
        setup_table="six",
        buttons=(4, 3, 3, 2, 1),
        region_rule="loops",
        perimeter_limit=200,
        ban_scope="spool",
        ban_match="char",
        order="challenge_first",
        challenged_votes=False,
        vote_of="votes",
        vote_threshold=67,
        fuzzy_dup="auto",
        explain_seconds=30,
        answer_length=12,
    ),
    "knitwit-2-votes": lambda: at_random(
        KnitWit,
        2,
        two_player_extra=3,
        two_player_challenge="vote",
        answer_time_limit=60,
        fuzzy_dup="off",
    ),
    "knitwit-4-continued": lambda: forked(at_random(KnitWit, 4)),
    "knitwit-8-time-is-up": lambda: forked(at_random(KnitWit, 8, answer_time_limit=60)),
    "knitwit-rulebook-example": knitwit_example,
    "knitwit-3-table-full": knitwit_full,
    "wikipedia-2-standard": lambda: at_random(Wikipedia, 2),
    "wikipedia-4-to-three": lambda: at_random(Wikipedia, 4, "golden book", points_to_win=3),
    "wikipedia-8-to-two": lambda: at_random(Wikipedia, 8, "gold", points_to_win=2),
    "wikipedia-6-house-rules": lambda: at_random(
        Wikipedia,
        6,
        "gold",
        points_to_win=3,
        wiki_wrong=2,
        book_wrong=4,
        wiki_repair=2,
        book_repair=1,
        start=3,
        strict_discard=True,
        forced_write=False,
        scholar_must_repair_at_scoring=False,
        refill_check="before_draw",
        stall_guard_laps=2,
        tie="scorer",
    ),
    "wikipedia-2-open-and-optional": lambda: at_random(
        Wikipedia,
        2,
        points_to_win=3,
        cure_then_score=True,
        score_optional=True,
        open_discards=True,
        refill="optional_own_turn",
        start=3,
        reshuffle="lazy",
        tie="sudden_death",
    ),
    "wikipedia-2-at-a-standstill": lambda: at_random(
        Wikipedia, 2, "golden book", vandal=20, stall_guard_laps=1, laps_limit=40
    ),
    "wikipedia-2-continued": lambda: forked(at_random(Wikipedia, 2, points_to_win=2)),
    "wizard-6-standard": lambda: at_random(Wizard, 6),
    "wizard-3-hidden-bids-again": lambda: at_random(
        Wizard,
        3,
        short_game=5,
        bid_mode="hidden",
        bid_rule="sum_must_differ",
        hidden_sum_conflict="rebid",
    ),
    "wizard-4-hawk-eye-secret": lambda: at_random(
        Wizard, 4, short_game=4, hawk_eye=True, bid_mode="secret"
    ),
    "wizard-5-adjust-blind": lambda: at_random(
        Wizard, 5, short_game=5, bid_rule="adjust_tricks", dealer_picks_blind=True
    ),
    "wizard-4-sum-must-differ": lambda: at_random(
        Wizard,
        4,
        rounds=(3, 15, 1),
        bid_rule="sum_must_differ",
        jester_then_wizard="next_suit_card_leads",
        first_dealer=1,
    ),
    "wizard-3-continued": lambda: forked(at_random(Wizard, 3, short_game=5)),
}


def transcript(match: Match) -> str:
    """Return what happened in *match*, action by action, from its record alone."""
    record = match.record()
    again = Match(match.game, record.seeds[0][1], record.names)
    lines = [f"{match.game!r}", f"     all see {digest(again)}", *told(again.opening)]
    reseed = dict(record.seeds)
    for number, (seat, action) in enumerate(record.log):
        if number and number in reseed:
            again._reseed(number, reseed[number])
            lines.append(f"from here on, seed {reseed[number]}")
        events = again.play(seat, action)
        lines += [f"{number:4} seat {seat}: {action}, all see {digest(again)}", *told(events)]
    lines.append(
        f"scores {again.game.scores(again.state)}, winners {again.game.winners(again.state)}"
    )
    return "\n".join(lines) + "\n"


def told(events: list[Event]) -> list[str]:
    """Return *events* as text ids and values, which do not change when a sentence is corrected."""
    return [
        f"       {event.text} {' '.join(f'{key}={value}' for key, value in event.values.items())}"
        + ("" if event.audience is None else f" to {event.audience}")
        for event in events
    ]


def digest(match: Match) -> str:
    """Return a digest of what every seat and a spectator observe; free input is a rule and left
    out.
    """
    viewers: tuple[Seat | None, ...] = (*match.game.seats, None)
    seen = [match.game.observe(match.state, seat).values() for seat in viewers]
    seen = [
        observation if isinstance(observation["legal"], tuple) else observation | {"legal": None}
        for observation in seen
    ]
    return sha256(repr([tuple(observation.values()) for observation in seen]).encode()).hexdigest()[
        :8
    ]


def files() -> dict[str, str]:
    """Return the content of every golden file, by name."""
    content = {}
    for name, make in MATCHES.items():
        match = make()
        content[f"{name}.json"], content[f"{name}.txt"] = match.record().dumps(), transcript(match)
    return content


if __name__ == "__main__":
    for name, text in files().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            print("written:", path)
