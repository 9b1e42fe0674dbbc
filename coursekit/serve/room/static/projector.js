// The projector's view: how to come in, all tables, one table enlarged, a question, or the rules.  It decides nothing.

import { button, clock, make } from "./dom.js";
import { ClassMapPlace } from "./map-place.js";
import { Board, TablePlace } from "./model.js";
import { redraw } from "./redraw.js";
import { TeacherPage, stateOf, told } from "./teacher.js";

const NAMES = [4.6, 4, 3.4, 3, 2.7, 2.4, 2.1, 1.8],
  ANSWERS = [6, 5.2, 4.6, 4, 3.5, 3, 2.6, 2.2],
  TOLD = [3.6, 3.2, 2.8, 2.4, 2.1, 1.8, 1.6],
  RULES = [4.4, 4, 3.6, 3.3, 3, 2.7, 2.4, 2.1]; // sizes, of which the first that fits is taken
const BESIDE = 6,
  ABOVE = 14,
  GAP = 1.6; // around the tables' place, and in it: sizes and lengths are hundredths of the height of a 16:9 picture
const LARGEST = 6.2; // size of what a table's card says
const MESSAGE = 16; // height of the teacher's message
const BARS = 1; // height of what is guessed, in lines
const LINE = 1.5,
  HEAD = 2.8; // heights of a line and of all but the lines, in sizes
const CHART = 172, // width of the columns of answers: hundredths of the height of a 16:9 picture
  LARGEST_BAR = 5, // size of what a bar of answers says
  DIGIT = 0.65, // its width, in sizes
  LONG = 16, // letters of a choice above which it needs half the width
  ROWS = 38; // size of all rows of choices together
const HEADINGS = [
  [60, 5],
  [160, 4],
  [Infinity, 2.8],
]; // letters of a question up to which its size is so large, above answers
const NARROWEST = 15; // width of a column of names, in sizes
const SIZES = { least: 2.5, most: 4.6 }; // of what a card with a board says
const NAME = 9; // width of a name with points beside or above a board, in sizes
const SHAPE = 1.35; // width of a board to its height, as it is seen best

/** The place for the tables below so much of other things. */
function roomForTables(above) {
  const unit = Math.min(innerHeight, innerWidth * 0.5625) / 100;
  return { width: innerWidth / unit - BESIDE, height: innerHeight / unit - ABOVE - above };
}

/** Columns of `count` cards of so many lines, how large their words can be then, and whether the lines stand in two columns. */
function fitting(count, lines, { width, height }, more) {
  const found = [1, 2].flatMap((beside) =>
    [1, 2, 3, 4, 5, 6].map((columns) => {
      const rows = Math.ceil(count / columns),
        high = (Math.ceil(lines / beside) + more) * LINE + HEAD;
      return {
        columns,
        wide: beside > 1,
        abreast: 0,
        size: Math.min(
          LARGEST,
          ((height + GAP) / rows - GAP) / high,
          width / columns / beside / NARROWEST,
        ),
      };
    }),
  );
  return found.reduce((best, one) => (one.size > best.size + 0.01 ? one : best));
}

/** Columns of `count` cards with boards, how large their words are, and how many names stand side by side above the board; 0 for beside it. */
function fittingBoards(count, lines, { width, height }, more) {
  const found = [1, 2, 3].flatMap((columns) => {
    const wide = (width + GAP) / columns - GAP,
      high = (height + GAP) / Math.ceil(count / columns) - GAP;
    const size = Math.max(SIZES.least, Math.min(SIZES.most, wide / 22, high / 16));
    const seen = (beside, above) =>
      Math.min((wide - (beside + 1) * size) / SHAPE, high - ((above + more) * LINE + HEAD) * size);
    const abreast = Math.max(1, Math.min(lines, Math.floor(wide / size / NAME)));
    return [
      { columns, size, wide: false, abreast: 0, seen: seen(NAME, 0) },
      { columns, size, wide: false, abreast, seen: seen(0, Math.ceil(lines / abreast)) },
    ];
  });
  return found.reduce((best, one) => (one.seen > best.seen + 0.01 ? one : best));
}

/** An address whose lines break before a colon or a slash, if they can. */
function breakable(address) {
  return address.split(/(?=[:/])/).flatMap((part) => [make("wbr"), part]);
}

