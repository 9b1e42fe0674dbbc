"""All that is told of a match, in words: on the table, in the rules in short, and afterwards."""

from collections.abc import Iterator, Sequence
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.game import TABLE, pick_action, sentence
from coursekit.core.match import Match
from coursekit.core.strategy import Strategy
from coursekit.figures import Picture
from coursekit.kit import GAMES
from coursekit.kit.debrief_moment import Played
from coursekit.kit.scene import Look


def rules(game: Any, language: str = "en") -> list[str]:
    """Return the rules in short."""
    guide = GAMES[game.name].guide
    assert guide is not None
    return [each for each in guide.list_rules(Look(game, language)) if each]


def notes(game: Any, language: str = "en") -> dict[str, str]:
    """Return what the map says about each thing, by its card."""
    drawn = GAMES[game.name].load_lesson().map_starter
    assert drawn is not None
    return {each.card.partition("/")[2]: each.note for each in drawn.cards(game, language)}


def links(game: Any, language: str = "en") -> list[str]:
    """Return the sentences of the starter map."""
    drawn = GAMES[game.name].load_lesson().map_starter
    assert drawn is not None
    starter = drawn.starter(game, language)
    label = {name: each["label"] for name, each in starter["concepts"].items()}
    return [
        f"{label[start]} {phrase} {label[end]}" for start, phrase, end, _ in starter["relations"]
    ]


def moments(match: Match, language: str = "en") -> list[str]:
    """Return the debrief: titles, sentences and questions."""
    find = GAMES[match.game.name].load_lesson().moments
    assert find is not None
    found = find([Played(match, tuple(match.game.seats))], language)
    return [words for each in found for words in (each.title, *_words(each.parts), each.ask)]


def evidence(match: Match, names: Sequence[str], language: str = "en") -> list[str]:
    """Return what is shown to everybody below the questions *names*."""
    show = GAMES[match.game.name].load_lesson().evidence
    assert show is not None
    return [
        words
        for name in names
        for words in _words(show(name, match, tuple(match.game.seats), language))
    ]


def _words(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        yield from (part.caption, part.alt) if isinstance(part, Picture) else (str(part),)


def played(
    game: Any, kinds: Sequence[type[Strategy]], seed: str, language: str = "en"
) -> tuple[Match, list[str]]:
    """Return a match and what was told on the way: prompts and notes of all seats, reasons,
    refusals and the log.
    """
    match, rng, said = Match(game, seed), stream(seed, "told"), dict[str, None]()
    players = [kinds[seat % len(kinds)](stream(seed, f"seat {seat}"), game) for seat in game.seats]
    while deciding := game.to_act(match.state):
        said |= dict.fromkeys(_on_table(match, deciding[0], language))
        seats = [seat for seat in deciding if seat != TABLE]
        chosen = {seat: players[seat].decide(game.observe(match.state, seat)) for seat in seats}
        acting = [seat for seat in seats if chosen[seat] is not None]
        if not acting:
            who = TABLE if TABLE in deciding else seats[0]
            match.play(who, pick_action(game.legal_actions(match.state, who), rng))
            continue
        who = acting[0]
        if reason := players[who].explain(game.observe(match.state, who), chosen[who]):
            said[sentence(game, reason, language)] = None
        match.play(who, chosen[who])
    told = GAMES[game.name].log(match.story(None), Look(game, language))
    return match, [*said, *filter(None, told)]


def _on_table(match: Match, seat: int, language: str) -> Iterator[str]:
    """Yield the prompt and the notes that *seat* and a spectator see, and why the cards of *seat*
    are refused.
    """
    game, draw = match.game, GAMES[match.game.name].scene
    assert draw is not None
    for viewer in (None, seat) if seat != TABLE else (None,):
        obs = game.observe(match.state, viewer)
        scene = draw(obs, match.story(viewer), Look(game, language))
        yield scene["prompt"]
        yield from (zone["note"] for zone in scene["zones"] if zone.get("note"))
    for card in getattr(match.state, "hands", [()] * game.players)[seat] if seat != TABLE else ():
        refusal = game.refusal(match.state, seat, card)
        if refusal is not None:
            yield sentence(game, refusal, language)
