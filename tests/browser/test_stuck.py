"""A strategy that fails at a table in a browser: what is told, and where."""

import pytest
from bare import Bare
from driver import AtTable
from playwright.sync_api import Page, expect

from coursekit.core.strategy import Strategy
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store


class Careless(Strategy):
    def decide(self, obs):
        if obs.legal and obs.round > 1:
            return self.no_such_thing
        return super().decide(obs)


class CarelessLater(Careless):
    def decide(self, obs):
        return (
            self.no_such_thing
            if getattr(obs, "turns", 1) and obs.phase != "opening"
            else Strategy.decide(self, obs)
        )


class Endless(Strategy):
    time_limit = 0.1

    def bid(self, obs):
        while obs.round > 1:
            pass
        return super().anything(obs)


def at_trouble(page: Page, tmp_path, game: str, kind: type[Strategy]) -> AtTable:
    """Return a table at which a strategy of class *kind* is stuck."""
    page.emulate_media(reduced_motion="reduce")
    rules = GAMES[game].standard(None)
    seats = ["person", *[kind] * (rules.players - 1)]
    Bare(page, Table(Run(rules, seats, seed="stuck"), language="en", store=Store(tmp_path)))
    table = AtTable(page)
    for _ in range(20):
        if table.root.locator(".ck-box-trouble").count():
            break
        table.decide()
    expect(table.root.locator(".ck-box-trouble")).to_be_visible()
    return table


def places(table: AtTable) -> list[dict[str, float]]:
    """Return where the cards of the hand are."""
    return [each.bounding_box() for each in table.root.locator(".ck-hand .ck-piece").all()]


@pytest.mark.parametrize(
    ("game", "kind"),
    [("wizard", Careless), ("wikipedia", CarelessLater), ("blockade", CarelessLater)],
)
def test_why_a_strategy_is_stuck_is_told_beside_the_hand(page: Page, tmp_path, game, kind):
    table = at_trouble(page, tmp_path, game, kind)
    notice = table.root.locator(".ck-box-trouble")
    for words in ("self.no_such_thing", "has no no_such_thing", kind.__name__):
        expect(notice).to_contain_text(words)
    expect(table.root.locator(".ck-prompt")).to_contain_text("is stuck")
    assert "thinking" not in table.root.inner_text()
    page.evaluate("scrollTo(0, 0)")
    hand, told = places(table), notice.bounding_box()
    assert hand
    assert told["y"] >= 0
    assert told["y"] + told["height"] <= 720
    for card in hand:
        assert card["y"] + card["height"] / 2 <= 720
        assert card["x"] + card["width"] <= told["x"] or card["y"] >= told["y"] + told["height"]
    notice.evaluate("each => each.remove()")
    assert places(table) == hand  # it takes no room from the table


AT_RANDOM = "menu => [...menu.options].find(({ label }) => label.includes('at random')).value"


def test_somebody_else_takes_the_seat(page: Page, tmp_path):
    table = at_trouble(page, tmp_path, "wizard", Endless)
    notice = table.root.locator(".ck-box-trouble")
    expect(notice).to_contain_text("Endless.bid thought for more than 0.1 seconds and was stopped")
    assert (
        notice.locator("select")
        .evaluate("menu => menu.selectedOptions[0].label")
        .endswith("(Endless)")
    )
    notice.locator("select").select_option(notice.locator("select").evaluate(AT_RANDOM))
    notice.get_by_role("button", name="Play on").click()
    expect(notice).to_contain_text("Player 3")  # whose strategy is the same
    notice.locator("select").select_option(notice.locator("select").evaluate(AT_RANDOM))
    notice.get_by_role("button", name="Play on").click()
    expect(notice).to_have_count(0)
    table.wait()