class Projector extends TeacherPage {
  constructor() {
    super();
    this.el = make("div", { id: "place", hidden: true });
    this.aside = make("div", { id: "moments", hidden: true });
    this.map = make("section", { id: "map", hidden: true, "aria-label": this.say("map") });
    document.body.append(this.el, this.aside, this.map);
    this.place = this.tablePlace(this.el);
    this.classMap = new ClassMapPlace({ el: this.map, file: (name) => this.file(name) });
    this.drawn = null; // what the room has told of the class's map
    this.moments = []; // of tables, side by side
    this.slides = []; // of the debrief
    this.boards = new Map(); // what lies on tables, by number
    this.setting = null; // the words they need
    this.reading = false; // the rules
    addEventListener("keydown", ({ key }) => key === "Escape" && this.reading && this.read());
    this.connect();
  }

  file(name) {
    return new URL(`../parts/${name}?v=${told.tags[name]}`, location.href).href;
  }

  tablePlace(el) {
    return new TablePlace({
      el,
      file: (name) => this.file(name),
      languages: {},
      send: ({ type }) => type === "again" && this.wire.send({ type }),
    });
  }

  hear(message) {
    if (message.type === "room") {
      if (message.debrief !== null && (this.room?.debrief ?? null) === null) this.fetchSlides();
      if (this.room && this.isNews(message)) this.reading = false;
      this.room = message;
      this.since = Date.now();
    } else if (message.type === "door") this.door = message;
    else if (message.type === "table") this.place.dress(message);
    else if (message.type === "view") this.view(message.view);
    else if (message.type === "moments") this.lay(message.moments);
    else if (message.type === "board_setting") this.dress(message);
    else if (message.type === "board") this.board(message);
    else if (message.type === "class_map") {
      this.drawn = message;
      this.classMap.show(message, told.language);
    }
    if (message.type !== "pong") this.draw();
  }

  view(view) {
    const { watched } = this.room ?? {};
    if (!this.place.show(view, watched ? { table: watched, seat: null } : null))
      this.wire.send({ type: "again" });
  }

  /** Take the words of a game; the same ones, after the connection was lost, change nothing. */
  dress(setting) {
    const isOther = this.setting?.game !== setting.game;
    this.setting = setting;
    for (const board of isOther ? this.boards.values() : []) board.move(null);
  }

  board(message) {
    if (!this.boards.has(message.table)) this.boards.set(message.table, new Board(message.table));
    this.boards.get(message.table).hear(message);
  }

  /** Draw each board where the page has a place for it. */
  placeBoards() {
    for (const [table, board] of this.boards) {
      const el = this.page.querySelector(`[data-filled="${table}"]`);
      if (el !== (board.place?.el ?? null)) board.move(el && this.tablePlace(el), this.setting);
      if (!this.room.tables.some((known) => known.table === table)) this.boards.delete(table);
    }
  }

  lay(moments) {
    for (const place of this.moments) place.close();
    this.aside.style.setProperty("--columns", String(moments.length));
    this.moments = moments.map(() => this.tablePlace(make("div.projector-place")));
    this.aside.replaceChildren(
      ...moments.map(({ number }, at) =>
        make("section", make("h2", this.say("table", { number })), this.moments[at].el),
      ),
    );
    moments.forEach((moment, at) => {
      this.moments[at].dress(moment);
      this.moments[at].show(moment.view, { table: moment.table, seat: null });
    });
  }

  async fetchSlides() {
    const answer = await fetch(`../${told.language}/slides`).catch(() => null);
    this.slides = answer?.ok ? (await answer.json()).slides : [];
    this.draw();
  }

  /** Whether cards are dealt, or the class goes on to a step that is not about the rules. */
  isNews({ step, tables }) {
    const first = (all) => all[0]?.table;
    const goesOn = step !== this.room.step && step !== "rules";
    return goesOn || first(tables) !== first(this.room.tables);
  }

  read() {
    this.reading = !this.reading;
    this.draw();
  }

  /** What fills the page. */
  get shown() {
    const { question, tables, moments, step } = this.room;
    if (this.reading) return "rules";
    if (this.slides[this.room.debrief]) return "debrief";
    if (moments.length) return "moments";
    if (question && (question.open || question.shown.length || question.spread)) return "question";
    if (step === "map" && this.drawn) return "map";
    if (this.watchedTable) return "watched";
    return tables.length ? "tables" : "lobby";
  }

