"""The parts of Wizard 巫師 for the time before and after play."""

from coursekit.games.wizard.after.debrief import moments
from coursekit.games.wizard.after.evidence import AGAIN, evidence
from coursekit.games.wizard.after.starter_map import KINDS, cards, starter
from coursekit.kit import Lesson, MapStarter, Topic

LESSON = Lesson(
    topics=(
        Topic("prediction", ("sure", "order", "exactly")),
        Topic("luck", ("luck", "change", "mistake"), paired=("luck",)),
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
