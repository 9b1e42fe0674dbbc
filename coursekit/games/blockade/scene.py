"""How 文壇封鎖中 looks on the table: observation -> scene, the year track around everything."""

from collections.abc import Sequence
from typing import Any, cast

from coursekit.game import TABLE, Event, Seat
from coursekit.games.blockade import carddata
from coursekit.games.blockade.cards import CENSORS, ERAS, OWN_DESIGN, PENS, ROLES, is_own_design
from coursekit.games.blockade.pages import handbook, own
from coursekit.games.blockade.rules import Blockade
from coursekit.games.blockade.state import HIDDEN, NOTHING, Action, O, Observation, X
from coursekit.table.scene import Choice, Face, Look, Piece, Place, Scene, Shelf, Side, Space, Tone, Zone

__all__ = ["handbook", "log", "scene"]

TONES: tuple[Tone, ...] = ("red", "grey", "blue", "green")
"""Of the roles; the camps have different shapes, too."""
IN_HAND = {
    "opening": ("play", "discard"), "main": ("play", "discard"), "fresh": ("discard",), "place": ("play",),
    "pay": ("pay",), "trim": ("discard",), "pass_left": ("left",),
}  # fmt: skip
"""What a hand card may be asked for, by phase."""
BUTTONS = ("pay", "lose", "strike", "under", "rival")
"""Decisions about things that lie elsewhere on the table; they have buttons near the hand as well."""
WORDS = ("roll", "exchange", "refresh", "done", "pass")
HEADLINES = ("read", "happens", "exchange", "strike")
LINES = 3  # of what followed a headline


def rules_of(look: Look) -> Blockade:
    """Return the game that is looked at."""
    return cast(Blockade, look.game)


# Pieces


def card_piece(card: int, obs: Observation, look: Look, **more: Any) -> Piece:
    """Return an experience card as a piece that tells its page; *more* are further fields."""
    game = rules_of(look)
    if kind := game.cards.kinds[card]:
        face: Face = {"art": f"fn-{kind}", "print": {"form": "order", "title": look.word("function", kind)}}
        found: Piece = {"id": f"card-{card}", "face": face, "label": look.word("card", card), "about": f"fn-{kind}"}
    else:
        found = _writer(card, obs, look)
    found.update(more)  # type: ignore[typeddict-item]
    return found


def _writer(card: int, obs: Observation, look: Look) -> Piece:
    game, writer = rules_of(look), rules_of(look).cards.writers[card]
    face: Face = {"print": {
        "form": "slip", "title": carddata.in_language(writer.name_zh, writer.name_en, look.language),
        "text": writer.title(look.language), "head": lifetime(writer.birth, writer.death),
        "foot": str(writer.work_year),
    }}  # fmt: skip
    label = look.word("card", card)
    if card not in game.usable[obs.era]:
        face["print"]["off"] = True
        label = look.say("card.off", card=label)
    return {"id": f"card-{card}", "face": face, "label": label, "about": f"writer-{card}"}


def lifetime(first: int | None, last: int | None) -> str:
    """Return two years as they are printed on cards; an unknown or future one is left out."""
    return f"{first or ''}–{last or ''}" if first or last else ""


def book_piece(book: int, look: Look, **more: Any) -> Piece:
    """Return a book card as a piece that tells its page."""
    cards = rules_of(look).cards
    kind, language = cards.book_kinds[book], look.language
    if book < len(cards.periodicals):
        paper = cards.periodicals[book]
        title, text = carddata.in_language(paper.title_zh, paper.title_en, language), lifetime(paper.founded, paper.ceased)
    else:
        banned = cards.banned[book - len(cards.periodicals)]
        title = carddata.in_language(banned.title_zh, banned.title_en, language)
        text = carddata.in_language(banned.author_zh, banned.author_en, language)
    form = "paper" if kind == "periodical" else "volume"
    foot = look.say(f"kind.{kind}")
    face: Any = {"art": kind, "print": {"form": form, "title": title, "text": text, "foot": foot}, "tone": "blue" if form == "paper" else "red"}
    found: Piece = {"id": f"book-{book}", "face": face, "label": look.word("book", book), "about": f"book-{book}"}
    found.update(more)  # type: ignore[typeddict-item]
    return found


