"""Whole matches in the lessons, by somebody who does not scroll: nothing that is clicked lies outside the window."""

import pytest
from insight import Attentive

from coursekit.kit import kit_of

MATCHES = [("blockade", "one_era", "1280x720"), ("knitwit", "short", "360x640")]
"""Games, presets and windows; more in ``test_site.py``, and ``python -m benchmarks clicks`` plays all there are."""


@pytest.mark.parametrize(("game", "preset", "size"), MATCHES)
def test_everything_that_is_clicked_in_a_match_is_in_sight(page, served, game, preset, size):
    page.goto(f"{served.dashboard(f'en/{game}.ipynb')}#play", wait_until="commit")
    person = Attentive(page)
    person.in_window(size, "en")
    person.begin(list(kit_of(game).rules.presets).index(preset))
    person.play(2_000)
    assert person.over()
    assert person.clicks > 10
    assert (person.unseen, person.missed) == ([], [])
