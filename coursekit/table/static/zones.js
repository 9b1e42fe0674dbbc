// The parts of a scene. A kind of zone that only one game has is added by that game's own parts.

/** What a zone that lives on from scene to scene has a say in: a game's class derives from it and says what it needs. */
class LivingZone {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** The element of `zone`, as it is in the scene that is being drawn.
   * @param {Zone} _zone
   * @returns {HTMLElement} */
  show(_zone) {
    throw new Error("a kind of zone draws itself");
  }

  /** Whether a player works in it, so that nothing may scroll it out of sight. */
  get busy() {
    return false;
  }

  /** Whether seconds are to be counted for it. */
  get counts() {
    return false;
  }

  /** A scene is going to be drawn; it may have no zone of this kind. */
  leave() {}

  /** The scene is drawn, apart from the keyboard's place and what moves. */
  arrive() {}

  /** The scene stands, and what waited for it can be sent. */
  settled() {}

  forget() {}

  /** Seconds of a running match have passed. */
  runDown(_seconds) {}

  /** Send what is not sent yet, then do `act`, even if that is refused (`anyway`); returns whether there is anything to wait for. */
  finish(_act, _anyway) {
    return false;
  }

  /** A message of the kernel beside views. */
  hear(_message) {}

  /** The kernel refuses, with `text`, what was sent as `to`; returns whether this zone had sent it. */
  refused(_text, _to) {
    return false;
  }

  /** The kernel is heard again after a refusal: send what waits; returns whether anything did. */
  goOn() {
    return false;
  }

  /** The kernel does not answer. */
  gaveUp() {}

  /** The table is closed. */
  dispose() {}
}

/** Zones that live on, by kind: classes, of which a table makes one object each.
 * @type {Map<string, typeof LivingZone>} */
const livingKinds = new Map();

/** Everybody, clockwise from the viewer's left, the viewer last; where several share the screen, always in the same order. */
function around(places, table) {
  const mine = table.view.people > 1 ? 0 : places.findIndex((place) => place.you) + 1;
  return [...places.slice(mine), ...places.slice(0, mine)];
}

function spotOf({ seat, name, turn }, pieces, table) {
  const piece = pieces.find(({ owner }) => owner === seat);
  return el(
    `div.ck-spot${turn ? " ck-next" : ""}`,
    piece && pieceOf(piece, table),
    el("span.ck-spot-name", { "aria-hidden": piece && "true" }, name),
  );
}

/** What draws the other zones, by kind.
 * @type {Map<string, (zone: Zone, table: Table) => HTMLElement>} */