def event_piece(event: int, look: Look, id: str = "event") -> Piece:
    """Return an event as a leaf with its year."""
    face: Face = {"art": "event", "print": {"form": "leaf", "head": str(event), "title": look.word("event", event)}}
    return {"id": f"{id}-{event}", "face": face, "label": f"{event} {look.word('event', event)}", "about": f"event-{event}"}


def _marker(seat: Seat, obs: Observation, look: Look) -> Piece:
    role = obs.roles[seat]
    form: Any = "stamp" if role in CENSORS else "token"
    face: Face = {"print": {"form": form, "title": look.say(f"sign.{ROLES[role]}")}, "tone": TONES[role]}
    label = look.say("marker", seat=seat, role=role)
    return {"id": f"marker-{seat}", "face": face, "label": label}


# The scene


def scene(obs: Observation, story: Sequence[Event], look: Look) -> Scene:
    """Return what the seat of *obs* sees, *story* being all it may read of the match so far."""
    zones = [_seats(obs, look), _track(obs, story, look)]
    zones += [*_seen(obs, look), *_choices(obs, look), *_hand(obs, look), *_pad(obs, look)]
    thrown = bool(story) and story[-1].text in ("launch_fails", "defended", "throw")
    slow = thrown or obs.phase in ("launch", "defend") or (bool(story) and story[-1].text in HEADLINES)
    return {
        "title": look.say("lap_title", era=obs.era, lap=obs.lap),
        "prompt": _prompt(obs, look),
        "turn": bool(obs.legal) or obs.waiting == (TABLE,),
        "over": obs.phase == "over",
        "zones": zones,
        "beat": 2.0 if obs.phase == "era" else 1.5 if slow else 1.0,
    }


def _prompt(obs: Observation, look: Look) -> str:
    if obs.phase == "over":
        return look.say("over", winners=obs.won, points=max(obs.points))
    if obs.waiting == (TABLE,):
        return look.say(f"prompt.{obs.phase}", era=obs.era, event=ERAS[obs.era][0])
    options, words = look.game.options, obs.steps[-1][2:]
    values: dict[str, Any] = {
        "seats": obs.waiting, "era": obs.era, "price": options.price, "o": O, "x": X,
        "need": O if options.defence_o == "attacker" else X, "safe": X if options.defence_o == "attacker" else O,
    }  # fmt: skip
    if obs.phase in ("launch", "defend"):
        values |= {"seat": words[0], "book": words[1]}
    if obs.phase == "rival":
        values["name"] = words[0]
    if obs.phase == "inspect":
        values["seat"] = words[0]
    if obs.phase in ("pay", "place"):
        values["count"] = words[0]
    if not obs.legal:
        return look.say(f"waiting.{obs.phase}", **values)
    return look.say(f"prompt.{obs.phase}{_part(obs, look)}", **values)


def _part(obs: Observation, look: Look) -> str:
    """Return which of several prompts of a phase fits, "" if there is only one."""
    verbs = {action[0] for action in obs.legal if isinstance(action, tuple)}
    if obs.phase in ("opening", "main"):
        if "play" in verbs or "exchange" in obs.legal:
            return ".exchange" if "exchange" in obs.legal else ".play"
        return ".fresh" if obs.fresh and "done" in obs.legal else ".discard" if verbs else ".pass"
    if obs.phase == "strike":
        pen = obs.role in PENS
        return f".{'pens' if pen else 'censors'}.{'sure' if obs.sure or (obs.outspoken and pen) else 'throw'}"
    if obs.phase == "place":
        return ".any" if obs.steps[-1][3] else ".era"
    if obs.phase == "throw":
        return f".{obs.steps[-1][2]}"
    return ""


# Plates


