"""The parts of 文壇封鎖中 1949-1992 for the time before and after play."""

from coursekit.games.blockade.after.debrief import moments
from coursekit.games.blockade.after.evidence import AGAIN, evidence
from coursekit.games.blockade.after.starter_map import KINDS, cards, starter, topics
from coursekit.kit import Lesson, MapStarter, Topic

LESSON = Lesson(
    topics=(
        Topic("history", ("roles", "history")),
        Topic("law", ("law", "paid"), paired=("law",)),
        Topic("silence", ("silence", "self"), paired=("silence",)),
        Topic("evidence", ("source", "model")),
        Topic("today", ("now",), shows=False),
    ),
    evidence=evidence,
    again=AGAIN,
    moments=moments,
    map_starter=MapStarter(
        starter=starter,
        kinds=KINDS,
        cards=cards,
        topics=topics,
    ),
)