const zoneKinds = new Map(
  Object.entries({
    seats: (zone, table) =>
      el("div.ck-seats", ...around(zone.places, table).map((place) => plate(place, table))),

    hand(zone, table) {
      const pieces = zone.pieces.map((piece) => pieceOf(piece, table));
      const hand = el(
        `div.ck-hand${pieces.some((piece) => piece.matches(".ck-legal")) ? " ck-lit" : ""}`,
        ...pieces,
      );
      const buttons = pieces.filter((piece) => piece.localName === "button");
      if (!buttons.length) return hand;
      hand.setAttribute("role", "toolbar");
      hand.setAttribute("aria-label", zone.label ?? table.say("hand"));
      return rove(hand, () => buttons);
    },

    row(zone, table) {
      const { pieces, slots: spots } = zone;
      if (!spots)
        return el(
          "div.ck-row",
          { "--n": pieces.length },
          ...pieces.map((piece) => pieceOf(piece, table)),
        );
      return el(
        "div.ck-row.ck-spots",
        { "--n": spots.length },
        ...around(spots, table).map((spot) => spotOf(spot, pieces, table)),
      );
    },

    squares: (zone, table) => squares(zone.squares, table),

    dice: (zone, table) =>
      el(
        "div.ck-dice",
        ...zone.dice.map(({ value, label, caption }) =>
          el(
            "span.ck-thrown",
            { role: "img", "aria-label": label },
            die(value, table),
            caption && el("span.ck-caption", caption),
          ),
        ),
      ),

    pile(zone, table) {
      const back =
        zone.count > 0 && el("div.ck-piece.ck-under", card({ back: true, ...zone.back }, table));
      const count =
        zone.count > 0 &&
        el(
          "span.ck-left",
          { title: table.say("face_down") },
          `×${zone.count}`,
          hidden(table.say("face_down")),
        );
      const pile = el(
        `div.ck-pile${zone.takes ? " ck-takes" : ""}`,
        back,
        zone.top && pieceOf(zone.top, table),
        count,
      );
      return zone.caption ? el("div.ck-named", pile, el("span.ck-pile-name", zone.caption)) : pile;
    },

    choices(zone, table) {
      const buttons = zone.choices.map((choice) => choiceOf(choice, table));
      const group = el(
        "div.ck-choices",
        { role: "toolbar", "aria-label": zone.label ?? table.say("choices") },
        ...inRows(zone.choices, buttons),
      );
      return buttons.length ? rove(group, () => buttons) : group;
    },

    /** A row for each player, the viewer's marked. */
    results(zone) {
      const row = ({ name, you, values, good }) =>
        el(
          `tr.${you ? "ck-you" : ""}${good ? " ck-good" : ""}`,
          el("th", { scope: "row" }, name),
          ...values.map((value) => el("td", value)),
        );
      const heads = zone.columns.map((head) => el("th", { scope: "col" }, head));
      return el(
        "div.ck-results",
        { tabindex: "0", role: "region", "aria-label": zone.label, "data-key": "results" },
        el(
          "table",
          el("thead", el("tr", el("th.ck-corner", zone.label), ...heads)),
          el("tbody", ...zone.results.map(row)),
        ),
      );
    },

    pad(zone) {
      const span = zone.parts?.length ?? 1;
      const names = zone.columns.map((name) =>
        el("th.ck-column", { colspan: span, scope: "colgroup" }, name),
      );
      const many = zone.parts && zone.columns.length > 2; // then the parts are named once, above, so that all columns fit
      const parts = zone.columns
        .flatMap(() => zone.parts ?? [])
        .map((part) => el("th.ck-part", { scope: "col" }, many ? hidden(part) : part));
      const corner = el(
        "th.ck-corner",
        { rowspan: parts.length ? 2 : 1 },
        hidden(zone.label ?? "#"),
      );
      const first = zone.rows.length - (zone.sums ?? 0);
      const rows = zone.rows.map(({ head, cells }, row) =>
        el(
          `tr.${row < first ? "" : "ck-pad-sums"}`,
          el("th", { scope: "row" }, head),
          ...cells.flatMap((cell) =>
            cell.parts.map((part, at) =>
              el(`td.ck-tone-${cell.tone ?? "plain"}${at === span - 1 ? " ck-sum" : ""}`, part),
            ),
          ),
        ),
      );
      const sums = zone.rows.slice(first).reverse(); // the last one is the total
      const people =
        sums.length > 0 &&
        el(
          "table.ck-pad-people",
          el(
            "thead",
            el("tr", el("td"), ...sums.map(({ head }) => el("th", { scope: "col" }, head))),
          ),
          el(
            "tbody",
            ...zone.columns.map((name, at) =>
              el(
                "tr",
                el("th", { scope: "row" }, name),
                ...sums.map(({ cells }) => el("td", cells[at].parts.at(-1))),
              ),
            ),
          ),
        );
      return el(
        "div.ck-pad",
        {
          tabindex: "0",
          role: "region",
          "aria-label": zone.label,
          "data-key": "pad",
          "data-follow": true,
        },
        people,
        el(
          `table.${many ? "ck-many" : ""}`,
          many && el("caption", zone.parts.join(" · ")),
          el("thead", el("tr", corner, ...names), parts.length > 0 && el("tr", ...parts)),
          el("tbody", ...rows),
        ),
      );
    },

    /** Four sides with a corner behind each, in the order of play; what lies within them is zones again.
     *  A space knows its place where the side that is played is drawn in two rows, there and back. */
    track: (zone, table) =>
      el(
        "div.ck-track",
        ...zone.sides.flatMap(({ label, spaces, corner, now }, at) => {
          const across = Math.ceil((spaces.length + 1) / 2);
          const [last, ...drawn] = [corner, ...spaces].map((space, place) =>
            spaceOf(space, table, place ? "" : " ck-corner-space"),
          );
          [...drawn, last].forEach((space, place) => {
            space.style.setProperty("--row", place < across ? 1 : 2);
            space.style.setProperty("--column", place < across ? place + 1 : 2 * across - place);
          });
          last.style.setProperty("--next", `r${((at + 1) % zone.sides.length) + 1}`);
          const side = el(
            `div.ck-track-side ck-track-${at + 1}${now ? " ck-now" : ""}`,
            { role: "group", "aria-label": label },
            el("div.ck-spaces", ...drawn),
            last,
          );
          return now
            ? [el("b.ck-track-name", { "aria-hidden": "true", "--at": `r${at + 1}` }, label), side]
            : [side];
        }),
        el("div.ck-within", ...zone.zones.map((inner) => zoneOf(inner, table))),
      ),

    notice: (zone, table) =>
      el(
        "div.ck-notice",
        { tabindex: "0", role: "region", "aria-label": zone.label, "data-key": "notice" },
        zone.piece && pieceOf(zone.piece, table),
        el("h4.ck-notice-title", zone.title),
        zone.result && el("p.ck-notice-result", zone.result),
        ...zone.text.map((line) => el("p", line)),
      ),

    tricks: (zone, table) =>
      el(
        "ol.ck-tricks",
        ...zone.tricks.map((trick) => el("li", ...trick.map((piece) => pieceOf(piece, table)))),
      ),
  }),
);

/** A zone with its heading; one that starts closed remembers whether it was opened.
 * @param {Zone} zone @param {Table} table */
function zoneOf(zone, table) {
  const shown = table.living.get(zone.kind)?.show(zone) ?? zoneKinds.get(zone.kind)(zone, table);
  const lasting = shown.closest(".ck-zone"); // what is drawn in place stands there already
  if (lasting) {
    lasting.querySelector(".ck-label")?.replaceChildren(zone.label);
    return lasting;
  }
  const note = zone.note && el("p.ck-note", zone.note);
  const name = `ck-zone ck-zone-${zone.kind}`;
  if (!zone.folded)
    return el(`section.${name}`, zone.label && el("h3.ck-label", zone.label), note, shown);
  const key = `fold-${zone.kind}-${zone.place}`;
  const ontoggle = (event) =>
    event.currentTarget.open ? table.open.add(key) : table.open.delete(key);
  return el(
    `details.${name}`,
    { open: table.open.has(key), ontoggle },
    el("summary.ck-label", { "data-key": key }, zone.label),
    note,
    shown,
  );
}
