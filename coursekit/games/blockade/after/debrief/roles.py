"""Moments about the ways of the four roles: what moved them, and what they gained and lost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coursekit.games.blockade.after.debrief.story import Story
from coursekit.games.blockade.after.figures import who_paid
from coursekit.games.blockade.after.history import EVENT, MOVING, Era, Move, add_tolls
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.rules.state import NOBODY
from coursekit.kit.debrief_moment import Moment
from coursekit.reflect.debrief_story import FEW, Parts, number

if TYPE_CHECKING:
    from coursekit.figures import Picture

SEATS = range(len(ROLES))
"""Also the roles, by number."""
Spaces = Counter[tuple[int, str, bool]]
"""Spaces by role, cause, and whether they were forward."""


def moves(story: Story) -> Moment | None:
    """The causes that moved each role forward and back."""
    spaces = Spaces()
    hands: Counter[tuple[int, str]] = Counter()  # by role and whose deed it was
    for era, move in story.moves():
        role, far = era.roles[move.seat], move.end - move.start
        spaces[role, move.cause.kind, far > 0] += abs(far)
        hands[role, _whose(move)] += abs(far)
    if spaces.total() < FEW:
        return None
    parts: Parts = [] if story.one else [story.tell("moves.mean", matches=len(story.matches))]
    for role in SEATS:
        ways = [_tell_causes(story, role, way, spaces) for way in ("forward", "back")]
        words = "".join(ways) or story.tell("moves.still")
        if all(ways):
            words = story.tell("moves.both", forward=ways[0], back=ways[1])
        parts.append(story.tell("moves.role", role=role, ways=words))
    shares = {
        name: sum(hands[role, name] for role in SEATS) for name in ("own", "others", "events")
    }
    means = {name: story.mean(far) for name, far in shares.items()}
    words = story.listed(
        [story.tell(f"moves.by.{name}", spaces=mean) for name, mean in means.items() if mean]
    )
    sentences = [story.tell("moves.hands", whose=words)]
    most = max(SEATS, key=lambda role: hands[role, "others"])
    if others := story.mean(hands[most, "others"]):
        sentences.append(story.tell("moves.most", role=most, spaces=others))
    parts += [story.together(*sentences), _plot_moves(story, spaces)]
    share = (shares["others"] + shares["events"]) / sum(shares.values())
    return story.moment("moves", parts, 0.45 + 0.4 * share)


def _whose(move: Move) -> str:
    """Return by whom a marker was moved: its "own" player, "others" or "events"."""
    if move.cause.kind == EVENT or move.cause.by == NOBODY:
        return "events"
    return "own" if move.cause.by == move.seat else "others"


def _tell_causes(story: Story, role: int, way: str, spaces: Spaces) -> str:
    """Return how far *role* moved "forward" or "back", by cause; "" if it did not."""
    causes = []
    for cause in MOVING:
        if far := spaces[role, cause, way == "forward"]:
            causes.append(story.tell(f"moves.cause.{cause}", spaces=story.mean(far)))
    if not causes:
        return ""
    total = _sum(story, role, way, spaces)
    return story.tell(f"moves.{way}", spaces=total, causes=story.listed(causes))


def _sum(story: Story, role: int, way: str, spaces: Spaces) -> float:
    return story.mean(sum(spaces[role, cause, way == "forward"] for cause in MOVING))


def _plot_moves(story: Story, spaces: Spaces) -> "Picture":
    """Return a picture of the spaces that each role went forward and back, by cause."""
    from coursekit.figures import Axis, Layer, Panel, Rule, plot, stack_bars

    layers: list[Layer] = []
    for ahead, sign in ((True, 1), (False, -1)):
        layers += stack_bars(
            {
                story.tell(f"moves.key.{cause}"): [
                    sign * spaces[role, cause, ahead] / len(story.matches) for role in SEATS
                ]
                for cause in MOVING
            }
        )
    names = [story.role(role) for role in SEATS]
    panel = Panel(
        [*layers, Rule(0, upright=True)],
        x=Axis(story.tell("moves.x"), whole=False, unsigned=True),
        y=Axis(names=names, down=True),
    )
    caption = story.tell("moves.caption" if story.one else "moves.caption_mean")
    alt = [caption]
    for role in SEATS:
        ways = {way: _sum(story, role, way, spaces) for way in ("forward", "back")}
        alt.append(story.tell("moves.alt", role=role, **ways))
    return plot(panel, " ".join(alt), caption, story.language, height=3.8, legend=3)


def gains_and_losses(story: Story) -> Moment | None:
    """Gains and losses by role: the points of each era if there are few, else their mean."""
    ended = [era for era in story.eras if era.ended]
    if not ended:
        return None
    parts: Parts = []
    for role in SEATS:
        points = [(era, era.points[era.roles.index(role)]) for era in ended]
        if len(points) < FEW:
            words = [story.tell("paid.points", era=era.number, points=won) for era, won in points]
            parts.append(story.tell("paid.few", role=role, points=story.listed(words)))
            continue
        mean = number(sum(won for _, won in points) / len(points))
        values: Mapping[str, float] = {"role": role, "points": mean, "eras": len(points)}
        some, none = "paid.role", "paid.role_never"
        if _is_one_era(ended):
            some, none = "paid.role_one_era", "paid.role_never_one_era"
        if first := sum(won == max(era.points) for era, won in points):
            parts.append(story.tell(some, **values, first=first))
        else:
            parts.append(story.tell(none, **values))
    parts.append(story.tell(f"paid.{_fairness(story, ended)}"))
    tolls = add_tolls(story.histories)
    if any(toll.attempts for toll in tolls):
        parts.append(who_paid(tolls, story.language, len(story.matches)))
    lost = max(toll.spaces_lost + toll.books_lost for toll in tolls)
    return story.moment("paid", parts, 0.4 + min(0.3, lost / len(story.eras) / 12))


def _fairness(story: Story, ended: Sequence[Era]) -> str:
    """Return what can be said of how even the eras are, as measured by the standard rules."""
    one_era = _is_one_era(ended)
    measured = [Options(), Blockade.preset("one_era")] if one_era else [Options()]
    changed = sum(not _has_rules_of(history.game, measured) for history in story.histories)
    if changed:
        return "changed" if changed == len(story.matches) else "changed_some"
    return "one_era" if one_era else "eras"


def _is_one_era(ended: Sequence[Era]) -> bool:
    return len({era.number for era in ended}) == 1


def _has_rules_of(game: Blockade, measured: Sequence[Options]) -> bool:
    """Return whether *game* differs from one of *measured* only in its length, roles and cards."""
    names = ("eras", "laps_limit", "roles_each_era", "open_hands", "edition")
    same = {name: getattr(Options(), name) for name in names}
    rules = [replace(options, **same) for options in measured]
    return type(game) is Blockade and replace(game.options, **same) in rules
