// The table: draws any scene of coursekit/table/scene.py and sends back what was touched. It knows no game by name.
// One plain module: JupyterLab, Notebook and Voilà load it through anywidget, a web page with any `model`
// that has get, on, off and send. Everything shown is set as text; only the game's own drawings (`art`) are parsed.

const SVG = "http://www.w3.org/2000/svg";
const SPEEDS = { slow: 1600, normal: 900, fast: 350, once: 0 }; // milliseconds of one beat
const PATIENCE = 8000; // milliseconds without an answer after which the table says so
const SECOND = 1000; // milliseconds
const SLACK = 0.1; // seconds by which a clock may be early
const TOLD = [60, 30, 10]; // seconds left of a time limit that are said aloud
const LEAST = { touch: 44, mouse: 32 }; // pixels of a card that stay uncovered in a fan
const MOMENT = ["match", "branch", "acted", "events", "entry", "looking_back"]; // views that agree in these show the same moment
const RELEASES = ["pointerup", "pointercancel", "contextmenu"];
const ICONS = {
  add: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  clock: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5M12 8v5l3 2",
  close: "M5 5l14 14M19 5 5 19",
  cover: "M3 12c5-7 13-7 18 0-5 7-13 7-18 0M4 20 20 4",
  crown: "M4 19 3 8l5 4 4-7 4 7 5-4-1 11z",
  first: "M18 5l-7 7 7 7M7 5v14",
  fork: "M6 20V4M6 14c8 0 11-3 11-8M13 9l4-4 4 4",
  forward: "M9 5l7 7-7 7",
  hourglass: "M7 3h10M7 21h10M8 3c0 6 8 6 8 9s-8 3-8 9M16 3c0 6-8 6-8 9s8 3 8 9",
  load: "M12 17V5M7 10l5-5 5 5M4 20h16",
  menu: "M4 7h16M4 12h16M4 17h16",
  now: "M6 5l7 7-7 7M17 5v14",
  save: "M12 4v12M7 11l5 5 5-5M4 20h16",
  skip: "M4 6l7 6-7 6zM13 6l7 6-7 6z",
  turn: "M5 4l15 8-15 8z",
};

// ---- Elements

/** An element of class `name`; `more` holds listeners (onclick), properties of a style and attributes. */
function make(tag, name, more = {}, ...children) {
  return fill(document.createElement(tag), name, more, children);
}

function draw(tag, name, more = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), name, more, children);
}