def _seats(obs: Observation, look: Look) -> Zone:
    places = [_place(obs, seat, look) for seat in look.game.seats]
    return {"kind": "seats", "place": "far", "label": look.say("zone.seats"), "places": places}


def _place(obs: Observation, seat: Seat, look: Look) -> Place:
    role = obs.roles[seat]
    name = ROLES[role]
    sign: Piece = {
        "id": f"role-{seat}", "face": {"art": f"role-{name}", "name": look.word("role", role), "tone": TONES[role]},
        "label": look.word("role", role), "about": f"role-{name}",
    }  # fmt: skip
    open_hands = {each.seat: each.hand for each in look.open_hands}
    lying = open_hands.get(seat, ()) if seat != obs.seat else ()
    return {
        "seat": seat, "name": look.name(seat), "by": look.by[seat] if look.by else "",
        "you": seat == obs.seat, "turn": seat in obs.waiting, "winner": seat in obs.won,
        "sign": sign, "team": {"label": look.word("role", role), "tone": TONES[role]},
        "badges": _badges(obs, seat, look),
        "counts": [
            {"label": look.say("count.points"), "value": str(obs.points[seat])},
            {"label": look.say("count.place"), "value": _where(obs, seat, look)},
        ],
        "shelves": _shelves(obs, seat, look), "backs": obs.held[seat] - len(lying),
        "pieces": [card_piece(card, obs, look) for card in lying],
    }  # fmt: skip


def _where(obs: Observation, seat: Seat, look: Look) -> str:
    left = obs.distance[seat]
    if not left:
        return look.say("where.end")
    return look.say("where.left", year=rules_of(look).year(obs.era, obs.positions[seat]), left=left)


def _badges(obs: Observation, seat: Seat, look: Look) -> list[str]:
    censor = obs.roles[seat] in CENSORS
    badges = {
        "covered": obs.covered[seat], "skip": obs.skip[seat], "spare": obs.spares[seat],
        "sure": obs.sure and seat == obs.turn, "lifted": obs.lifted and censor, "outspoken": obs.outspoken and not censor,
    }  # fmt: skip
    return [look.say(f"badge.{name}") for name, holds in badges.items() if holds]


def _shelves(obs: Observation, seat: Seat, look: Look) -> list[Shelf]:
    writers = [card_piece(card, obs, look, owner=seat) for card in obs.tables[seat]]
    for piece, card in zip(writers, obs.tables[seat], strict=True):
        _offer(piece, [("pay", card), ("lose", card)], obs, look)
    books = [book_piece(book, look, owner=seat) for book in obs.books[seat]]
    for piece, book in zip(books, obs.books[seat], strict=True):
        _offer(piece, [("strike", book), ("under", book)], obs, look)
    spares = [card_piece(card, obs, look, owner=seat) for card in obs.spares[seat]]
    shelves = {"writers": writers, "books": books, "spares": spares}
    return [{"label": look.say(f"shelf.{name}"), "pieces": pieces} for name, pieces in shelves.items() if pieces]


def _offer(piece: Piece, actions: Sequence[Action], obs: Observation, look: Look) -> None:
    """Offer those of *actions* that may be done on the sheet of *piece*."""
    if choices := [_choice(action, obs, look, primary=True) for action in actions if action in obs.legal]:
        piece["choices"] = choices


# The board


