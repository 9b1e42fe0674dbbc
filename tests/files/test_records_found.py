"""Records that somebody brings along: what can be used is used, and the rest is named."""

import tracemalloc
from pathlib import Path

import pytest

from coursekit.core.errors import FileError
from coursekit.core.match import Match, play_out, replay
from coursekit.files.record_sources import LARGEST_RECORD, read, read_folder, read_records
from coursekit.kit import GAMES


def played(seed: str, game: str = "wizard") -> Match:
    rules = GAMES[game].standard()
    return play_out(rules, [GAMES[game].strategies[0]] * rules.players, seed)


def text(match: Match, upto: int | None = None) -> str:
    return replay(match.record(), upto).record().dumps()


MATCH, OTHER = played("a"), played("b")
GOOD = text(MATCH)
BAD = {
    "broken.json": (
        GOOD[: len(GOOD) // 2],
        "broken.json cannot be used: This file is no match record",
    ),
    "binary.json": (b"\xff\xfe\x00", "binary.json cannot be used: This file is no match record"),
    "foreign.json": (
        '{"a": 1}',
        "foreign.json cannot be used: This file is not a match record of coursekit",
    ),
    "newer.json": (
        GOOD.replace('"coursekit":1', '"coursekit":2'),
        "only format 1 can be read here",
    ),
    "rules.json": (GOOD.replace('"rules":', '"rules":9'), "it cannot be replayed"),
    "cheated.json": (GOOD.replace('"log":[[', '"log":[[2,99],['), "is not allowed by the rules"),
    "wikipedia.json": (text(played("w", "wikipedia")), "is a record of Wikipedia"),
    "large.json": (" " * LARGEST_RECORD + GOOD, "is too large: 1000 KB at most"),
}


def test_one_sentence_names_each_file_that_cannot_be_used_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    files = {name: content for name, (content, _) in BAD.items()} | {
        "z.json": "\ufeff" + GOOD,
        "a.json": text(OTHER),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "notes.txt").write_text("no record")
    found = read_folder(tmp_path, "wizard")
    assert [match.seed for match in found.matches] == ["b", "a"]  # in the order of names
    told = {error.values["file"]: error.sentence("en") for error in found.refused}
    assert list(told) == sorted([*BAD, "folder.json"])
    for name, (_, says) in BAD.items():
        assert says in told[name]
        assert "\n" not in told[name]
    assert told["folder.json"].startswith("The file folder.json cannot be read")


def test_a_match_counts_once_and_the_longer_record_of_it_stays() -> None:
    fork = MATCH.fork(20, "elsewhere")
    begun = text(fork)  # nothing has been done otherwise yet
    seat = fork.game.to_act(fork.state)[0]
    fork.play(
        seat,
        next(
            action
            for action in fork.game.legal_actions(fork.state, seat)
            if (seat, action) != MATCH.log[20]
        ),
    )
    files = {
        "half": text(MATCH, 20),
        "whole": GOOD,
        "copy": GOOD,
        "begun": begun,
        "fork": text(fork),
        "b": text(OTHER),
    }
    found = read_records(files.items(), "wizard")
    assert [len(match.log) for match in found.matches] == [len(MATCH.log), 21, len(OTHER.log)]
    assert [error.sentence("en") for error in found.refused] == [
        f"{name} is the same match as whole; it counts once." for name in ("half", "copy", "begun")
    ]


def test_a_folder_without_records_or_that_is_not_there_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileError, match="There are no record files"):
            read_folder(folder, "wizard")


def test_one_file_is_read_or_refused() -> None:
    assert read("a.json", GOOD.encode(), "wizard").state == MATCH.state
    with pytest.raises(FileError, match="this page reads only Knit Wit"):
        read("a.json", GOOD, "knitwit")


def test_of_a_large_file_no_more_is_read_than_is_needed_to_refuse_it(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    tracemalloc.start()
    with pytest.raises(FileError, match="too large"):
        read("huge.json", path, "wizard")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5 * LARGEST_RECORD


@pytest.mark.parametrize(
    "content", [None, "書" * (LARGEST_RECORD // 3 + 1), b" " * (LARGEST_RECORD + 1)]
)
def test_size_is_counted_in_bytes(content: str | bytes | None) -> None:
    with pytest.raises(FileError, match="is too large: 1000 KB at most"):
        read("a.json", content, "wizard")