function fill(element, name, more, children) {
  if (name) element.setAttribute("class", name);
  // Without this, keys pressed on the element would edit the notebook around it.
  if (/^(button|select|input|summary)$/.test(element.localName) || "tabindex" in more) {
    element.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  for (const [key, value] of Object.entries(more)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const hidden = (text) => make("span", "ck-hidden", {}, text);

const icon = (name) =>
  draw("svg", "ck-icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", "", { d: ICONS[name] }));

const button = (name, sign, text, onclick, more = {}) =>
  make("button", `ck-button ${name}`, { type: "button", onclick, ...more }, sign && icon(sign), make("span", "ck-text", {}, text));

/** A menu of [{value, label}]; `onchange` gets the value itself, which need not be a string. */
function menu(choices, chosen, onchange, more = {}) {
  const options = choices.map(({ value, label }, at) =>
    make("option", "", { value: String(at), selected: same(value, chosen) }, label));
  return make("select", "ck-select", { ...more, onchange: (event) => onchange(choices[event.target.value].value) }, ...options);
}

/** How wide a drawing is laid out, however it is turned. */
const widthOf = (drawing) => parseFloat(getComputedStyle(drawing).width);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Let `parent` hold just `children`; those it has stay where they are, so that nobody who types in one is disturbed. */
function arrange(parent, children) {
  for (const each of [...parent.childNodes]) if (!children.includes(each)) each.remove();
  children.forEach((child, at) => {
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null);
  });
}

/** Seconds as a clock shows them. */
function clockOf(left) {
  const whole = Math.max(0, Math.ceil(left));
  return whole < 60 ? String(whole) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The first of `buttons` that can be decided, a card that can only be given away last. */
function todoIn(buttons) {
  const legal = [...buttons].filter((each) => each.matches(".ck-legal"));
  return legal.find((each) => !each.matches(".ck-quiet")) ?? legal[0];
}

/** Let Tab stop at just one of `buttons`: the `chosen` one, or the first that can be pressed. */
function stopAt(buttons, chosen = todoIn(buttons) ?? buttons.find((each) => each.getAttribute("aria-disabled") !== "true") ?? buttons[0]) {
  buttons.forEach((each) => each.setAttribute("tabindex", each === chosen ? "0" : "-1"));
}

/** One stop for Tab in `group`; arrows, Home and End walk through the buttons that `list` returns. */
function rove(group, list) {
  stopAt(list());
  group.addEventListener("focusin", (event) => list().includes(event.target) && stopAt(list(), event.target));
  group.addEventListener("keydown", (event) => {
    const buttons = list();
    const at = buttons.indexOf(event.target);
    const steps = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    buttons[(steps[event.key] + buttons.length) % buttons.length].focus();
  });
  return group;
}

// ---- Cards, pieces and plates

/** One of the game's own drawings. It is copied, not referred to by id, so that several tables on a page
 *  cannot get each other's. */
function picture(name, table, more, style = "") {
  const symbol = table.art.get(name);
  const parts = symbol ? [...symbol.childNodes].map((node) => node.cloneNode(true)) : [];
  return draw("svg", style, { viewBox: symbol?.getAttribute("viewBox"), ...more }, ...parts);
}

/** A card set in type; its sizes follow the number of its letters (--n) and of those in its longest word (--w). */
function printed({ art, tone, print: { form, title, text, head, foot, off } }, table) {
  const line = (name, words) => words && make("span", `ck-print-${name}`, {
    "--n": [...words].length, "--w": Math.max(...words.split(/[\s-]+/).map((word) => [...word].length)),
  }, words);
  return make("span", `ck-card ck-print ck-print-as-${form} ck-tone-${tone ?? "plain"}${off ? " ck-off" : ""}`, { "aria-hidden": "true" },
    line("head", head), make("span", "ck-print-body", {}, art && picture(art, table, {}, "ck-print-art"), line("title", title), line("text", text)),
    line("foot", foot));
}

/** The drawing of a face, with our index over two corners. */
function card(face, table) {
  if (face.print) return printed(face, table);
  const index = (more) =>
    draw("g", "ck-index", more,
      draw("text", face.corner.length > 1 ? "ck-long" : face.corner > "\u2e7f" ? "ck-wide" : "", { x: 18, y: 32, "text-anchor": "middle" }, face.corner),
      picture(`${face.art}-pip`, table, { x: 9.5, y: 36, width: 17, height: 17 }));
  const parts = [draw("rect", "ck-paper", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 9 })];
  parts.push(picture(face.art ?? "back", table, { width: 100, height: 140 }));
  if (face.corner) parts.push(index({}), index({ transform: "rotate(180 50 70)" }));
  if (face.name) parts.push(draw("text", "ck-name", { x: 12, y: 129 }, face.name));
  return draw("svg", `ck-card ck-tone-${face.tone ?? "plain"}`, { viewBox: "0 0 100 140", "aria-hidden": "true" }, ...parts);
}

/** A die showing `value`, 0 before it is thrown. */
const die = (value, table) => picture(`die-${value}`, table, { "data-value": value, "aria-hidden": "true" }, "ck-die");

/** A card or token; a button if touching it asks for something or opens its sheet. */
function pieceOf(piece, table) {
  table.pieces.set(piece.id, piece);
  const decides = piece.action !== undefined ? [piece] : piece.choices ?? [];
  const legal = decides.filter((choice) => choice.legal);
  const acts = piece.action !== undefined;
  const asks = acts || decides.length > 0 || piece.about !== undefined;
  const signs = {
    "ck-faded": piece.faded, "ck-marked": piece.mark, "ck-legal": legal.length, "ck-unlit": decides.length && !legal.length,
    "ck-quiet": !acts && legal.length && !legal.some((choice) => choice.primary), // it can only be given away
  };
  const state = Object.keys(signs).filter((sign) => signs[sign]);
  return make(asks ? "button" : "div", ["ck-piece", ...state].join(" "), {
    type: asks && "button", role: !asks && "img", "aria-label": [piece.label, piece.caption, piece.mark].filter(Boolean).join(", "),
    "aria-disabled": acts && !piece.legal ? "true" : null, "aria-haspopup": asks && !acts && "dialog",
    "data-key": piece.id, "data-piece": piece.id, "data-owner": piece.owner,
    onclick: asks && ((event) => table.touch(piece, event)),
  }, card(piece.face, table),
  piece.mark && make("span", "ck-mark", {}, piece.mark), piece.caption && make("span", "ck-caption", {}, piece.caption));
}

/** A decision as a button; `key` tells it apart from the same decision elsewhere. */
function choiceOf(choice, table, key = "choice") {
  const clock = choice.after !== undefined && make("span", "ck-clock", { "data-clock": choice.key }, clockOf(table.left(choice)));
  const ready = choice.legal && !table.isHeld(choice);
  return make("button", `ck-choice${choice.primary ? " ck-primary" : ""}${ready ? " ck-legal" : ""}${choice.held ? " ck-held" : ""}`, {
    type: "button", "aria-label": choice.short && choice.label, "aria-disabled": ready ? null : "true", "data-key": `${key}-${choice.seat ?? ""}${JSON.stringify(choice.action)}`,
    onclick: (event) => table.act(choice, event.currentTarget),
  }, choice.face && card(choice.face, table), choice.die !== undefined && die(choice.die, table), clock && icon("hourglass"),
  make("span", "ck-text", {}, choice.short ?? choice.label), choice.held && table.view.waiting > 1 && make("span", "ck-shared-time", {}, table.say("shared_time")), clock);
}

/** The `buttons` of `choices`; those of one person stand in a row behind the name. */
function inRows(choices, buttons) {
  const rows = [];
  choices.forEach(({ of }, at) => {
    if (of === undefined) return rows.push(buttons[at]);
    if (of !== choices[at - 1]?.of) rows.push(make("div", "ck-choice-row", {}, make("b", "ck-choice-of", { "aria-hidden": "true" }, of)));
    return rows.at(-1).append(buttons[at]);
  });
  return rows;
}

/** Places for one piece each, which show their names while they are empty. */
const squares = (list, table) => make("div", "ck-squares", {}, ...list.map(({ label, piece }) =>
  make("div", `ck-square${piece ? "" : " ck-empty"}`, {}, piece && pieceOf(piece, table), make("span", "ck-square-name", {}, label))));

/** A space of a track: what is printed on it, its name, and the markers that stand there. */
const spaceOf = ({ label, short, pieces, markers, state }, table, more = "") =>
  make("div", `ck-space${more}${state ? ` ck-space-${state}` : ""}`, {}, ...pieces.map((each) => pieceOf(each, table)),
    make("span", "ck-space-name", {}, make("span", "ck-space-long", {}, label), make("span", "ck-space-short", { "aria-hidden": "true" }, short)),
    markers.length > 0 && make("span", "ck-markers", { "--n": markers.length }, ...markers.map((each) => pieceOf(each, table))));

/** What a player has and wants, as full and empty pips; too many are crossed. */
function pips({ have, want }) {
  const kind = (at) => (at >= have ? "ck-open" : want !== undefined && at >= want ? "ck-extra" : "ck-full");
  const count = Math.max(have, want ?? 0);
  const signs = Array.from({ length: count }, (_, at) => make("i", `ck-pip ${kind(at)}`));
  return make("span", `ck-pips${have === want ? " ck-even" : ""}`, { "aria-hidden": "true" }, ...signs);
}

function plate(place, table) {
  const counts = place.counts.map(({ label, value, title }) =>
    make("span", "ck-count", { title }, make("span", "ck-count-label", {}, label), make("b", "", {}, value)));
  const backs = Array.from({ length: place.backs }, () => make("i", "ck-back"));
  return make("article", `ck-plate${place.you ? " ck-you" : ""}${place.turn ? " ck-turn" : ""}${place.winner ? " ck-winner" : ""}`,
    { "data-seat": place.seat, "aria-label": place.name },
    make("header", "ck-who", {},
      place.team && make("span", `ck-team ck-tone-${place.team.tone}`, {}, place.team.label),
      make("b", "ck-player", {}, place.name),
      make("span", "ck-by", {}, place.you ? table.say("you") : place.by),
      ...place.badges.map((badge) => make("span", "ck-badge", {}, badge))),
    place.sign && pieceOf(place.sign, table),
    place.turn && make("span", "ck-flag", {}, icon("turn"), table.say(place.you ? "your_turn" : "turn")),
    place.winner && make("span", "ck-flag", {}, !table.sober && icon("crown"), table.say(table.sober ? "most_points" : "winner")),
    place.squares && squares(place.squares, table),
    make("p", "ck-facts", {}, ...counts, place.tokens && pips(place.tokens)),
    place.shelves?.length > 0 && make("div", "ck-shelves", {}, ...place.shelves.map(({ label, pieces }) =>
      make("div", "ck-shelf", { role: "group", "aria-label": label }, ...pieces.map((each) => pieceOf(each, table))))),
    place.backs > 0 && make("p", "ck-backs", {}, ...backs, hidden(table.say("cards_held")), make("b", "", {}, String(place.backs))),
    place.pieces.length > 0 && make("div", "ck-open-hand", {}, ...place.pieces.map((each) => pieceOf(each, table))));
}

// ---- One function per kind of zone; a new kind is one more

const ZONES = {
  /** Everybody, clockwise from the viewer's left; the viewer comes last and is moved to the near side. */
  seats(zone, table) {
    const mine = zone.places.findIndex((place) => place.you) + 1;
    const around = [...zone.places.slice(mine), ...zone.places.slice(0, mine)];
    return make("div", "ck-seats", {}, ...around.map((place) => plate(place, table)));
  },

  hand(zone, table) {
    const pieces = zone.pieces.map((piece) => pieceOf(piece, table));
    const hand = make("div", `ck-hand${pieces.some((each) => each.matches(".ck-legal")) ? " ck-lit" : ""}`, {}, ...pieces);
    const buttons = pieces.filter((each) => each.localName === "button");
    if (!buttons.length) return hand;
    hand.setAttribute("role", "toolbar");
    hand.setAttribute("aria-label", zone.label ?? table.say("hand"));
    return rove(hand, () => buttons);
  },

  row: (zone, table) => make("div", "ck-row", { "--n": zone.pieces.length }, ...zone.pieces.map((piece) => pieceOf(piece, table))),

  squares: (zone, table) => squares(zone.squares, table),

  dice: (zone, table) => make("div", "ck-dice", {}, ...zone.dice.map(({ value, label, caption }) =>
    make("span", "ck-thrown", { role: "img", "aria-label": label }, die(value, table), caption && make("span", "ck-caption", {}, caption)))),

  pile(zone, table) {
    const back = zone.count > 0 && make("div", "ck-piece ck-under", {}, card({ back: true, ...zone.back }, table));
    const count = zone.count > 0 && make("span", "ck-left", { title: table.say("face_down") }, `×${zone.count}`, hidden(table.say("face_down")));
    const pile = make("div", `ck-pile${zone.takes ? " ck-takes" : ""}`, {}, back, zone.top && pieceOf(zone.top, table), count);
    return zone.caption ? make("div", "ck-named", {}, pile, make("span", "ck-pile-name", {}, zone.caption)) : pile;
  },

  choices(zone, table) {
    const buttons = zone.choices.map((choice) => choiceOf(choice, table));
    const group = make("div", "ck-choices", { role: "toolbar", "aria-label": zone.label ?? table.say("choices") }, ...inRows(zone.choices, buttons));
    return buttons.length ? rove(group, () => buttons) : group;
  },

  pad(zone) {
    const span = zone.parts?.length ?? 1;
    const names = zone.columns.map((name) => make("th", "ck-column", { colspan: span, scope: "colgroup" }, name));
    const many = zone.parts && zone.columns.length > 2; // then the parts are named once, above, so that all columns fit
    const parts = zone.columns.flatMap(() => zone.parts ?? []).map((part) =>
      make("th", "ck-part", { scope: "col" }, many ? hidden(part) : part));
    const corner = make("th", "ck-corner", { rowspan: parts.length ? 2 : 1 }, hidden(zone.label ?? "#"));
    const first = zone.rows.length - (zone.sums ?? 0);
    const rows = zone.rows.map(({ head, cells }, row) =>
      make("tr", row < first ? "" : "ck-pad-sums", {}, make("th", "", { scope: "row" }, head), ...cells.flatMap((cell) =>
        cell.parts.map((part, at) => make("td", `ck-tone-${cell.tone ?? "plain"}${at === span - 1 ? " ck-sum" : ""}`, {}, part)))));
    const sums = zone.rows.slice(first).reverse(); // the last one is the total
    const people = sums.length > 0 && make("table", "ck-pad-people", {},
      make("thead", "", {}, make("tr", "", {}, make("td", ""), ...sums.map(({ head }) => make("th", "", { scope: "col" }, head)))),
      make("tbody", "", {}, ...zone.columns.map((name, at) => make("tr", "", {}, make("th", "", { scope: "row" }, name),
        ...sums.map(({ cells }) => make("td", "", {}, cells[at].parts.at(-1)))))));
    return make("div", "ck-pad", { tabindex: "0", role: "region", "aria-label": zone.label, "data-key": "pad", "data-follow": true },
      people, make("table", many ? "ck-many" : "", {}, many && make("caption", "", {}, zone.parts.join(" · ")), make("thead", "", {}, make("tr", "", {}, corner, ...names), parts.length > 0 && make("tr", "", {}, ...parts)),
        make("tbody", "", {}, ...rows)));
  },

  /** Four sides with a corner behind each, in the order of play; what lies within them is zones again. */
  track: (zone, table) => make("div", "ck-track", {},
    ...zone.sides.map(({ label, spaces, corner, now }, at) =>
      make("div", `ck-track-side ck-track-${at + 1}${now ? " ck-now" : ""}`, { role: "group", "aria-label": label },
        make("div", "ck-spaces", {}, ...spaces.map((space) => spaceOf(space, table))),
        spaceOf(corner, table, " ck-corner-space"))),
    make("div", "ck-within", {}, ...zone.zones.map((each) => zoneOf(each, table)))),

  notice: (zone, table) => make("div", "ck-notice", {}, zone.piece && pieceOf(zone.piece, table),
    make("h4", "ck-notice-title", {}, zone.title), ...zone.text.map((each) => make("p", "", {}, each))),

  tricks: (zone, table) => make("ol", "ck-tricks", {}, ...zone.tricks.map((trick) =>
    make("li", "", {}, ...trick.map((piece) => pieceOf(piece, table))))),

  venn: (zone, table) => vennOf(zone, table),

  sheet: (zone, table) => answersOf(zone, table),
};

/** A zone with its heading; one that starts closed remembers whether it was opened. */
function zoneOf(zone, table) {
  const shown = ZONES[zone.kind](zone, table);
  const lasting = shown.closest(".ck-zone"); // what is drawn in place stands there already
  if (lasting) {
    lasting.querySelector(".ck-label")?.replaceChildren(zone.label);
    return lasting;
  }
  const note = zone.note && make("p", "ck-note", {}, zone.note);
  const name = `ck-zone ck-zone-${zone.kind}`;
  if (!zone.folded) return make("section", name, {}, zone.label && make("h3", "ck-label", {}, zone.label), note, shown);
  const key = `fold-${zone.kind}-${zone.place}`;
  const ontoggle = (event) => (event.currentTarget.open ? table.open.add(key) : table.open.delete(key));
  return make("details", name, { open: table.open.has(key), ontoggle },
    make("summary", "ck-label", { "data-key": key }, zone.label), note, shown);
}

// ---- The sheet: one piece drawn large, its page in the handbook, and what can be done with it

function sheetOf(piece, table) {
  const page = table.model.get("handbook")?.[piece.about];
  const choices = (piece.choices ?? []).map((choice) => choiceOf(choice, table, "sheet"));
  const close = button("ck-close", "close", table.say("close"), () => table.closeSheet(), { title: table.say("close"), "data-key": "sheet-close" });
  const sheet = make("section", "ck-sheet", { role: "dialog", "aria-label": piece.label, "data-sheet": piece.id },
    make("h3", "ck-sheet-title", {}, page?.title ?? piece.label), close,
    make("div", "ck-sheet-body", { tabindex: "0", role: "group", "aria-label": page?.title ?? piece.label, "data-key": "sheet-body" },
      page?.lead && make("p", "ck-page-lead", {}, page.lead), card(piece.face, table), ...(page ? pageOf(page) : [])),
    choices.length > 0 && make("div", "ck-choices", { role: "toolbar", "aria-label": table.say("choices") }, ...choices),
    make("p", "ck-refusal", { role: "status" }));
  return choices.length ? rove(sheet, () => choices) : sheet;
}

/** What is written on a page; a text with a heading stands below the facts. */
function pageOf({ heading, text, facts, note, source }) {
  const rows = [];
  facts.forEach(({ label, value }, at) => {
    if (label !== facts[at - 1]?.label) rows.push(make("div", "", {}, make("dt", "", {}, label)));
    rows[rows.length - 1].append(make("dd", "", {}, value));
  });
  const list = rows.length > 0 && make("dl", "ck-page-facts", {}, ...rows);
  const words = text.map((each) => make("p", "", {}, each));
  const parts = heading ? [list, make("h4", "", {}, heading), ...words] : [...words, list];
  parts.push(note && make("p", "ck-page-note", {}, note), source && make("p", "ck-page-source", {}, source));
  return parts.filter(Boolean);
}

// ---- The form for a new match, made from what the kernel says can be chosen

class Form {
  constructor(table) {
    this.table = table;
    this.setup = table.model.get("setup");
    const { players, seats, options, seed } = this.setup.chosen;
    this.chosen = { players, seats: seats.map((seat) => ({ ...seat })), options: { ...options }, seed: seed ?? "" };
    this.id = `ck-${Math.random().toString(36).slice(2)}`;
    this.element = this.draw();
  }

  draw() {
    const say = (id) => this.table.say(id);
    this.seats = make("div", "ck-form-seats");
    this.drawSeats();
    this.rules = [make("div", "ck-form-fields"), make("div", "ck-form-fields")];
    const preset = this.setup.presets.length > 0 && this.preset();
    this.drawRules();
    const count = this.setup.players.map((players) =>
      make("label", "ck-tick", {}, make("input", "", {
        type: "radio", name: `${this.id}-players`, value: players, checked: players === this.chosen.players,
        onchange: () => { this.chosen.players = players; this.drawSeats(); },
      }), make("span", "", {}, String(players))));
    return make("form", "ck-form", { "aria-label": say("new_match"), onsubmit: (event) => { event.preventDefault(); this.start(); } },
      make("h3", "ck-form-title", { tabindex: "-1" }, say("new_match")),
      make("fieldset", "ck-group ck-counts", {}, make("legend", "", {}, say("players")), ...count),
      make("fieldset", "ck-group", {}, make("legend", "", {}, say("who_plays")), this.seats),
      make("fieldset", "ck-group ck-rules", {}, make("legend", "", {}, say("rules")), preset, this.rules[0],
        make("details", "ck-more", {}, make("summary", "", {}, say("more_rules")), this.rules[1])),
      make("fieldset", "ck-group", {}, make("legend", "", {}, say("seed")), this.seed()),
      make("p", "ck-form-says", { role: "alert" }),
      make("div", "ck-form-end", {},
        make("button", "ck-button ck-primary", { type: "submit" }, say("start")),
        button("", null, say("cancel"), () => this.table.closeForm())));
  }

  drawSeats() {
    const { players, seats } = this.chosen;
    const by = this.setup.by;
    while (seats.length < players) seats.push({ by: by[by.length - 1].value, name: "" });
    const rows = seats.slice(0, players).map((seat, at) => {
      const label = this.table.say("player_number").replace("{number}", at + 1);
      return make("div", "ck-form-seat", {},
        make("input", "ck-input", {
          type: "text", value: seat.name, maxlength: 24, placeholder: label, "aria-label": `${label}: ${this.table.say("name")}`,
          autocomplete: "off", oninput: (event) => { seat.name = event.target.value; },
        }),
        menu(by, seat.by, (value) => { seat.by = value; }, { "aria-label": `${label}: ${this.table.say("who_plays")}` }));
    });
    this.seats.replaceChildren(...rows);
  }

  /** The ways to play that have a name: one fills in all the rules. */
  preset() {
    const id = `${this.id}-preset`;
    const named = this.setup.presets.map((preset) => ({ value: preset, label: preset.label }));
    const own = { value: null, label: this.table.say("own_rules") };
    const pick = (preset) => { Object.assign(this.chosen.options, preset?.options); this.drawRules(); };
    this.presets = menu([...named, own], null, pick, { id, "aria-describedby": `${id}-help` });
    this.presetHelp = make("small", "", { id: `${id}-help` });
    return make("div", "ck-field ck-field-preset", {}, make("label", "", { for: id }, this.table.say("preset")), this.presets, this.presetHelp);
  }

  /** Show which of them the rules are now, or that they are the class's own. */
  showPreset() {
    const { presets } = this.setup;
    if (!presets.length) return;
    const { options } = this.chosen;
    const now = presets.findIndex((preset) => Object.keys(preset.options).every((name) => same(preset.options[name], options[name])));
    const own = this.presets.children[presets.length];
    own.hidden = own.disabled = now >= 0;
    this.presets.value = String(now >= 0 ? now : presets.length);
    this.presetHelp.replaceChildren(presets[now]?.help ?? "");
  }

  drawRules() {
    for (const [place, first] of [true, false].entries()) {
      const fields = this.setup.fields.filter((field) => field.first === first);
      this.rules[place].replaceChildren(...fields.map((field) => this.field(field)));
    }
    this.showPreset();
  }

  field(field) {
    const id = `${this.id}-${field.name}`;
    const { options } = this.chosen;
    if (!(field.name in options)) options[field.name] = field.default;
    const set = (value) => { options[field.name] = value; this.showPreset(); };
    const more = { id, "aria-describedby": field.help ? `${id}-help` : null };
    const control = FIELDS[field.kind](field, options[field.name], set, more, this.table);
    return make("div", `ck-field ck-field-${field.kind}`, {}, make("label", "", { for: id }, field.label), control,
      field.help && make("small", "", { id: `${id}-help` }, field.help));
  }

  seed() {
    const id = `${this.id}-seed`;
    const oninput = (event) => { this.chosen.seed = event.target.value.trim(); };
    return make("div", "ck-field", {}, make("label", "", { for: id }, this.table.say("seed_label")),
      make("input", "ck-input", { id, type: "text", value: this.chosen.seed, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-help`, oninput }),
      make("small", "", { id: `${id}-help` }, this.table.say("seed_help")));
  }

  start() {
    const { players, seats, options, seed } = this.chosen;
    this.table.send({ type: "new", players, seats: seats.slice(0, players), options, seed });
  }
}

const numbersOf = (text) => {
  const parts = text.split(/[\s,，、;]+/).filter(Boolean);
  return parts.length ? parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part)) : null;
};

const FIELDS = {
  choice(field, value, set, more, table) {
    const empty = field.optional ? [{ value: null, label: table.say("as_usual") }] : [];
    return menu([...empty, ...field.choices], value, set, more);
  },
  switch: (field, value, set, more) =>
    make("input", "ck-check", { ...more, type: "checkbox", checked: value, onchange: (event) => set(event.target.checked) }),
  number: (field, value, set, more, table) =>
    make("input", "ck-input", {
      ...more, type: "number", value, min: field.low, max: field.high, required: !field.optional,
      placeholder: field.optional && table.say("as_usual"),
      oninput: (event) => set(event.target.value === "" ? null : Number(event.target.value)),
    }),
  numbers: (field, value, set, more, table) =>
    make("input", "ck-input", {
      ...more, type: "text", value: (value ?? []).join(", "), placeholder: field.optional ? table.say("as_usual") : "1, 2, 3",
      autocomplete: "off", oninput: (event) => set(numbersOf(event.target.value)),
    }),
};

// ---- Cards move from where they were to where they are

/** Where every piece and plate lies now. */
function places(cloth) {
  const at = new Map();
  for (const element of cloth.querySelectorAll("[data-piece]")) {
    const { left, top } = element.getBoundingClientRect();
    at.set(element.dataset.piece, { element, left, top, width: widthOf(element.firstChild) });
  }
  return at;
}

/** Let the pieces of `cloth` come from where they were in `before`, or from their owner's plate, or (dealt to
 *  the hand) from the pile; those that are gone go to the plate of whoever owns the marked one, or to the pile that takes them. */
function move(cloth, before, time) {
  const options = { duration: time, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" };
  const after = places(cloth);
  const spot = (selector) => {
    const box = cloth.querySelector(selector)?.getBoundingClientRect();
    return box && { left: box.left + 20, top: box.top + 10, width: 24 };
  };
  const home = (owner) => spot(`.ck-plate[data-seat="${owner}"]`);
  let dealt = 0;
  for (const [id, { element, left, top, width }] of after) {
    const isDealt = !before.has(id) && before.size && element.closest(".ck-hand");
    const from = before.get(id) ?? (isDealt ? spot(".ck-pile") : element.closest(".ck-row, .ck-square") && home(element.dataset.owner));
    if (!from || Math.abs(from.left - left) + Math.abs(from.top - top) < 3) continue;
    const way = `translate(${from.left - left}px, ${from.top - top}px) scale(${from.width / width})`;
    const frames = [{ transform: way, transformOrigin: "0 0", zIndex: 9 }, { transform: "none", transformOrigin: "0 0", zIndex: 9 }];
    element.animate(frames, { ...options, delay: isDealt ? 25 * dealt++ : 0 });
  }
  const taken = [...before].filter(([id, { element }]) => !after.has(id) && element.dataset.owner !== undefined);
  const taker = taken.find(([, { element }]) => element.matches(".ck-marked"))?.[1].element.dataset.owner;
  const goal = taker !== undefined ? home(taker) : spot(".ck-takes");
  if (!goal) return;
  const { left, top } = cloth.getBoundingClientRect();
  for (const [, { element, ...from }] of taken) {
    const ghost = make("div", "ck-ghost", { "aria-hidden": "true", "--card": `${from.width}px` }, element.firstChild);
    ghost.style.left = `${from.left - left}px`;
    ghost.style.top = `${from.top - top}px`;
    cloth.append(ghost);
    const way = `translate(${goal.left - from.left}px, ${goal.top - from.top}px) scale(.3)`;
    const flight = ghost.animate([{ transform: "none" }, { transform: way, opacity: 0.2 }], { ...options, fill: "forwards" });
    flight.onfinish = () => ghost.remove();
  }
}

/** Let the dice tumble that have been thrown since they showed the faces `before`. */
function tumble(cloth, before, time) {
  const frames = [
    { transform: "translateY(-50px) rotate(-500deg) scale(.6)", opacity: 0.4 }, { transform: "translateY(0) rotate(-40deg)", offset: 0.7 },
    { transform: "translateY(-12px) rotate(-12deg)", offset: 0.85 }, { transform: "none" },
  ];
  facesOf(cloth).forEach((value, at) => {
    if (value !== "0" && before[at] === "0") cloth.querySelectorAll(".ck-dice .ck-die")[at].animate(frames, { duration: time, easing: "ease-out" });
  });
}

const diceOf = (zones) => zones.flatMap((zone) => [...(zone.dice ?? []), ...diceOf(zone.zones ?? [])]);

/** The scene `before`, in which nothing can be done and the dice are those of `after`. */
function landing(before, after, prompt) {
  const thrown = diceOf(after.zones);
  const roll = (zones) => zones.filter(({ kind }) => kind !== "choices").map((zone) => ({
    ...zone, ...(zone.dice && { dice: thrown }), ...(zone.zones && { zones: roll(zone.zones) }),
  }));
  return { ...before, prompt, zones: roll(before.zones) };
}

const facesOf = (cloth) => [...cloth.querySelectorAll(".ck-dice .ck-die")].map((each) => each.dataset.value);

/** Lay the cards of a hand side by side, over each other, or in rows, so that each can be touched. */
function fan(hand) {
  const count = hand.children.length;
  const width = hand.clientWidth;
  if (!count || !width) return;
  const size = widthOf(hand.firstChild.firstChild);
  const least = width < 600 || matchMedia("(pointer: coarse)").matches ? LEAST.touch : LEAST.mouse;
  const rows = Math.ceil(count / Math.max(1, Math.floor((width - size) / least) + 1));
  const columns = Math.ceil(count / rows);
  const flat = hand.querySelector(".ck-print") !== null; // what is written on a card has to be seen
  const step = Math.min(size * (flat ? 1.06 : rows > 1 ? 1 : 0.84), columns > 1 ? (width - size) / (columns - 1) : size);
  const bend = rows === 1 && width >= 600 && !flat ? Math.min(2.4, 20 / count) : 0; // degrees from card to card
  const drop = (off) => off * off * bend * step * 0.0087; // half a degree in radians
  hand.style.setProperty("--columns", columns);
  hand.style.setProperty("--step", `${step}px`);
  hand.style.setProperty("--size", `${size}px`);
  hand.style.setProperty("--sag", `${drop((count - 1) / 2)}px`);
  [...hand.children].forEach((each, at) => {
    const off = at - (count - 1) / 2;
    each.style.setProperty("--turn", `${off * bend}deg`);
    each.style.setProperty("--drop", `${drop(off)}px`);
  });
}

// ---- What the browser remembers

function recall(store, key) {
  try { return globalThis[store].getItem(key); } catch { return null; } // storage may be switched off
}

function remember(store, key, value) {
  try { globalThis[store].setItem(key, value); } catch { /* the table works without */ }
}

function forget(store, key) {
  try { globalThis[store].removeItem(key); } catch { /* as above */ }
}

/** Forget what begins with `start`, but not with `keep`. */
function forgetAll(store, start, keep) {
  try {
    const all = globalThis[store];
    const keys = Array.from({ length: all.length }, (_, at) => all.key(at));
    keys.filter((key) => key.startsWith(start) && !key.startsWith(keep)).forEach((key) => all.removeItem(key));
  } catch { /* nothing is remembered */ }
}

// ---- The table

/** Whether `view` comes of a moment of a race going by, and answers nothing that was asked. */
const isTick = (old, view) => Boolean(view.racing) && ["match", "branch", "acted", "language"].every((part) => old[part] === view[part]);

class Table {
  constructor(model, el) {
    this.model = model;
    this.view = model.get("view");
    this.at = 0; // which of view.scenes is shown
    this.heard = this.view.told?.[0] ?? 0; // lines of the story announced so far
    this.open = new Set(); // folds that were opened
    this.pieces = new Map(); // drawn now, by id
    this.sheet = null; // open over the near side
    this.sober = false; // nobody is crowned
    this.rolling = false; // a die tumbles, and nothing is told of it yet
    this.used = false; // somebody has decided something here
    this.due = false; // a decision has not been brought into sight yet
    this.pressing = false; // a finger is down: what it points at must not be drawn anew
    this.sheets = new Map(); // answer sheets by seat and round, also of those who do not have the screen
    this.answers = null; // the one that is shown
    this.lost = ""; // what is said of answers that came too late, until something else is done
    this.clocks = new Map(); // seconds left, by the key of what runs down
    this.id = Math.random().toString(36).slice(2); // the kernel answers all views of a table alike
    this.sends = 0;
    this.asked = null; // the last decision sent
    this.tick = this.view.tick; // number of the moment of a race that comes next
    this.ticking = false; // it was asked for
    this.waited = 0; // seconds since the last one
    this.speed = recall("localStorage", "coursekit:speed") ?? "normal";
    this.key = `coursekit:${globalThis.location?.pathname}:${this.view.table}`;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.readArt();
    this.build(el);
  }

  readArt() {
    const art = new DOMParser().parseFromString(this.model.get("art"), "image/svg+xml");
    this.art = new Map([...art.querySelectorAll("symbol")].map((each) => [each.getAttribute("id").replace(/^ck-/, ""), each]));
  }

  say(id) {
    return this.model.get("words")[id] ?? id;
  }

  /** Send `content`, with the match it is about, so that what is asked of an old view is refused; return its name. */
  send(content) {
    const { match, branch, events } = this.view;
    this.sends += 1;
    const from = `${this.id}-${this.sends}`;
    this.model.send({ match, branch, events, from, ...content });
    return from;
  }

  /** The parts that stay while their contents are drawn anew, live regions among them. */
  build(el) {
    this.tools = make("div", "ck-tools");
    this.banner = make("div", "ck-banner");
    this.formPlace = make("div", "ck-form-place", { hidden: true, onkeydown: (event) => event.key === "Escape" && this.closeForm() });
    this.far = make("div", "ck-far");
    this.middle = make("div", "ck-middle");
    this.prompt = make("p", "ck-prompt", {
      tabindex: "-1", "data-key": "prompt", onkeydown: (event) => event.key === "Enter" && this.playing() && this.skip(),
    });
    this.refusal = make("p", "ck-refusal", { role: "status" });
    this.near = make("div", "ck-near");
    this.side = make("div", "ck-side-zones");
    this.story = make("ol", "ck-story", { tabindex: "0", "data-follow": true });
    this.storyTitle = make("h3", "ck-label");
    this.live = make("p", "ck-hidden", { role: "status" });
    this.cloth = make("div", "ck-cloth", { onclick: () => this.playing() && this.skip() },
      this.far, this.middle, this.prompt, this.refusal, this.near);
    this.sheetPlace = make("div", "ck-sheet-place");
    this.stage = make("div", "ck-stage", {}, this.cloth,
      make("div", "ck-side", {}, this.side, make("section", "ck-zone ck-zone-story", {}, this.storyTitle, this.story)), this.sheetPlace);
    this.root = make("section", "ck-table", { onkeydown: (event) => this.pressed(event) },
      this.tools, this.banner, this.formPlace, this.stage, this.live);
    this.elsewhere = ({ target }) => {
      const piece = target.closest?.("button.ck-piece");
      if (!this.sheet?.contains(target) && !(piece && this.root.contains(piece))) this.closeSheet();
    };
    document.addEventListener("click", this.elsewhere);
    this.root.addEventListener("pointerdown", ({ button: which }) => { this.pressing ||= !(which > 0); });
    this.released = () => this.pressing && setTimeout(() => this.release(), 0); // after the click
    for (const type of RELEASES) document.addEventListener(type, this.released);
    this.measured = () => this.measure();
    globalThis.visualViewport?.addEventListener("resize", this.measured);
    this.watch = new ResizeObserver(() => this.root.querySelectorAll(".ck-hand").forEach(fan));
    this.watch.observe(this.root);
    el.append(this.root);
  }

  /** Note how much of the page the keyboard on a phone covers. */
  measure() {
    const { height, offsetTop, scale } = globalThis.visualViewport;
    const covered = scale > 1.05 ? 0 : Math.max(0, innerHeight - height - offsetTop);
    this.root.style.setProperty("--ck-keyboard", `${covered}px`);
    this.root.classList.toggle("ck-keyboard", covered > 120);
  }

  // -- Views and playback

  /** Show a new view: play its scenes, unless it is the moment shown already (in another language, say). */
  show(view) {
    const old = this.view;
    this.late = this.pressing;
    if (this.late) return;
    this.held = this.holdFocus();
    clearTimeout(this.timer);
    this.view = view;
    this.rolling = false;
    this.pending &&= isTick(old, view);
    const last = view.scenes.length - 1;
    const again = old !== view && MOMENT.every((part) => old[part] === view[part]) && old.scenes.length === last + 1;
    if (!again) {
      this.at = this.speed === "once" ? last : 0;
      this.due = true;
      this.closeSheet();
    }
    if (old.match !== view.match) {
      this.heard = view.told[0];
      this.clocks.clear();
      this.sheets.clear();
      forgetAll("sessionStorage", `${this.key}:`, this.clockKey(""));
    }
    if (old.match !== view.match || old.branch !== view.branch) {
      this.closeForm();
      this.lost = "";
    }
    this.refuse(this.lost);
    this.drawTools();
    this.drawBanner();
    this.play();
  }

  /** The finger is up: show the view that has come meanwhile. */
  release() {
    this.pressing = false;
    if (this.late) this.show(this.model.get("view"));
  }

  /** Draw the scene at hand and see to it that the next one follows; a die lands before anything is told of it. */
  play() {
    const scene = this.view.scenes[this.at];
    const beat = SPEEDS[this.speed] * scene.beat;
    this.rolling = this.throws(scene);
    this.draw(this.rolling ? landing(this.shown ?? scene, scene, this.say("thrown")) : scene);
    this.shown = scene;
    if (!this.rolling) return this.drawn(scene, beat);
    this.timer = setTimeout(() => {
      this.rolling = false;
      this.draw(scene);
      this.drawn(scene, beat - this.motion());
    }, this.motion());
  }

  drawn(scene, time) {
    if (scene.turn && !this.playing()) this.bringBack();
    this.follow(time);
  }

  /** Where the prompt stays on the screen: show whoever has already played here the choices and the hand as well. */
  bringBack() {
    const due = this.due && this.used;
    this.due = false;
    if (!due || !this.pinned() || this.answers) return;
    const parts = [...this.near.querySelectorAll(".ck-choice, .ck-row button.ck-piece, .ck-hand .ck-piece, .ck-covered button")];
    const boxes = parts.map((each) => each.getBoundingClientRect());
    const low = Math.max(...boxes.map(({ bottom }) => bottom));
    if (boxes.every(({ top }) => top >= this.prompt.getBoundingClientRect().bottom) && low <= innerHeight) return;
    const behavior = this.calm.matches || this.speed === "once" ? "auto" : "smooth";
    const fits = low - this.cloth.getBoundingClientRect().top <= innerHeight;
    if (fits) this.cloth.scrollIntoView({ block: "start", behavior });
    else parts.at(-1).scrollIntoView({ block: "end", behavior });
  }

  pinned() {
    return getComputedStyle(this.prompt).position === "sticky";
  }

  follow(time) {
    const next = () => {
      this.at += 1;
      this.play();
    };
    const follows = this.playing() ? next : this.view.more && (() => this.send({ type: "more" }));
    if (follows) this.timer = setTimeout(follows, time);
  }

  /** Whether dice that lie on the table unthrown are thrown in `scene`, and tumble. */
  throws(scene) {
    if (this.calm.matches || this.speed === "once") return false;
    const before = facesOf(this.cloth);
    return diceOf(scene.zones).some(({ value }, at) => String(value) !== "0" && before[at] === "0");
  }

  /** Milliseconds that a die tumbles. */
  motion() {
    return Math.min(700, SPEEDS[this.speed] * 0.7 || 200);
  }

  playing() {
    return this.rolling || this.at < this.view.scenes.length - 1;
  }

  skip() {
    clearTimeout(this.timer);
    this.at = this.view.scenes.length - 1;
    this.play();
  }

  pressed(event) {
    if (event.key === "Escape") this.closeSheet();
    // A key held down on a card would press what its sheet offers first.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  }

  /** Do what touching `piece` asks for: its action, or to open its sheet (or close it, if it is open). */
  touch(piece, { currentTarget, detail }) {
    if (detail > 1) return; // the second half of a double click would take back the first
    if (piece.action !== undefined) return this.act(piece, currentTarget);
    if (this.playing()) return; // the click on the cloth skips
    const open = this.sheet?.dataset.sheet;
    this.closeSheet();
    if (open === piece.id) return;
    this.refuse("");
    this.showSheet(piece);
    if (this.pinned()) this.sheet.scrollIntoView({ block: "nearest" });
    (todoIn(this.sheet.querySelectorAll("button")) ?? this.sheet.querySelector(".ck-close")).focus({ preventScroll: true });
  }

  showSheet(piece) {
    this.sheet = sheetOf(piece, this);
    this.sheetPlace.replaceChildren(this.sheet);
  }

  /** Close the sheet; the keyboard goes back to the piece it belongs to. */
  closeSheet() {
    if (!this.sheet) return;
    const held = this.sheet.contains(this.active());
    const { sheet: id } = this.sheet.dataset;
    this.sheet.remove();
    this.sheet = null;
    if (held) this.keyed(id)?.focus({ preventScroll: true });
  }

  keyed(key) {
    return [...this.root.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  }

  /** Do what a piece or button stands for; what is being typed goes first. */
  act(choice, element) {
    if (this.playing() || this.isHeld(choice)) return; // the click on the cloth skips
    if (this.answers?.settle(() => this.act(choice, element), choice.after !== undefined)) return;
    if (!this.pending) this.ask(choice, element);
  }

  /** Ask the kernel for it; it answers with a view or with the reason why not. */
  ask(choice, element) {
    this.lost = "";
    this.touched = element.dataset.key;
    this.refuse("");
    this.askedIn = this.sheet?.dataset.sheet;
    this.decide(choice);
    element.classList.add("ck-asked");
  }

  /** Send a decision; return its name. */
  decide({ action, seat }) {
    const { acted, viewer } = this.view;
    this.pending = this.used = true;
    this.asked = this.send({ type: "act", acted, seat: seat ?? viewer, action });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.pending && this.missed(), PATIENCE);
    return this.asked;
  }

  missed() {
    this.pending = false;
    this.refuse(this.say("offline"));
    this.answers?.gaveUp();
  }

  /** Cover what is open, so that the next person can take the screen. */
  handOn() {
    const cover = () => this.send({ type: "cover" });
    if (!this.answers?.settle(cover, true)) cover();
  }

  refuse(text) {
    const shown = this.sheet?.querySelector(".ck-refusal");
    this.refusal.replaceChildren(shown ? "" : text);
    shown?.replaceChildren(text);
    this.root.querySelectorAll(".ck-refused[data-key], .ck-asked").forEach((each) => each.classList.remove("ck-refused", "ck-asked"));
    if (!text) return;
    this.keyed(this.touched)?.classList.add("ck-refused");
    this.form?.element.querySelector(".ck-form-says").replaceChildren(text);
  }

  // -- Time

  /** Seconds left until `choice` presses itself; several people who still write have as many times as long together. */
  left({ after, key, held }) {
    const kept = this.clocks.get(key) ?? recall("sessionStorage", this.clockKey(key));
    return kept === null ? after * (held ? Math.max(1, this.view.waiting) : 1) : Number(kept);
  }

  isHeld(choice) {
    return Boolean(choice.held) && this.left(choice) > 0;
  }

  clockKey(key) {
    return `${this.key}:${this.view.match}:${key}`;
  }

  /** See to it that seconds are counted while something runs down in `scene` or a race is on. */
  count(scene) {
    this.running = scene.zones.flatMap((zone) => zone.choices ?? []).filter(({ after }) => after !== undefined);
    const counts = this.view.racing || this.running.length > 0 || (this.answers?.left ?? null) !== null;
    if (counts && !this.counting) {
      this.since = Date.now();
      this.waited = 0;
      this.counting = setTimeout(() => this.second(), SECOND);
    } else if (!counts) {
      clearTimeout(this.counting);
      this.counting = null;
    }
  }

  /** A second has gone by. Nothing runs down and nobody gains a moment while the screen is covered or shows something else. */
  second() {
    const seconds = (Date.now() - this.since) / SECOND;
    this.since = Date.now();
    this.counting = setTimeout(() => this.second(), SECOND);
    if (this.playing() || this.form || this.view.looking_back || this.view.covered.length) return;
    if (this.view.racing && document.visibilityState !== "hidden") this.wait(seconds);
    this.answers?.runDown(seconds);
    for (const choice of this.running) this.runDown(choice, seconds);
  }

  /** Ask for the next moment of a race if it is time, and the last one has been answered: a kernel may be busy for long. */
  wait(seconds) {
    this.waited += seconds;
    if (this.ticking || this.waited < this.view.racing - SLACK) return;
    this.waited = 0;
    this.ticking = true;
    try { this.send({ type: "tick", tick: this.tick }); } catch { /* the kernel is gone; whoever touches something hears of it */ }
  }

  /** A moment has gone by; if another view of this table has asked for it, the next one is as far away as from there. */
  ticked(tick) {
    if (tick !== this.tick && !this.ticking && this.counting) this.waited = (this.since - Date.now()) / SECOND;
    this.tick = tick;
    this.ticking = false;
  }

  runDown(choice, seconds) {
    const before = this.left(choice);
    const left = before - seconds;
    this.clocks.set(choice.key, left);
    remember("sessionStorage", this.clockKey(choice.key), left);
    const clock = [...this.cloth.querySelectorAll("[data-clock]")].find((each) => each.dataset.clock === choice.key);
    clock?.replaceChildren(clockOf(left));
    if (choice.held && TOLD.some((told) => before > told && left <= told)) {
      this.live.replaceChildren(this.say("seconds_left").replace("{seconds}", Math.round(left)));
    }
    if (left <= 0 && clock) this.act(choice, clock.closest("button"));
  }

  // -- Drawing

  draw(scene) {
    const before = places(this.cloth);
    const faces = facesOf(this.cloth);
    const held = this.held ?? this.holdFocus();
    this.held = null;
    this.pieces.clear();
    this.sober = scene.sober;
    const written = this.answers;
    this.answers = null;
    const of = (place) => scene.zones.filter((zone) => zone.place === place).map((zone) => zoneOf(zone, this));
    this.root.setAttribute("lang", this.view.language);
    this.root.classList.toggle("ck-ended", scene.over);
    this.root.classList.toggle("ck-sober", this.sober);
    this.root.classList.toggle("ck-past", this.view.looking_back);
    this.title.replaceChildren(scene.title);
    this.far.replaceChildren(...of("far"));
    arrange(this.middle, of("middle"));
    const handed = this.shown && this.view.covered.length > 0 && !this.near.querySelector(".ck-covered");
    arrange(this.near, [
      ...(this.view.covered.length ? [this.cover(this.view.covered)] : []), ...of("near"), ...this.far.querySelectorAll(".ck-you"),
    ]);
    this.side.replaceChildren(...of("side"));
    const seats = this.cloth.querySelectorAll(".ck-plate").length;
    this.cloth.style.setProperty("--seats", seats);
    this.cloth.classList.toggle("ck-crowded", seats > 4);
    this.prompt.setAttribute("class", `ck-prompt${(scene.turn || scene.over) && !this.playing() ? " ck-mine" : ""}`);
    this.prompt.replaceChildren(icon(scene.over ? (this.sober ? "now" : "crown") : scene.turn ? "turn" : "hourglass"), make("span", "", {}, scene.prompt), ...this.promptButtons(scene));
    if (!this.rolling) this.tell();
    this.root.querySelectorAll(".ck-hand").forEach(fan);
    this.root.querySelectorAll("[data-follow]").forEach((each) => { each.scrollTop = each.scrollHeight; });
    if (this.sheet) this.redrawSheet();
    if (written !== this.answers) this.putAway(written);
    if (held) this.giveFocus(held, scene);
    this.count(scene);
    this.answers?.drawnOut();
    if (handed) this.near.querySelector(".ck-covered").scrollIntoView({ block: "nearest" });
    if (this.calm.matches) return;
    move(this.cloth, before, Math.min(420, this.motion()));
    tumble(this.cloth, faces, this.motion());
  }

  /** An answer sheet is shown no more: another person takes the screen, or the writing is over. */
  putAway(sheet) {
    if (!sheet) return;
    sheet.away = true;
    if (this.view.covered.length || this.view.looking_back) return;
    const lost = sheet.lost();
    sheet.end();
    this.sheets.clear();
    this.lost = lost.length ? this.say("not_counted").replace("{words}", lost.join(" / ")) : "";
    this.refuse(this.lost);
  }

  redrawSheet() {
    const piece = this.pieces.get(this.sheet.dataset.sheet);
    if (!piece) return this.closeSheet();
    const held = this.sheet.contains(this.active()) && this.active().dataset.key;
    this.showSheet(piece);
    if (held) this.keyed(held)?.focus({ preventScroll: true });
  }

  promptButtons(scene) {
    const { people, viewer, covered, looking_back } = this.view;
    if (this.playing()) return [button("ck-skip", "skip", this.say("skip"), () => this.skip(), { "data-key": "skip" })];
    if (people > 1 && viewer !== null && !covered.length && !looking_back && scene.turn) {
      return [button("ck-cover-up", "cover", this.say("cover"), () => this.handOn(), { "data-key": "cover" })];
    }
    return [];
  }

  /** All hands are covered until one of `waiting` says the screen is theirs. */
  cover(waiting) {
    const text = waiting.length > 1 ? this.view.covered_words : this.say("covered").replace("{name}", waiting[0].name);
    return make("div", "ck-covered", {},
      make("div", "ck-covered-cards", {}, ...[0, 1, 2].map(() => card({ back: true }, this))),
      make("p", "ck-covered-name", {}, text),
      ...waiting.map(({ seat, name }, at) => button(at ? "ck-big" : "ck-primary ck-big", null, this.say("uncover").replace("{name}", name),
        () => this.send({ type: "uncover", seat }), { "data-key": `uncover-${seat}` })));
  }

  /** The log up to the scene shown; what is new in it is said aloud. */
  tell() {
    const lines = this.view.story.slice(0, this.view.told[this.at]);
    this.storyTitle.replaceChildren(this.say("story"));
    this.story.setAttribute("aria-label", this.say("story"));
    this.story.replaceChildren(...lines.map((line, at) => make("li", at >= this.heard ? "ck-fresh" : "", {}, line)));
    const news = lines.slice(this.heard).slice(-4);
    if (news.length) this.live.replaceChildren(news.join(" "));
    this.heard = lines.length;
  }

  active() {
    return this.root.getRootNode().activeElement;
  }

  holdFocus() {
    const active = this.active();
    return active && this.root.contains(active) ? active.dataset.key ?? "prompt" : null;
  }

  /** Keep the keyboard where it was; if that is gone or can do nothing, go to what can be done now. */
  giveFocus(key, scene) {
    const now = this.active();
    if (now !== this.prompt && this.root.contains(now) && now.dataset.key === key) return; // it has stayed
    const stops = [...this.root.querySelectorAll("[data-lm-suppress-shortcuts]")];
    const same = stops.find((each) => each.dataset.key === key);
    if (same && same !== this.prompt && !this.near.contains(same)) return same.focus({ preventScroll: true });
    const todo = !this.playing() && scene.turn && todoIn(this.near.querySelectorAll(".ck-legal"));
    const uncover = this.near.querySelector(".ck-covered button");
    const keep = same && same !== this.prompt && (!todo || same.matches(".ck-legal, [aria-disabled]"));
    return (keep ? same : todo || uncover || this.prompt).focus({ preventScroll: true });
  }

  drawTools() {
    const { view } = this;
    const speeds = Object.keys(SPEEDS).map((value) => ({ value, label: this.say(`speed_${value}`) }));
    const step = (sign, text, content, off) =>
      button("ck-step", sign, text, () => off || this.send(content), { "aria-disabled": off && "true", title: text, "data-key": sign });
    this.title ??= make("h2", "ck-title");
    const opener = button("ck-menu", "menu", this.say("menu"), () => this.toggleMenu(), 
      { "aria-expanded": String(this.root.classList.contains("ck-menu-open")), "data-key": "menu" });
    const file = make("input", "ck-hidden", { type: "file", accept: ".json,application/json", tabindex: "-1", "aria-hidden": "true", onchange: (event) => this.load(event.target) });
    const opens = button("ck-new", "add", this.say("new_match"), () => this.openForm(), { "data-key": "new" });
    this.tools.replaceChildren(this.title, opens, opener,
      make("div", "ck-controls", {},
        make("label", "ck-labelled", {}, this.say("speed"), menu(speeds, this.speed, (value) => this.setSpeed(value), { "data-key": "speed" })),
        make("label", "ck-labelled", {}, this.say("language_menu"),
          menu(this.model.get("languages"), view.language, (language) => this.send({ type: "language", language }), { "data-key": "language" })),
        view.may_look_back && make("div", "ck-steps", { role: "group", "aria-label": this.say("look_back") },
          step("first", this.say("first"), { type: "step", entry: 0 }, view.entry <= 0),
          step("back", this.say("back"), { type: "step", entry: view.entry - 1 }, view.entry <= 0),
          make("span", "ck-entry", { title: this.say("look_back") }, `${view.entry} / ${view.entries}`),
          step("forward", this.say("forward"), { type: "step", entry: view.entry + 1 }, view.entry >= view.entries),
          step("now", this.say("now"), { type: "now" }, !view.looking_back)),
        view.may_save && button("", "save", this.say("save"), () => this.send({ type: "save" }), { title: this.say("save"), "data-key": "save" }),
        button("", "load", this.say("load"), () => file.click(), { title: this.say("load"), "data-key": "load" }), file,
        view.seed && make("label", "ck-labelled ck-seed", {}, this.say("seed"),
          make("input", "ck-input", { readonly: true, value: view.seed, size: "12", "data-key": "seed", onfocus: (event) => event.target.select() }))));
  }

  toggleMenu() {
    const open = this.root.classList.toggle("ck-menu-open");
    this.tools.querySelector(".ck-menu").setAttribute("aria-expanded", String(open));
  }

  setSpeed(speed) {
    this.speed = speed;
    remember("localStorage", "coursekit:speed", speed);
    if (speed === "once" && this.playing()) this.skip();
  }

  /** What the kernel asks or tells beside the game. */
  drawBanner(notice) {
    const { offer, trouble, looking_back, entry, entries } = this.view;
    const box = (kind, text, ...buttons) => make("div", `ck-box ck-box-${kind}`, {}, make("p", "", {}, text), ...buttons);
    const boxes = [
      notice && box("notice", notice),
      trouble && box("trouble", trouble.text, ...trouble.choices.map(({ label, value }) =>
        button("", null, label, () => this.send({ type: "replace", seat: trouble.seat, by: value })))),
      offer && box("offer", offer.title,
        button("ck-primary", null, this.say("resume"), () => this.send({ type: "resume", id: offer.id })),
        button("", null, this.say("dismiss"), () => this.send({ type: "dismiss" }))),
      looking_back && box("past", this.say("looking_back"),
        make("input", "ck-slide", {
          type: "range", min: 0, max: entries, value: entry, "aria-label": this.say("look_back"), "data-key": "slide",
          onchange: (event) => this.send({ type: "step", entry: Number(event.target.value) }),
        }),
        button("ck-primary", "fork", this.say("fork"), () => this.send({ type: "fork", entry })),
        button("", "now", this.say("now"), () => this.send({ type: "now" }))),
    ];
    this.banner.replaceChildren(...boxes.filter(Boolean));
  }

  // -- Form, files, messages

  openForm() {
    this.closeSheet();
    this.form = new Form(this);
    this.formPlace.replaceChildren(this.form.element);
    this.formPlace.hidden = false;
    this.stage.hidden = true;
    this.root.classList.remove("ck-menu-open");
    this.form.element.querySelector(".ck-form-title").focus();
  }

  closeForm() {
    if (!this.form) return;
    this.form = null;
    this.formPlace.replaceChildren();
    this.formPlace.hidden = true;
    this.stage.hidden = false;
    this.tools.querySelector(".ck-new").focus();
    this.root.querySelectorAll(".ck-hand").forEach(fan);
  }

  async load(input) {
    const [file] = input.files;
    if (file) this.send({ type: "load", text: await file.text() });
    input.value = ""; // so that the same file can be chosen again
  }

  hear(message) {
    const { type, text, name, to } = message;
    if (to && !to.startsWith(`${this.id}-`)) return; // another view of this table has asked
    if (type === "ticked") return this.ticked(message.tick);
    if (type === "tried" || type === "suggested") return this.venn?.hear(message);
    if (!to || to === this.asked) this.pending = false;
    if (type === "refusal") this.refused(text, to);
    else if (type === "notice") this.drawBanner(text);
    else if (type === "download") download(name, text);
  }

  /** The kernel says why not; what is typed is sent all the same, and does not wipe it out. */
  refused(text, to) {
    if (this.answers?.refused(text, to)) return;
    if (this.sheet?.dataset.sheet === this.askedIn) this.refuse(text); // else another card is being looked at by now
    if (this.answers?.goOn()) this.lost = text;
  }

  rememberMatch() {
    const { kept, match } = this.view;
    if (!kept) return;
    remember("sessionStorage", this.key, match);
    remember("localStorage", this.key, match);
  }

  hello() {
    const here = recall("sessionStorage", this.key);
    this.send({ type: "hello", remembered: here ?? recall("localStorage", this.key), same_tab: here !== null });
  }
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = make("a", "", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function render({ model, el }) {
  const table = new Table(model, el);
  const listeners = {
    "change:view": () => {
      if (model.get("view").tick !== table.tick) table.ticked(model.get("view").tick);
      table.show(model.get("view"));
      table.rememberMatch();
    },
    "change:words": () => table.show(model.get("view")),
    "change:setup": () => table.form && table.openForm(),
    "change:handbook": () => table.sheet && table.redrawSheet(),
    "change:art": () => table.readArt(),
    "msg:custom": (content) => table.hear(content),
  };
  table.show(model.get("view"));
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  table.hello();
  return () => {
    clearTimeout(table.timer);
    clearTimeout(table.patience);
    clearTimeout(table.counting);
    globalThis.visualViewport?.removeEventListener("resize", table.measured);
    for (const type of RELEASES) document.removeEventListener(type, table.released);
    table.watch.disconnect();
    table.venn?.dispose();
    document.removeEventListener("click", table.elsewhere);
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
    table.root.remove();
  };
}

export default { render };
