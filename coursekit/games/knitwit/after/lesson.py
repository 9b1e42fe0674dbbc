"""The parts of Knit Wit for the time before and after play."""

from coursekit.games.knitwit.after.debrief import moments
from coursekit.games.knitwit.after.evidence import AGAIN, evidence
from coursekit.games.knitwit.after.starter_map import (
    FIRST,
    KINDS,
    cards,
    linking,
    question,
    starter,
    topics,
)
from coursekit.kit import Lesson, MapStarter, Topic

LESSON = Lesson(
    topics=(
        Topic("sets", ("pair", "hard"), paired=("hard",)),
        Topic("answers", ("same", "rare")),
        Topic("deciding", ("judge", "stop"), paired=("judge",)),
        Topic("world", ("fuzzy", "everyday"), shows=False),
    ),
    evidence=evidence,
    again=AGAIN,
    moments=moments,
    map_starter=MapStarter(
        starter=starter,
        kinds=KINDS,
        cards=cards,
        topics=topics,
        question=question,
        first=FIRST,
        linking=linking,
    ),
)
