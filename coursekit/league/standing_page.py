"""The standing of a league: a page that reloads itself, and the files at the end."""

from pathlib import Path
from tempfile import TemporaryDirectory

from coursekit.files.data_export import DataTable
from coursekit.files.html_templates import bind_texts, render
from coursekit.league.tournament import League
from coursekit.words.texts import format_signed, game_text, text

PAGE = Path(__file__).parent / "templates" / "standing.html.j2"
STANDING = "standing.html"
NUMBERS = "standing.csv"
MATCH = "match.json"
"""The file with a match for a table to show."""
EVERY = 2
"""Seconds after which the page reloads itself while the league goes on."""


def render_standing(league: League, language: str, over: bool) -> str:
    """Return the standing of *league* as a page that needs nothing else."""
    standing, house = league.standing(), league.house()
    reasons = [
        (line.name, reason.sentence(language)) for line in standing for reason in line.stopped
    ]
    return render(
        PAGE,
        league=league,
        language=language,
        over=over,
        every=EVERY,
        standing=standing,
        reasons=list(dict.fromkeys(reasons)),
        title=text("league.title", language, game=game_text(league.game, "title", language)),
        house=house and game_text(league.game, f"strategy.{house.strategy}", language),
        say=bind_texts(language, "league."),
        signed=format_signed,
    )


def tabulate(league: League, language: str) -> DataTable:
    """Return the standing as a table of numbers; the kit's own strategy comes last if it played."""
    house = league.house()
    rows = [
        (
            line.name,
            line.strategy,
            line.tables,
            round(line.won, 2),
            "" if line.interval is None else round(line.interval, 2),
            round(line.points, 2),
            len(line.stopped),
            round(line.seconds, 2),
        )
        for line in [*league.standing(), *([house] if house else [])]
    ]
    names = ("file", "strategy", "tables", "wins", "wins_interval", "points", "stopped", "seconds")
    return DataTable(names, rows, league.game.name, language)


def write_standing(league: League, folder: Path, language: str, over: bool) -> None:
    """Write the standing into *folder*; when *over* also its numbers, and a match for a table."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".") as place:
        # All is written before anything is replaced, so that no half of it stays.
        new = Path(place)
        (new / STANDING).write_text(render_standing(league, language, over), encoding="utf-8")
        if over:
            tabulate(league, language).csv(new / NUMBERS)
            if record := league.final():
                (new / MATCH).write_text(record, encoding="utf-8")
            else:
                (folder / MATCH).unlink(missing_ok=True)
        for path in new.iterdir():
            try:
                path.replace(folder / path.name)
            except PermissionError:  # on Windows, while a browser reads; the next round tries again
                if over:
                    raise
