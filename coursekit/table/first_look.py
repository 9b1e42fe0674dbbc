"""The rules of a game in four pictures, before anybody has seen its table."""

from typing import Any

import anywidget
import traitlets

from coursekit.kit import kit_of
from coursekit.table.static_files import table_script, table_styles, zone_styles
from coursekit.table.table_pictures import rule_pictures
from coursekit.table.view import interface_words
from coursekit.words.language import current_language


class FirstLook(anywidget.AnyWidget):
    """Four pictures of a table with a line each; nothing can be done with them.

    :param game: the name of a game that has pictures.
    :param language: one of :data:`.LANGUAGES`.
    """

    _css = table_styles()
    stills: "traitlets.List[dict[str, Any]]" = traitlets.List().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    art = traitlets.Unicode("").tag(sync=True)
    zone_css = traitlets.Unicode("").tag(sync=True)

    def __init__(self, game: str, language: str | None = None) -> None:
        language = language or current_language()
        kit = kit_of(game)
        self._esm = table_script(kit)
        super().__init__(
            stills=rule_pictures(game, language),
            words=interface_words(game, language),
            art=kit.drawings(),
            zone_css=zone_styles(kit),
        )
