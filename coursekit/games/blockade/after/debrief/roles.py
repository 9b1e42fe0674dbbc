"""Moments about the ways of the four roles: what moved them, and what they gained and lost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coursekit.figures import HATCHES, INK, PALETTE, Picture, picture
from coursekit.games.blockade.after.debrief.story import Story
from coursekit.games.blockade.after.figures import who_paid
from coursekit.games.blockade.after.history import BOOK, EVENT, FUNCTION, PROTEST, SEARCH, Era, toll
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAUSES = (BOOK, FUNCTION, EVENT, SEARCH, PROTEST)
Spaces = Counter[tuple[int, str, bool]]
"""Spaces by role, cause, and whether they were forward."""


def moves(story: Story) -> Moment | None:
    """The causes that moved each role forward and back."""
    spaces = Spaces()
    hands: Counter[tuple[int, str]] = Counter()  # by role: own deeds, those of others, events
    for era, move in story.moves():
        role, far = era.roles[move.seat], move.end - move.start
        spaces[role, move.cause.kind, far > 0] += abs(far)
        by = move.cause.by
        whose = (
            "events"
            if move.cause.kind == EVENT or by == NOBODY
            else "own"
            if by == move.seat
            else "others"
        )
        hands[role, whose] += abs(far)
    if spaces.total() < FEW:
        return None
    parts: Parts = [] if story.one else [story.tell("moves.mean", matches=len(story.told))]
    for role in range(len(ROLES)):
        forward, back = (
            _by_cause(story, name, {cause: spaces[role, cause, ahead] for cause in CAUSES})
            for name, ahead in (("forward", True), ("back", False))
        )
        both = (
            story.tell("moves.both", forward=forward, back=back)
            if forward and back
            else forward or back
        )
        parts.append(story.tell("moves.role", role=role, ways=both or story.tell("moves.still")))
    shares = {
        name: sum(hands[role, name] for role in range(len(ROLES)))
        for name in ("own", "others", "events")
    }
    most = max(range(len(ROLES)), key=lambda role: hands[role, "others"])
    means = {name: story.mean(far) for name, far in shares.items()}
    told = [story.tell(f"moves.by.{name}", spaces=mean) for name, mean in means.items() if mean]
    others = story.mean(hands[most, "others"])
    parts.append(
        story.together(
            story.tell("moves.hands", whose=story.listed(told)),
            story.tell("moves.most", role=most, spaces=others) if others else "",
        )
    )
    parts.append(_moved(story, spaces))
    share = (shares["others"] + shares["events"]) / sum(shares.values())
    return story.moment("moves", parts, 0.45 + 0.4 * share)


def _by_cause(story: Story, name: str, spaces: Mapping[str, int]) -> str:
    """Return how far a role moved in a direction, by cause; "" if it did not."""
    causes = [
        story.tell(f"moves.cause.{cause}", spaces=story.mean(far))
        for cause, far in spaces.items()
        if far
    ]
    total = story.mean(sum(spaces.values()))
    return story.tell(f"moves.{name}", spaces=total, causes=story.listed(causes)) if causes else ""


def _moved(story: Story, spaces: Spaces) -> Picture:
    """Return a picture of the spaces that each role went forward and back, by cause."""
    roles = range(len(ROLES))

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 3.8))
        for ahead in (True, False):
            edge = [0.0] * len(ROLES)
            for colour, cause in enumerate(CAUSES):
                far = [
                    (1 if ahead else -1) * spaces[role, cause, ahead] / len(story.told)
                    for role in roles
                ]
                label = story.tell(f"moves.key.{cause}") if ahead else None
                axes.barh(
                    roles,
                    far,
                    0.66,
                    left=edge,
                    color=PALETTE[colour],
                    hatch=HATCHES[colour],
                    edgecolor="white",
                    label=label,
                )
                edge = [start + more for start, more in zip(edge, far)]
        axes.axvline(0, color=INK, linewidth=1)
        axes.set(
            yticks=roles,
            yticklabels=[story.role(role) for role in roles],
            xlabel=story.tell("moves.x"),
        )
        axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=3)
        return figure

    caption = story.tell("moves.caption" if story.one else "moves.caption_mean")
    told = [
        story.tell(
            "moves.alt",
            role=role,
            forward=story.mean(sum(spaces[role, c, True] for c in CAUSES)),
            back=story.mean(sum(spaces[role, c, False] for c in CAUSES)),
        )
        for role in roles
    ]
    return picture(draw, " ".join([caption, *told]), caption, story.language)


def paid(story: Story) -> Moment | None:
    """Gains and losses by role: the points of each era if there are few, else their mean."""
    played = list(story.all_eras())
    ended = [era for era in played if era.ended]
    if not ended:
        return None
    tolls = toll(played)
    parts: Parts = []
    for role in range(len(ROLES)):
        points = [
            (era.number, era.points[seat])
            for era in ended
            for seat in range(len(ROLES))
            if era.roles[seat] == role
        ]
        if 0 < len(points) < FEW:
            told = [story.tell("paid.points", era=era, points=each) for era, each in points]
            parts.append(story.tell("paid.few", role=role, points=story.listed(told)))
        elif points:
            mean = number(sum(each for _, each in points) / len(points))
            values = {"role": role, "points": mean, "eras": len(points)}
            first = _firsts(ended, role)
            parts.append(
                story.tell("paid.role", **values, first=first)
                if first
                else story.tell("paid.role_never", **values)
            )
    parts.append(story.tell(f"paid.{_fairness(story, ended)}"))
    if any(each.attempts for each in tolls):
        parts.append(who_paid(tolls, story.language, len(story.told)))
    lost = max(tolls, key=lambda each: each.spaces_lost + each.books_lost)
    uneven = min(0.3, (lost.spaces_lost + lost.books_lost) / max(1, len(played)) / 12)
    return story.moment("paid", parts, 0.4 + uneven)


def _fairness(story: Story, ended: Sequence[Era]) -> str:
    """Return what can be said of how even the eras are: it has been measured by the standard rules
    only.
    """
    changed = [told for told in story.told if not _as_measured(told.game)]
    if changed:
        return "changed" if len(changed) == len(story.told) else "changed_some"
    return "one_era" if len({era.number for era in ended}) == 1 else "eras"


def _as_measured(game: Blockade) -> bool:
    """Return whether *game* has the standard rules, but for how long is played, by whom, and with
    which cards.
    """
    standard = Options()
    same = {
        name: getattr(standard, name)
        for name in ("eras", "laps_limit", "roles_each_era", "open_hands", "edition")
    }
    return type(game) is Blockade and replace(game.options, **same) == standard


def _firsts(ended: Sequence[Era], role: int) -> int:
    """Return in how many eras *role* has the most points, alone or with others."""
    return sum(
        era.points[seat] == max(era.points)
        for era in ended
        for seat in range(len(ROLES))
        if era.roles[seat] == role
    )
