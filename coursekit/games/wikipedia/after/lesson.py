"""The parts of 維基百科 vs 書籍 for the time before and after play."""

from coursekit.games.wikipedia.after.debrief import moments
from coursekit.games.wikipedia.after.evidence import AGAIN, evidence
from coursekit.games.wikipedia.after.starter_map import KINDS, cards, starter
from coursekit.kit import Lesson, MapStarter, Topic

LESSON = Lesson(
    topics=(
        Topic("cards", ("role", "favourite", "often")),
        Topic("knowledge", ("wiki", "crowd"), paired=("wiki",)),
    ),
    evidence=evidence,
    again=AGAIN,
    moments=moments,
    map_starter=MapStarter(
        starter=starter,
        kinds=KINDS,
        cards=cards,
    ),
)