  draw() {
    if (!this.room || !this.door) return;
    const { shown, room } = this;
    document.body.dataset.shown = shown;
    if (room.watched === null) this.place.close();
    this.el.classList.toggle("projector-away", shown !== "watched");
    this.aside.hidden = shown !== "moments";
    this.map.hidden = shown !== "map";
    const parts = {
      lobby: () => this.lobby(),
      tables: () => this.tables(),
      question: () => this.question(),
      watched: () => this.watched(),
      moments: () => this.asked(),
      map: () => this.classMapHead(),
      rules: () => this.rules(),
      debrief: () => this.debrief(),
    }[shown]();
    redraw(
      this.page,
      [
        this.head(),
        room.message &&
          make("p.projector-message", { role: "status", "data-key": "message" }, room.message),
        make(`div.projector-main projector-${shown}`, { "data-key": shown }, ...parts),
      ].filter(Boolean),
    );
    this.placeBoards();
    this.fit(".projector-answers", ANSWERS, (list) => [...list.children]);
    this.fit(".projector-names", NAMES, (list) => [list.parentElement]);
    this.fit(".projector-told", TOLD, (place) => [place]);
    this.fit(".projector-rule-lines", RULES, (list) => [list.parentElement]);
  }

  fit(selector, sizes, boxes) {
    const list = this.page.querySelector(selector);
    for (const size of list ? sizes : []) {
      list.style.fontSize = `calc(var(--u) * ${size})`;
      if (boxes(list).every((box) => box.scrollHeight <= box.clientHeight)) return;
    }
  }

  head() {
    const { title, step, free, ended, locked, stage, rules } = this.room;
    const seal = ended ? this.say("ended") : free ? "" : this.say(`phone.step.${step}`);
    return make(
      "header.projector-head",
      make("h1", title),
      seal && this.shown !== "lobby" && make("span.projector-seal", seal),
      this.shown === "watched" && make("b", this.say("table", this.watchedTable)),
      this.shown === "watched" &&
        this.watchedTable.paused &&
        make("span.projector-seal", this.say("paused")),
      this.lost && make("span.projector-lost", { role: "alert" }, this.lostWords),
      stage
        ? make(
            "span.projector-time",
            this.say(stage.name),
            " ",
            make("b", clock(Math.max(0, stage.left - this.passed))),
          )
        : this.time(),
      this.shown !== "lobby" &&
        !ended &&
        this.door.url &&
        make(
          "span.projector-corner",
          locked ? this.say("locked") : this.address,
          !locked && make("b", this.room.code),
        ),
      rules.length > 0 &&
        button(
          "site-button site-quiet projector-read",
          this.say(this.reading ? "rules_close" : "rules"),
          () => this.read(),
          { "data-key": "rules" },
        ),
    );
  }

  rules() {
    const now = this.room.watched === null ? null : this.place.late?.scenes.at(-1).rule;
    return [
      make(
        "ul.projector-rule-lines",
        ...this.room.rules
          .map((words, at) => words && make("li", { "aria-current": at === now && "step" }, words))
          .filter(Boolean),
      ),
    ];
  }

  /** One moment of the debrief: what happened, and the question to talk about. */
  debrief() {
    const { title, where, html, ask } = this.slides[this.room.debrief];
    const told = make("div");
    told.innerHTML = html; // made by the debrief's own template
    return [
      make("h2", title, where && make("small", where)),
      html && make("div.projector-told", { "data-key": `told-${this.room.debrief}` }, told),
      make("p.projector-ask", ask),
    ].filter(Boolean);
  }

  time() {
    const { minutes, tables } = this.room;
    const { left } = this;
    if (!minutes || !tables.length || tables.every(({ over }) => over)) return null;

    return make(
      `span.${left > 0 ? "projector-time" : "projector-time projector-up"}`,
      left > 0 ? this.say("left") : this.say("time_up"),
      " ",
      left > 0 && make("b", clock(left)),
    );
  }

