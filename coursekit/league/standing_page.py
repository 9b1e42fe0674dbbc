"""The standing of a league as a page that reloads itself, and what is kept when it is over."""

from html import escape
from pathlib import Path

from coursekit.files.data_export import Sheet
from coursekit.league.tournament import League, Standing
from coursekit.words.texts import format_signed, game_text, text

STYLE = (Path(__file__).parent / "static" / "standing.css").read_text(encoding="utf-8")
STANDING = "standing.html"
MATCH = "match.json"
"""The file with a match for a table to show."""
EVERY = 2
"""Seconds after which the page reloads itself while the league goes on."""


def standing_page(found: League, language: str, over: bool) -> str:
    """Return the standing of *found* as a page that needs nothing else."""

    def say(id: str, **values: object) -> str:
        return escape(text(f"league.{id}", language, **values))

    heads = ["rank", "file", "won", "", "points", "deals", "stopped"]
    kinds = ["n", "", "n", "bar", "n", "n", "n"]
    row = "".join(
        f'<th scope="col" class="{kind}">{say(f"head.{each}") if each else ""}</th>'
        for kind, each in zip(kinds, heads)
    )
    body = "".join(_row(rank, each) for rank, each in enumerate(found.standing(), 1))
    why = dict.fromkeys(
        f"<li>{escape(each.name)}: {escape(reason.sentence(language))}</li>"
        for each in found.standing()
        for reason in each.stopped
    )
    title = text("league.title", language, game=game_text(found.game, "title", language))
    reload = "" if over else f'<meta http-equiv="refresh" content="{EVERY}">'
    done = len({each.fixture.deal.rsplit("/", 2)[1].split(".")[0] for each in found.outcomes})
    seed = (
        say("seed", seed=found.seed) if over else ""
    )  # it tells all hands, and entries may be able to read the page
    own = found.house()
    house = (
        say("house", strategy=game_text(found.game, f"strategy.{own.strategy}", language))
        if own
        else ""
    )
    stops = f"<h2>{say('why')}</h2><ul>{''.join(why)}</ul>" if why else ""
    return (
        f'<!doctype html><html lang="{language}" style="--rows: {len(found.names)}"><head><meta charset="utf-8">'
        f'{reload}<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>"
        f"<p>{say('over' if over else 'round', done=done, rounds=found.rounds)}</p>"
        f"<table><thead><tr>{row}</tr></thead><tbody>{body}</tbody></table>{stops}"
        f"<p><small>{say('counted')} {house} {say('apart' if found.apart else 'together')} "
        f"{seed}</small></p></body></html>"
    )


def _row(rank: int, each: Standing) -> str:
    interval = "" if each.interval is None else f" ± {each.interval:.1f}"
    out = ' class="out"' if each.out else ""
    numbers = (format_signed(f"{each.points:.1f}"), each.tables, len(each.stopped) or "")
    return (
        f'<tr{out}><td class="n">{rank}</td>'
        f'<th scope="row">{escape(each.name)}<br><small>{escape(each.strategy)}</small></th>'
        f'<td class="n">{each.won:.1f} %{interval}</td><td class="bar"><i style="width: {each.won:.1f}%"></i></td>'
        + "".join(f'<td class="n">{number}</td>' for number in numbers)
        + "</tr>"
    )


def sheet(found: League, language: str) -> Sheet:
    """Return the standing as a table of numbers, with the kit's own strategy last if it took a
    seat.
    """
    lines = [*found.standing(), *filter(None, [found.house()])]
    rows = [
        (
            each.name,
            each.strategy,
            each.tables,
            round(each.won, 2),
            "" if each.interval is None else round(each.interval, 2),
            round(each.points, 2),
            len(each.stopped),
        )
        for each in lines
    ]
    return Sheet(
        ("file", "strategy", "tables", "wins", "wins_interval", "points", "stopped"),
        rows,
        found.game.name,
        language,
    )


def write_standing(found: League, folder: Path, language: str, over: bool) -> None:
    """Write the standing into *folder*; when the league is *over* also its numbers and a match for
    a table to show.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / "standing.new"
    new.write_text(standing_page(found, language, over), encoding="utf-8")
    try:
        new.replace(folder / STANDING)  # a browser that reloads never finds half a page
    except PermissionError:  # on Windows, while it reads; the next round tries again
        if over:
            raise
    if not over:
        return
    for name in ("standing.csv", "standing-codebook.csv", MATCH):
        (folder / name).unlink(missing_ok=True)
    sheet(found, language).csv(folder / "standing.csv")
    if record := found.final():
        (folder / MATCH).write_text(record, encoding="utf-8")