def _track(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    sides = [_side(era, obs, look) for era in ERAS]
    markers = _lying_at(obs, look)
    for seat, (side, space) in markers.items():
        at = sides[side]["corner"] if space < 0 else sides[side]["spaces"][space]
        at["markers"].append(_marker(seat, obs, look))
    zones = [*_piles(obs, look), _dice(obs, story, look), _notice(obs, story, look)]
    return {"kind": "track", "place": "middle", "label": look.say("zone.track"), "sides": sides, "zones": zones}


def _lying_at(obs: Observation, look: Look) -> dict[Seat, tuple[int, int]]:
    """Return by seat the side and space of its marker; space -1 is the corner behind that side."""
    side, found = obs.era - 1, {}
    for seat, position in enumerate(obs.positions):
        space = position - look.game.options.start_in_buffer
        if space < 0:
            found[seat] = ((side - 1) % len(ERAS), -1)
        else:
            found[seat] = (side, space if space < len(ERAS[obs.era]) else -1)
    return found


def _side(era: int, obs: Observation, look: Look) -> Side:
    game, now = rules_of(look), era == obs.era
    done = {event for event, _ in obs.fired}
    goal = game.year(era, game.goal(era)) if now else 0
    spaces: list[Space] = []
    for year in ERAS[era]:
        events = [note.year for note in carddata.events() if year_of(note.year, look) == year]
        happened = now and any(event in done for event in events)
        spaces.append({
            "label": str(year), "short": str(year)[2:], "pieces": [event_piece(event, look) for event in events],
            "markers": [], "state": "done" if happened else "goal" if year == goal else "",
        })  # fmt: skip
    end = now and goal > ERAS[era][-1]
    corner: Space = {
        "label": look.say("corner_end") if end else "", "short": "", "pieces": [], "markers": [],
        "state": "goal" if end else "",
    }  # fmt: skip
    return {"label": look.word("era", era), "spaces": spaces, "corner": corner, "now": now}


def year_of(event: int, look: Look) -> int:
    """Return the year on whose space *event* stands."""
    return next((year for year, there in rules_of(look).events_at.items() if event in there), event)


def _piles(obs: Observation, look: Look) -> list[Zone]:
    top = card_piece(obs.discards[-1], obs, look) if obs.discards else None
    deck: Zone = {"kind": "pile", "place": "middle", "count": obs.deck, "top": None}
    away: Zone = {"kind": "pile", "place": "middle", "count": 0, "top": top, "takes": True}
    books: Zone = {"kind": "pile", "place": "middle", "count": obs.book_deck, "top": None, "back": {"back": True, "art": "back-book"}}
    found = {"deck": deck, "discards": away, "books": books}
    for name, zone in found.items():
        zone["label"] = zone["caption"] = look.say(f"pile.{name}")
    return list(found.values())


def _throws(obs: Observation, story: Sequence[Event]) -> list[tuple[Seat, str]]:
    """Return who threw what in what is being decided, or was decided last; "0" for a throw still to come."""
    done: list[tuple[Seat, str]] = []
    for event in reversed(story):
        if event.text == "throw":
            done.insert(0, (event.values["seat"], event.values["die"]))
        elif event.text.startswith("strike."):
            if done and len(done) == 1 and done[0] == (event.values["seat"], X):
                done.append((event.values["target"], "0"))
            break
        elif event.text in ("read", "exchange", "place", "era_begins"):
            break
        elif event.text == "happens" and (done or obs.phase == "throw"):
            break
    if obs.phase == "launch":
        return [(obs.steps[-1][1], "0"), (obs.steps[-1][2], "0")]
    return done + [(step[1], "0") for step in reversed(obs.steps) if step[0] in ("defend", "throw")]


def _dice(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    dice: list[Any] = [{
        "value": value, "caption": look.word("role", obs.roles[seat]),
        "label": look.say("die.waits" if value == "0" else "die.thrown", seat=seat, die=value),
    } for seat, value in _throws(obs, story)]  # fmt: skip
    rest = [{"value": "0", "label": look.say("die.rest")}]
    return {"kind": "dice", "place": "middle", "label": look.say("zone.die"), "dice": dice or rest}


def _notice(obs: Observation, story: Sequence[Event], look: Look) -> Zone:
    """Return what everybody should read: the last card read aloud or event, and what followed."""
    if obs.phase == "over":
        return _closing(story, look)
    head, lines = _headline(story)
    zone: Zone = {"kind": "notice", "place": "middle", "label": look.say("zone.notice"), "piece": None, "note": ""}
    if head is None:
        zone |= {"title": look.say("notice.start", era=obs.era), "text": _moves(look)}
        if obs.phase == "begin":
            zone["piece"] = event_piece(ERAS[obs.era][0], look, "notice")
        return zone
    followed = [look.tell(event) for event in lines if event.is_for(None)][-LINES:]
    if head.text == "read":
        card = head.values["card"]
        zone["piece"] = card_piece(card, obs, look, id="notice")
        zone |= {"title": look.say("notice.read", **head.values), "text": [look.word("reading", card), *followed]}
    elif head.text == "happens":
        event = head.values["event"]
        zone["piece"] = event_piece(event, look, "notice")
        title = look.say("notice.happens", event=event, year=event)
        zone |= {"title": title, "text": [look.word("effect", event), *followed]}
    else:
        zone |= {"title": look.tell(head), "text": followed}
    if any(is_own_design(text) for text in _texts_of(head, look)):
        zone["note"] = look.say(OWN_DESIGN)
    return zone


def _texts_of(event: Event, look: Look) -> list[str]:
    """Return the texts of the box that *event* tells: of a function card, or an event's effect."""
    kinds = {"read": ("reading", "card"), "happens": ("effect", "event")}
    if event.text not in kinds:
        return []
    kind, name = kinds[event.text]
    return [look.game.word(kind, event.values[name])[0]]


def _headline(story: Sequence[Event]) -> tuple[Event | None, list[Event]]:
    """Return what was last done in this era that everybody should see, and what followed."""
    head, followed = None, list[Event]()
    for event in story:
        big = event.text.partition(".")[0] in (*HEADLINES, "era_ends")
        small = event.text in ("place", "discard", "pass")
        if event.text == "era_begins":
            head, followed = None, []
        elif big or (small and (head is None or event.values["seat"] != head.values.get("seat", NOTHING))):
            head, followed = event, []
        elif event.text not in ("draw", "role_is") and not event.text.startswith("starter"):
            followed.append(event)
    return head, followed


def _moves(look: Look) -> list[str]:
    options = look.game.options
    return [look.say("notice.censors", steps=options.banned_steps), look.say("notice.pens", steps=options.periodical_steps)]


def _closing(story: Sequence[Event], look: Look) -> Zone:
    told = [event for event in story if event.text.startswith("closing.") or event.text == "over"]
    return {
        "kind": "notice", "place": "middle", "label": look.say("zone.notice"), "piece": None,
        "title": look.tell(told[0]), "text": [look.tell(event) for event in told[1:]],
        "note": look.say("notice.history"),
    }  # fmt: skip


# What can be done


def _choice(action: Action, obs: Observation, look: Look, **more: Any) -> Choice:
    """Return *action* as a button; JSON knows no tuples."""
    word, values = action, {"era": obs.era, "price": look.game.options.price, "count": _stale(obs, look)}
    if isinstance(action, tuple):
        word, thing = action
        values |= {"card": thing, "book": thing, "seat": thing}
        if word == "rival":
            values["role"] = obs.roles[thing]
        elif word == "strike":
            values["role"] = next(role for role, books in zip(obs.roles, obs.books, strict=True) if thing in books)
    found: Choice = {
        "label": look.say(f"action.{_wording(str(word), action, obs, look)}", **values),
        "action": list(action) if isinstance(action, tuple) else action, "legal": action in obs.legal,
    }  # fmt: skip
    found.update(more)  # type: ignore[typeddict-item]
    return found


def _wording(word: str, action: Action, obs: Observation, look: Look) -> str:
    """Return which text names *action*."""
    if word == "play":
        return "read" if rules_of(look).cards.kinds[action[1]] else "place"  # type: ignore[call-overload]
    if word == "discard":
        return "change" if obs.fresh else "discard"
    if word == "strike":
        return f"strike.{ROLES[obs.role]}"
    return f"{word}.{obs.phase}" if word in ("done", "pass") else word


def _stale(obs: Observation, look: Look) -> int:
    game = rules_of(look)
    return sum(not game.cards.kinds[card] and card not in game.usable[obs.era] for card in obs.hand)


def _choices(obs: Observation, look: Look) -> list[Zone]:
    choices: list[Choice] = []
    if obs.waiting == (TABLE,):
        label = look.say(f"action.next.{obs.phase}")
        choices = [{"label": label, "action": "next", "legal": True, "seat": TABLE, "primary": True}]
    for action in obs.legal:
        word = action[0] if isinstance(action, tuple) else action
        if word in BUTTONS:
            choices.append(_choice(action, obs, look))
        elif word in WORDS:
            more = {"die": "0", "primary": True} if word == "roll" else {"primary": len(obs.legal) == 1}
            choices.append(_choice(action, obs, look, **more))
    if not choices:
        return []
    return [{"kind": "choices", "place": "near", "label": look.say("zone.choices"), "choices": choices}]


def _seen(obs: Observation, look: Look) -> list[Zone]:
    """Return the cards that only this seat looks at, of which it chooses one."""
    pieces: list[Piece] = []
    if obs.phase == "peek" and obs.legal:
        pieces = [book_piece(book, look, choices=[_choice(("take", book), obs, look, primary=True)]) for book in obs.peek]
    elif obs.phase == "inspect" and obs.legal:
        cards = obs.known[obs.steps[-1][2]]
        pieces = [
            card_piece(card, obs, look, choices=[_choice(("drop", card), obs, look, primary=True)]) for card in cards
        ]
    if not pieces:
        return []
    return [{"kind": "row", "place": "near", "label": look.say(f"zone.{obs.phase}"), "pieces": pieces}]


def _hand(obs: Observation, look: Look) -> list[Zone]:
    if obs.seat is None:
        return []
    pieces = []
    chosen = obs.steps[-1][2 + obs.seat] if obs.phase == "pass_left" else HIDDEN
    for card in in_order(obs.hand, obs, look):
        piece = card_piece(card, obs, look)
        if card == chosen:
            piece["mark"] = look.say("mark.left")
        if obs.legal and (choices := _things_to_do(card, obs, look)):
            piece["choices"] = choices
        pieces.append(piece)
    return [{"kind": "hand", "place": "near", "label": look.say("zone.hand"), "pieces": pieces}]


def in_order(hand: Sequence[int], obs: Observation, look: Look) -> list[int]:
    """Return a hand as people hold it: writers of this era, function cards, writers of other eras."""
    game = rules_of(look)

    def rank(card: int) -> tuple[int, int]:
        return (1 if game.cards.kinds[card] else 0 if card in game.usable[obs.era] else 2), card

    return sorted(hand, key=rank)


def _things_to_do(card: int, obs: Observation, look: Look) -> list[Choice]:
    """Return what a hand card offers; what is not legal now is offered where its refusal teaches the rule."""
    found = []
    for verb in IN_HAND.get(obs.phase, ()):
        action = (verb, card)
        if action in obs.legal or verb == "play":
            found.append(_choice(action, obs, look, primary=verb != "discard" or obs.phase == "trim"))
    return found


def _pad(obs: Observation, look: Look) -> list[Zone]:
    """Return the points of the finished eras."""
    if not obs.by_era:
        return []
    rows = []
    for era, gained in zip(look.game.options.eras, obs.by_era, strict=False):
        rows.append({"head": look.word("era", era), "cells": [{"parts": [str(points)]} for points in gained]})
    rows.append({"head": look.say("pad.sum"), "cells": [{"parts": [str(points)]} for points in obs.points]})
    columns = [look.name(seat) for seat in look.game.seats]
    return [{
        "kind": "pad", "place": "side", "label": look.say("zone.pad"), "folded": obs.phase != "era", "rows": rows,
        "columns": columns,
    }]  # fmt: skip


def log(story: Sequence[Event], look: Look, fresh: int = 0) -> list[str | None]:
    """Return *story* in words, a line an event, with a mark where the kit's own design is quoted."""
    return [
        look.tell(event) + (own(look) if any(map(is_own_design, _texts_of(event, look))) else "") for event in story
    ]