  get address() {
    return this.door.url.replace(/^http:\/\//, "");
  }

  lobby() {
    const { people, code, locked } = this.room;
    const open = Boolean(this.door.url);
    return [
      make(
        "div.projector-way",
        { "data-key": "way" },
        ...(open
          ? [
              make("p.projector-how", this.say("open_address")),
              make("p.projector-address", ...breakable(this.address)),
              make("p.projector-how", this.say("enter_code")),
              make(
                "p.projector-code",
                { role: "img", "aria-label": [...code].join(" ") },
                ...[...code].map((letter) => make("span", { "aria-hidden": "true" }, letter)),
              ),
            ]
          : [make("p.projector-soon", this.say("not_open"))]),
      ),
      make(
        "section.projector-people",
        { "aria-labelledby": "people", "data-key": "people-here" },
        make(
          "h2",
          { id: "people" },
          people.length ? this.say("people", { count: people.length }) : open && this.say("nobody"),
        ),
        make(
          "ul.projector-names",
          ...people.map(({ person, name, here }) =>
            make(`li.${here ? "" : "projector-gone"}`, { "data-key": `p${person}` }, name),
          ),
        ),
      ),
      open && this.codes(locked),
    ].filter(Boolean);
  }

  /** What phones' cameras take, as large as there is room: first the Wi-Fi, if the teacher has named it, then the address. */
  codes(locked) {
    const { qr, network, network_qr: networkQr } = this.door;
    if (locked)
      return make(
        "div.projector-codes",
        { "data-key": "codes" },
        make("p.projector-locked", { role: "status" }, this.say("locked")),
      );
    const figure = (key, svg, alt, ...words) =>
      make(
        "figure.projector-qr",
        { "data-key": key },
        make("img", {
          src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
          alt: this.say(alt),
        }),
        make("figcaption", ...words),
      );
    return make(
      `div.projector-codes${networkQr ? " projector-two" : ""}`,
      { "data-key": "codes" },
      networkQr &&
        figure(
          "wifi",
          networkQr,
          "wifi_qr",
          make("span", this.say("wifi")),
          make("b", network.name),
          network.password && make("span", this.say("password")),
          network.password && make("b", network.password),
        ),
      figure("room", qr, "qr", this.say(networkQr ? "then_camera" : "or_camera")),
    );
  }

  tables() {
    const { tables, message } = this.room;
    const most = Math.max(...tables.map(({ seats }) => seats.length));
    const bars = tables.some(({ guessed, came }) => came || Object.keys(guessed).length) ? BARS : 0;
    const room = roomForTables(message ? MESSAGE : 0);
    const lay = this.boards.size ? fittingBoards : fitting;
    const { columns, size, ...names } = lay(tables.length, most, room, bars);
    const rows = Math.ceil(tables.length / columns);
    return [
      make(
        "div.projector-cards",
        { style: `--columns: ${columns}; --rows: ${rows}; --size: ${size.toFixed(2)}` },
        ...tables.map((table) => this.card(table, names)),
      ),
    ];
  }

  card(state, { wide, abreast }) {
    const { table, number, round, paused, ending, over, guessed, came } = state;
    const how = stateOf({ over, paused, ending }),
      waiting = this.waited(state);
    return make(
      `section.projector-card${over ? " projector-over" : ""}`,
      { "data-key": `t${table}`, "aria-label": this.say("table", { number }) },
      make(
        "h2",
        make("span", this.say("table", { number })),
        round !== null && !over && make("small", this.say("round", { number: round })),
        how
          ? make(`em.projector-${how}`, state.how || this.say(how))
          : waiting !== null &&
              make("small.projector-waited", this.say("waited", { time: clock(waiting) })),
      ),
      this.boards.get(table)?.view
        ? make(`div.projector-board${abreast ? "" : " projector-beside"}`, {
            "data-filled": String(table),
            style: `--abreast: ${abreast || 1}`,
            inert: true,
          })
        : this.names(state, wide),
      this.bars({ guessed, came }),
    );
  }

  names({ seats, paused, winners }, wide) {
    return make(
      `ul.${wide ? "projector-wide" : ""}`,
      ...seats.map(({ name, here, turn, stood_in, points }, seat) =>
        make(
          `li.${turn && !paused ? "projector-turn" : winners.includes(seat) ? "projector-won" : ""}`,
          make(`span.${here && !stood_in ? "" : "projector-gone"}`, name),
          (stood_in || !here) && make("small", this.say(stood_in ? "stood_in" : "away")),
          turn && !paused && make("small.projector-unseen", this.say("turn")),
          winners.includes(seat) && make("small.projector-crown", { title: this.say("won") }, "★"),
          make("b", points),
        ),
      ),
    );
  }

  /** What those who watch think comes next; until they guess anew, how they guessed last and what came. */
  bars({ guessed, came }) {
    const now = Object.keys(guessed).length > 0 || !came;
    const all = Object.entries(now ? guessed : came.guessed),
      most = Math.max(...all.map(([, count]) => count));
    const words = now ? this.say("guessed") : this.say("came", { choice: came.choice });
    return all.length
      ? make(
          "dl.projector-bars",
          { "aria-label": words },
          make("dt", words),
          ...all.map(([choice, count]) =>
            make(
              `dd.${!now && choice === came.choice ? "projector-right" : ""}`,
              { style: `--part: ${count / most}` },
              make("span", choice),
              make("b", count),
            ),
          ),
        )
      : null;
  }

  get watchedTable() {
    return this.room.tables.find(({ table }) => table === this.room.watched);
  }

  watched() {
    return [this.bars(this.watchedTable)].filter(Boolean);
  }

  /** What the map is about, and of how many maps it is made: it names nobody. */
  classMapHead() {
    const { things, maps, drawn, left_out: more } = this.drawn;
    const relations = Object.values(things).filter(({ start }) => start);
    return [
      make("h2", things[""].focus || this.say("map")),
      make(
        "p.projector-maps",
        { role: "status" },
        maps ? this.say("maps", { count: maps }) : this.say("maps_wait", { count: drawn }),
        more > 0 && ` · ${this.say("maps_more", { count: more })}`,
      ),
      make(
        "ul.projector-unseen",
        ...relations.map(({ start, phrase, end }) =>
          make("li", `${things[start].label} ${phrase || "–"} ${things[end].label}`),
        ),
      ),
    ];
  }

  asked() {
    const { question } = this.room;
    return question?.open ? [make("h2", question.words)] : [];
  }

  question() {
    const { words, choices, open, answers, shown, spread } = this.room.question;
    const alone = Math.min(shown.length, shown.length > 4 ? Math.ceil(shown.length / 2) : 4),
      beside = shown.length > 3 ? 2 : 1,
      columns = spread ? beside : alone;
    const above = HEADINGS.find(([letters]) => words.length <= letters)[1],
      size = open ? Math.max(above, words.length > 60 ? 5 : 8) : above;
    return [
      make("h2", { style: `font-size: calc(var(--u) * ${size})` }, words),
      open && choices.length > 0 && this.choices(choices),
      open &&
        make(
          "p.projector-count",
          { role: "status" },
          make("b", answers),
          ` / ${this.room.people.length} `,
          this.say("answers"),
        ),
      spread && this.spread(spread, shown.length > 0),
      shown.length > 0 &&
        make(
          "ul.projector-answers",
          { style: `--columns: ${columns}` },
          ...shown.map((text, at) => make("li", { "data-key": `a${at}` }, text)),
        ),
    ].filter(Boolean);
  }

  choices(choices) {
    const letters = choices.join("").length;
    const size = letters > 160 ? 2.2 : letters > 80 ? 3 : 4;
    return make(
      "ul.projector-choices",
      { style: `font-size: calc(var(--u) * ${size})` },
      ...choices.map((choice) => make("li", choice)),
    );
  }

  /** How the numbers or choices of all are spread: columns for numbers, which have an order, and rows for choices. */
  spread({ people, bars, middle }, isBeside) {
    const most = Math.max(...bars.map(([, count]) => count));
    const isNumber = middle !== "";
    const longest = (parts) => Math.max(...parts.map(({ length }) => length));
    const labels = bars.map(([label]) => label);
    let size, lines;
    if (isNumber) {
      lines = labels.some((label) => label.includes("–")) ? 2 : 1; // a range is broken at its dash
      const column = CHART / bars.length / (isBeside ? 2.7 : 1);
      size = column / (DIGIT * longest(labels.flatMap((label) => label.split("–"))) + 1);
    } else {
      lines = longest(labels) > LONG && bars.length < 8 ? 2 : 1;
      size = ROWS / lines / bars.length;
    }
    size = Math.min(LARGEST_BAR, size);
    const width = longest(labels) > LONG ? "50%" : "30%";
    return make(
      `figure.projector-spread${isNumber ? " projector-columns" : ""}${isBeside ? " projector-beside" : ""}`,
      { style: `--size: ${size.toFixed(2)}; --lines: ${lines}; --label: ${width}` },
      make(
        "dl",
        ...bars.map(([label, count]) =>
          make(
            "div",
            { style: `--part: ${count / most}` },
            make("dt", label),
            make("dd", make("i"), make("b", count)),
          ),
        ),
      ),
      make(
        "figcaption",
        this.say("spread", { count: people }),
        isNumber && ` · ${this.say("middle", { middle })}`,
      ),
    );
  }
}

globalThis.coursekit_projector = new Projector();
