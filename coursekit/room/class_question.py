"""A question to the class, and what people answered."""

from dataclasses import dataclass, field

from coursekit.kit import kit_of
from coursekit.kit.answer_form import TEXT, AnswerForm
from coursekit.reflect.questions import question
from coursekit.room.answers import FEWEST, Given, Number, Spread, spread_choices, spread_numbers
from coursekit.words.texts import game_text


@dataclass
class ClassQuestion:
    """A question to the class, and what people answered."""

    number: int
    words: str
    """As the teacher typed it, or the name of one of the game's questions."""
    own: bool
    """Whether the teacher typed it."""
    game: str
    """The game that was chosen then."""
    form: AnswerForm = TEXT
    """How it is answered."""
    is_open: bool = True
    answers: dict[int, Given] = field(default_factory=dict)
    """By person."""

    def wording(self, language: str) -> str:
        """Return what was asked."""
        return self.words if self.own else question(self.game, self.words).words[language]

    def choices(self, language: str) -> list[str]:
        """Return what can be chosen, in words."""
        if self.own:
            return list(self.form.choices)
        return [game_text(self.game, text_id, language) for text_id in self.form.choices]

    def value_words(self, given: Given, language: str) -> str:
        """Return the number or the choice of an answer in words, "" if it has none."""
        if given.value is None:
            return ""
        if self.form.kind == "choice":
            return self.choices(language)[int(given.value)]
        return str(given.value)

    def answer_words(self, given: Given, language: str) -> str:
        """Return a whole answer: number or choice, and words."""
        parts = (self.value_words(given, language), given.words)
        return " · ".join(part for part in parts if part.strip())

    @property
    def given(self) -> dict[int, Given]:
        """The answers that say something, by person."""
        return {person: given for person, given in self.answers.items() if not given.is_blank}

    @property
    def values(self) -> list[Number]:
        """The numbers, or the places of choices, of all answers."""
        return [given.value for given in self.answers.values() if given.value is not None]

    @property
    def can_show_spread(self) -> bool:
        """Whether a projector may show how the answers are spread."""
        return not self.is_open and len(self.values) >= FEWEST

    def spread(self, language: str) -> Spread | None:
        """Return how numbers or choices are spread, ``None`` if there are none."""
        if not self.values:
            return None
        if self.form.kind == "choice":
            return spread_choices(self.values, self.choices(language))
        return spread_numbers(self.values, self.form)


def form_of(game: str, name: str) -> AnswerForm:
    """Return how the question *name* of *game* is answered."""
    return kit_of(game).answer_forms.get(name, TEXT)
