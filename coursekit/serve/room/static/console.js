// The teacher's console: the room, who is here, the tables, questions, and what comes after.  The room decides what can be done.

import { button, clock, make } from "./dom.js";
import { Groups } from "./groups.js";
import { redraw } from "./redraw.js";
import { TeacherPage, stateOf, told } from "./teacher.js";

const STEPS = ["rules", "predict", "play", "back", "map", "last"];
const STAGES = [
  ["think", 60],
  ["pair", 120],
  ["share", 180],
]; // of a question, and their seconds
const KINDS = ["text", "number", "choice"]; // of a teacher's own question
const MORE = 120; // seconds that one touch adds
const MOST_BESIDE = 6; // seats of a table in one line
const NOTES = 3; // lines of notes above the columns
const LOOPBACK = "127.0.0.1";

/** A field that shows what the room says until somebody types in it; see redraw.js. */
const typed = (tag, id, value, properties = {}) =>
  make(`${tag}.console-field`, {
    id,
    name: id,
    value,
    "data-told": String(value),
    autocomplete: "off",
    ...properties,
  });

function select(id, options, value, onchange, properties = {}) {
  const element = make(
    "select.console-field",
    { id, onchange: (event) => onchange(event.target.value), ...properties },
    ...options.map(([name, label]) => make("option", { value: name }, label)),
  );
  element.value = value;
  return element;
}

const tick = (id, label, checked, onchange) =>
  make(
    "label.console-tick",
    make("input", {
      id,
      type: "checkbox",
      checked,
      onchange: (event) => onchange(event.target.checked),
    }),
    make("span", label),
  );

const labelled = (id, label, element, hint = "") =>
  make(
    "div.console-labelled",
    make("label", { htmlFor: id }, label),
    element,
    hint && make("p.console-hint", hint),
  );

const panel = (id, title, ...parts) =>
  make(
    "section.console-panel",
    { id, "aria-labelledby": `${id}-title` },
    make("h2", { id: `${id}-title` }, ...[title].flat()),
    ...parts,
  );

const onSubmit = (act) => ({
  onsubmit: (event) => {
    event.preventDefault();
    act(event);
  },
});

/** Columns of a row's seats: more than fit stand in two lines of the same length. */
const columnsOf = (seats) => (seats > MOST_BESIDE ? Math.ceil(seats / 2) : seats);

const row = (...parts) => make("div.console-row", ...parts);

class Console extends TeacherPage {
  constructor() {
    super();
    this.sheet = this.refused = this.moments = this.findings = this.maps = null;
    this.chosen = []; // answers to be shown, in order: [question, person]
    this.asking = "";
    this.kind = KINDS[0];
    this.groups = new Groups(this);
    this.dialog = make("dialog.console-sheet", {
      "aria-labelledby": "sheet-title",
      onclose: () => {
        if (!this.dialog.open) this.sheet = null;
      },
    });
    document.body.append(this.dialog);
    this.connect();
  }

  hear(message) {
    const { type } = message;
    if (type === "room") this.update(message);
    if (type === "room") this.takeGame();
    else if (type === "door") this.door = message;
    else if (type === "moments") this.moments = message;
    else if (type === "map_words") this.maps = message;
    else if (type === "refused") this.refused = message.text;
    if (type !== "pong") this.draw();
  }

  update(room) {
    const anew = this.room?.code !== room.code;
    this.room = room;
    this.since = Date.now();
    const there = ([question, person]) =>
      room.answers.some((answer) => answer.question === question && answer.person === person);
    if (anew) {
      this.asking = room.questions[0]?.name ?? "";
      this.chosen = room.answers
        .filter(({ shown }) => shown)
        .map(({ question, person }) => [question, person]);
    }
    if (this.asking && !room.questions.some(({ name }) => name === this.asking))
      this.asking = room.questions[0]?.name ?? "";
    this.chosen = this.chosen.filter(there);
  }

  /** The game that the start page was asked for is the room's, as long as nobody plays. */
  takeGame() {
    const game = decodeURIComponent(location.hash.slice(1));
    if (!told.games.some(({ name }) => name === game)) return;
    history.replaceState(null, "", location.pathname);
    const { tables, settings } = this.room;
    if (!tables.length && settings.game !== game) this.order("set", { game });
  }

  order(type, parts = {}) {
    this.refused = this.wire.send({ type, ...parts }) ? null : this.lostWords;
    this.draw();
  }

  open(kind, ...what) {
    this.sheet = [kind, ...what];
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    this.sheet = null;
    this.dialog.close();
  }

  confirm(words, go, act) {
    this.open("confirmSheet", words, go, act);
  }

  select(...given) {
    return select(...given);
  }

  button(id, act, more = {}) {
    return button("console-button", this.say(id), act, more);
  }

  get allOver() {
    return this.room.tables.every(({ over }) => over);
  }

  draw() {
    if (!this.room || !this.door || this.groups.dragging) return;
    const { tables, ended } = this.room;
    redraw(this.page, [
      this.head(),
      this.alerts(),
      make(
        "div.console-columns",
        make(
          "div.console-column",
          { "data-key": "left" },
          // Once cards are dealt, who is there matters more than how to come in, which the head says in short.
          ...(tables.length > 0
            ? [this.peoplePanel(), this.doorPanel()]
            : [this.doorPanel(), this.peoplePanel()]),
        ),
        make(
          "div.console-column",
          { "data-key": "middle" },
          tables.length > 0 && this.tablesPanel(),
          this.allOver && !ended && this.settingsPanel(),
          this.allOver && !ended && panel("groups", this.say("groups"), ...this.groups.parts()),
        ),
        make(
          "div.console-column",
          { "data-key": "right" },
          this.lessonPanel(),
          this.mapsPanel(),
          this.questionPanel(),
          this.leaguePanel(),
          this.afterPanel(),
        ),
      ),
    ]);
    if (this.sheet) redraw(this.dialog, this[this.sheet[0]](...this.sheet.slice(1)));
  }

  head() {
    const { title, code, people } = this.room;
    return make(
      "header.console-head",
      make("h1", this.say("title"), make("small", title)),
      make("span.console-code", { title: this.say("code") }, code),
      make(
        "span",
        this.say("here", { count: people.filter(({ here }) => here).length, all: people.length }),
      ),
      make(
        "nav.console-nav",
        { "aria-label": this.say("language") },
        ...told.languages.map(([language, name, href]) =>
          make(
            "a",
            { href, lang: language, "aria-current": language === told.language && "page" },
            name,
          ),
        ),
      ),
      this.button("doctor", () => this.examine()),
      make(
        "a.site-button",
        { href: "projector", target: "_blank", rel: "noopener" }, // its work does not hold up this page
        this.say("projector"),
      ),
    );
  }

  alerts() {
    const { trouble } = this.room,
      notes = this.notesAbout(null);
    return make(
      "div.console-alerts",
      { role: "status" },
      this.lost && make("p.console-bad", this.lostWords),
      trouble && make("p.console-bad", this.say("trouble", { why: trouble })),
      !this.sheet && this.refusal(),
      notes.length > 0 &&
        make(
          "div.console-warn",
          make(
            "ul",
            { style: `--lines: ${Math.floor(NOTES / Math.min(notes.length, NOTES))}` },
            ...notes.slice(-NOTES).map((note) => make("li", ...this.noteWords(note))),
          ),
          notes.length > 1 &&
            button("console-button", this.say("notes", { count: notes.length }), () =>
              this.open("notesSheet"),
            ),
          this.button("noted", () => this.order("noted")),
        ),
      this.door.unreached && make("p.console-warn", this.say("unreached", { url: this.door.url })),
    );
  }

  /** Why the last order was not carried out: it stands where the order was given. */
  refusal() {
    return (
      this.refused &&
      make(
        "p.console-warn",
        this.refused,
        this.button("noted", () => {
          this.refused = null;
          this.draw();
        }),
      )
    );
  }

  noteWords({ words, count }) {
    return [words, count > 1 && make("b", ` ×${count}`)].filter(Boolean);
  }

  noteList(notes, table = null) {
    return make(
      "div.console-notes",
      make("ul", ...notes.map((note) => make("li", ...this.noteWords(note)))),
      this.button("noted", () => this.order("noted", { table })),
    );
  }

  notesSheet() {
    const notes = this.notesAbout(null);
    return this.closing(
      this.say("notes", { count: notes.length }),
      notes.length > 0 && this.noteList(notes),
    );
  }

  async examine() {
    this.findings = null;
    this.open("doctorSheet");
    const answer = await fetch("doctor").catch(() => null);
    if (answer?.ok) this.findings = (await answer.json()).findings;
    else {
      this.close();
      this.refused = this.lostWords;
    }
    this.draw();
  }

  doctorSheet() {
    return this.closing(
      this.say("doctor"),
      make(
        "div",
        { role: "status" },
        !this.findings && this.say("doctor_wait"),
        make(
          "ul.console-findings",
          ...(this.findings ?? []).map(({ state, mark, words }) =>
            make(`li.console-${state}`, make("b", mark), make("span", words)),
          ),
        ),
      ),
    );
  }

  doorPanel() {
    const { url, addresses, port, qr } = this.door;
    if (url) {
      return panel(
        "door",
        this.say("room"),
        make(
          "div.console-door",
          make("img", {
            src: `data:image/svg+xml,${encodeURIComponent(qr)}`,
            alt: this.say("qr"),
          }),
          make(
            "div",
            make("p.console-url", url.replace(/^http:\/\//, "")),
            make("p.console-letters", this.room.code),
          ),
        ),
        url.includes(LOOPBACK) && make("p.console-hint", this.say("loopback")),
        this.network(),
        tick("names-wait", this.say("names_wait"), this.room.settings.names_wait, (on) =>
          this.order("set", { names_wait: on }),
        ),
        tick("names", this.say("nameless"), this.room.nameless, (on) =>
          this.order("names", { on: !on }),
        ),
        row(
          tick("lock", this.say("lock"), this.room.locked, (on) => this.order("lock", { on })),
          this.button("close_room", () =>
            this.confirm(this.say("close_room_ask"), this.say("close_room"), () =>
              this.order("close_room"),
            ),
          ),
        ),
      );
    }
    return panel(
      "door",
      this.say("room"),
      make("p.console-hint", this.say("room_hint")),
      make(
        "form",
        onSubmit((event) => {
          const { address, number } = event.target.elements;
          this.order("open_room", { address: address.value, port: Number(number.value) });
        }),
        row(
          labelled(
            "address",
            this.say("address"),
            select(
              "address",
              addresses.map((address) => [
                address,
                address === LOOPBACK ? this.say("this_computer") : address,
              ]),
              this.address ?? addresses[0],
              (address) => {
                this.address = address;
              },
            ),
          ),
          labelled(
            "number",
            this.say("port"),
            typed("input", "number", port, { type: "number", min: 0, max: 65535 }),
          ),
        ),
        make("button.site-button.console-wide", { type: "submit" }, this.say("open_room")),
      ),
      this.network(),
    );
  }

  /** The Wi-Fi by which phones come, which the projector shows. */
  network() {
    const { name, password } = this.door.network;
    const field = (id, value, most) =>
      labelled(
        id,
        this.say(id),
        typed("input", id, value, { maxLength: most, spellcheck: false, autocapitalize: "off" }),
      );
    return make(
      "details",
      { "data-key": "network" },
      make("summary", name ? this.say("network_is", { name }) : this.say("network")),
      make(
        "form",
        onSubmit((event) => {
          const { ssid, password: typedIn } = event.target.elements;
          this.order("network", { name: ssid.value, password: typedIn.value });
          event.target.closest("details").open = false;
        }),
        field("ssid", name, 32),
        field("password", password, 63),
        make("p.console-hint", this.say("network_hint")),
        make("button.console-button.console-wide", { type: "submit" }, this.say("network_save")),
      ),
    );
  }

  peoplePanel() {
    const { people, tables } = this.room;
    const open = tables.some(
      ({ over, seats }) => !over && seats.some(({ person }) => person === null),
    );
    // Those who wait for the teacher come first, then those who are away.
    const rank = ({ approved, stuck, seated, wish, here }) => {
      if (stuck || wish) return 0;
      if (!approved || (open && !seated)) return 1;
      return here ? 3 : 2;
    };
    const unseen = people.filter(({ approved, listed }) => !approved && !listed).length;
    return panel(
      "people",
      this.say("people", { count: people.length }),
      !people.length && make("p.console-hint", this.say("nobody")),
      this.missing(),
      unseen > 1 &&
        button(
          "console-button console-go console-wide",
          this.say("approve_all", { count: unseen }),
          () => this.order("approve"),
        ),
      make(
        "ul.console-people",
        ...[...people]
          .sort((one, other) => rank(one) - rank(other))
          .map((one) => {
            const { person, name, here, number, approved, stuck, seated, wish } = one,
              listed = this.room.class_list[one.place];
            return make(
              `li.${here ? "" : "console-away"}`,
              { "data-key": `p${person}` },
              make("span.console-dot", {
                role: "img",
                "aria-label": this.say(here ? "is_here" : "is_away"),
                title: this.say(here ? "is_here" : "is_away"),
              }),
              make("span.console-name", name),
              make("small.console-number", number),
              !approved &&
                button("console-button console-go", this.say("approve"), () =>
                  this.order("approve", { person }),
                ),
              stuck &&
                button("console-button console-go", this.say("word"), () =>
                  this.order("word", { person }),
                ),
              open &&
                !seated &&
                button("console-button console-go", this.say("seat"), () =>
                  this.open("personSheet", person),
                ),
              button("console-button console-more", "⋯", () => this.open("personSheet", person), {
                "aria-label": this.say("about_person", { name }),
              }),
              listed && listed !== name && make("small.console-listed-as", listed),
              wish && this.wish(one),
            );
          }),
      ),
    );
  }

  /** Who of the class list has not joined. */
  missing() {
    const { class_list: list, people } = this.room;
    const come = new Set(people.map(({ place }) => place));
    const missing = list.filter((_, place) => !come.has(place));
    return make(
      "div.console-missing",
      { "data-key": "missing" },
      list.length > 0 &&
        make(
          "p",
          { role: "status" },
          make(
            "b",
            missing.length
              ? this.say("missing", { count: missing.length })
              : this.say("all_joined", { count: list.length }),
          ),
          ...missing.map((label) => make("span", label)),
        ),
      this.button("class_list", () => this.open("listSheet")),
    );
  }

  listSheet() {
    const { class_list: list } = this.room;
    return this.closing(
      this.say("class_list"),
      make("p.console-hint", { id: "pasted-hint" }, this.say("class_list_hint")),
      make(
        "form",
        onSubmit((event) => {
          this.close();
          this.order("class_list", { pasted: event.target.elements.pasted.value });
        }),
        typed("textarea", "pasted", list.join("\n"), {
          rows: 10,
          "aria-label": this.say("class_list"),
          "aria-describedby": "pasted-hint",
          spellcheck: false,
        }),
        make("button.site-button.console-wide", { type: "submit" }, this.say("class_list_save")),
      ),
      list.length > 0 &&
        this.button("class_list_clear", () => {
          this.close();
          this.order("class_list", { pasted: "" });
        }),
    );
  }

  wish({ person, name, wish }) {
    const answer = (id, on) =>
      this.button(id, () => this.order("agree", { person, on }), {
        "aria-label": `${this.say(id)}: ${name} → ${wish}`,
      });
    return make(
      "div.console-wish",
      make("span", this.say("wish", { name: wish })),
      answer("agree", true),
      answer("decline", false),
    );
  }

  placeOf(person) {
    for (const table of this.room.tables) {
      const seat = table.seats.findIndex((one) => one.person === person);
      if (seat >= 0) return { table, seat };
    }
    return null;
  }

  personSheet(person) {
    const found = this.room.people.find((one) => one.person === person),
      place = this.placeOf(person);
    if (!found) return this.closing(this.say("gone"));
    const act = (type, parts = {}) => {
      this.close();
      this.order(type, { person, ...parts });
    };
    const free = this.room.tables
      .filter(({ over }) => !over)
      .flatMap(({ table, number, seats }) =>
        seats
          .map((place, seat) => ({ ...place, seat, table, number }))
          .filter((place) => place.person === null),
      );
    return this.closing(
      found.name,
      make("p.console-hint", this.say("number", { number: found.number })),
      make(
        "form.console-row",
        onSubmit((event) => {
          act("rename", { name: event.target.elements.rename.value });
        }),
        labelled(
          "rename",
          this.say("name"),
          typed("input", "rename", found.name, { maxLength: 40 }),
        ),
        make("button.console-button", { type: "submit" }, this.say("rename")),
      ),
      this.listed(found, (label) => act("list_as", { label })),
      place &&
        !place.table.over &&
        button("console-button console-wide", this.say("strategy"), () =>
          act("strategy", { table: place.table.table, seat: place.seat }),
        ),
      !place &&
        free.length > 0 &&
        make(
          "div.console-list",
          { role: "group", "aria-label": this.say("seat_at") },
          make("p", this.say("seat_at")),
          ...free.map(({ name, table, number, seat }) =>
            button("console-button", `${this.say("table", { number })} · ${name}`, () =>
              act("sit", { table, seat }),
            ),
          ),
        ),
      button(
        "console-button console-wide",
        this.say(found.approved ? "hide_name" : "show_name"),
        () => act("approve", { on: !found.approved }),
      ),
      found.stuck && button("console-button console-wide", this.say("word"), () => act("word")),
      button("console-button console-wide console-danger", this.say("remove"), () => {
        this.close();
        this.confirm(this.say("remove_ask", { name: found.name }), this.say("remove"), () =>
          this.order("remove", { person }),
        );
      }),
    );
  }

  /** Which entry of the class list somebody is, where their name does not tell. */
  listed({ place }, choose) {
    const { class_list: list, people } = this.room;
    const taken = new Set(people.map((one) => one.place));
    const open = list.filter((_, at) => at === place || !taken.has(at));
    return (
      list.length > 0 &&
      labelled(
        "listed",
        this.say("listed"),
        select(
          "listed",
          [["", this.say("listed_not")], ...open.map((label) => [label, label])],
          list[place] ?? "",
          choose,
        ),
      )
    );
  }

  settingsPanel() {
    const { settings, people, tables } = this.room;
    const set = (name) => (value) => this.order("set", { [name]: value });
    const whole = (name, least, most) =>
      typed("input", name, settings[name], {
        type: "number",
        min: least,
        max: most,
        onchange: (event) => set(name)(Number(event.target.value)),
      });
    const preset = settings.presets.find(({ name }) => name === settings.preset);
    const here = people.filter((one) => one.here).length;
    return panel(
      "settings",
      this.say(tables.length ? "again" : "settings"),
      make(
        "div.console-settings",
        labelled(
          "game",
          this.say("game"),
          select(
            "game",
            told.games.map(({ name, title }) => [name, title]),
            settings.game,
            set("game"),
          ),
        ),
        preset &&
          labelled(
            "preset",
            this.say("preset"),
            select(
              "preset",
              settings.presets.map(({ name, label, time }) => [
                name,
                time ? `${label} · ${time}` : label,
              ]),
              preset.name,
              set("preset"),
            ),
            preset.help,
          ),
      ),
      make(
        "details",
        { "data-key": "more" },
        make("summary", this.say("more_settings")),
        make(
          "div.console-settings",
          labelled(
            "minutes",
            this.say("minutes"),
            whole("minutes", 0, 180),
            this.say("minutes_hint"),
          ),
          labelled("grace", this.say("grace"), whole("grace", 5, 600), this.say("grace_hint")),
          labelled(
            "language",
            this.say("game_language"),
            select("language", told.languages, settings.language, set("language")),
          ),
        ),
        labelled(
          "words",
          this.say("words"),
          typed("textarea", "words", settings.words, {
            rows: 2,
            onchange: (event) => set("words")(event.target.value),
          }),
        ),
      ),
      button(
        "site-button console-wide console-deal",
        this.say(here ? "deal" : "deal_nobody", { count: here }),
        () => this.order("deal"),
      ),
      people.length > here &&
        make("p.console-hint", this.say("deal_away", { count: people.length - here })),
    );
  }

  tablesPanel() {
    const { tables, minutes, moments } = this.room;
    const playing = tables.filter(({ over }) => !over),
      paused = playing.length > 0 && playing.every((table) => table.paused);
    const ending = playing.length > 0 && playing.every((table) => table.ending),
      noted = tables.filter(({ table }) => this.notesAbout(table).length > 0),
      timed = minutes > 0 && playing.length > 0,
      up = timed && this.left <= 0;

    return panel(
      "tables",
      [
        make("span", this.say("tables", { count: playing.length, all: tables.length })),
        timed &&
          make(
            `span.console-left${up ? " console-up" : ""}`,
            { role: "timer" },
            this.say(up ? "time_up" : "left"),
            !up && make("b", clock(this.left)),
          ),
        timed && this.button("more_time", () => this.order("time", { seconds: MORE })),
      ],
      playing.length > 0 &&
        make(
          `div.console-row${up ? " console-due" : ""}`,
          button(
            paused ? "site-button" : "site-button site-quiet",
            this.say(paused ? "go_on_all" : "pause_all"),
            () => this.order("pause", { on: !paused }),
          ),
          this.button(ending ? "end_not" : "end_all", () => this.order("ending", { on: !ending }), {
            "aria-pressed": String(ending),
          }),
          this.button("end_now", () => this.endNow()),
          noted.length > 0 &&
            this.button("noted_all", () => {
              for (const { table } of noted) this.order("noted", { table });
            }),
        ),
      moments.length > 0 && this.projected(),
      make("ul.console-tables", ...tables.map((table) => this.tableRow(table))),
    );
  }

  projected() {
    return row(
      make("span", { role: "status" }, this.say("projected", { count: this.room.moments.length })),
      this.button("take_off", () => this.order("show")),
    );
  }

  /** Ask once more, then end a table, or all, without waiting for the next points. */
  endNow(table = null) {
    const words = table ? "end_now_ask" : "end_now_all_ask";
    this.confirm(this.say(words, { number: table?.number }), this.say("end_it"), () =>
      this.order("end_now", { table: table?.table ?? null }),
    );
  }

  tableOf(table) {
    return this.room.tables.find((one) => one.table === table);
  }

  /** The name of a seat as the teacher knows it, also while the class sees pseudonyms. */
  nameOf({ name, person }) {
    return this.room.people.find((one) => one.person === person)?.name ?? name;
  }

  notesAbout(table) {
    return this.room.notes.filter((note) => note.table === table);
  }

  tableRow(table) {
    const { number, round, paused, over, winners } = table,
      notes = this.notesAbout(table.table);
    return make(
      `li.console-table${over ? " console-done" : ""}`,
      { "data-key": `t${table.table}`, "aria-label": this.say("table", { number }) },
      make(
        "h3",
        make("span", this.say("table", { number })),
        round !== null && !over && make("small", this.say("round", { number: round })),
        this.state(table),
      ),
      make(
        "ol",
        { style: `--columns: ${columnsOf(table.seats.length)}` },
        ...table.seats.map((seat, at) => {
          const turn = seat.turn && !paused,
            name = this.nameOf(seat),
            state = this.seatState(seat, turn, winners.includes(at)),
            parts = [name, seat.strategy, ...state.map((words) => words.textContent)];
          return make(
            `li.${turn ? "console-turn" : ""}${seat.here ? "" : " console-away"}`,
            { title: parts.filter(Boolean).join(" · ") },
            make("span", name),
            make("b", seat.points),
            ...state,
          );
        }),
      ),
      make(
        "div.console-acts",
        ...this.tableButtons(table),
        button("console-button console-more", "⋯", () => this.open("tableSheet", table.table), {
          "aria-label": this.say("about_table", { number }),
        }),
      ),
      notes.length > 0 && make("p.console-note", ...this.noteWords(notes.at(-1))),
    );
  }

  /** What a table does, or how long it has waited for those at their turn. */
  state(table) {
    const state = stateOf(table),
      waited = this.waited(table);
    if (state) return make(`em.console-${state}`, { title: table.how }, this.say(state));
    if (waited === null) return null;
    const late = waited >= this.room.settings.grace;
    return make(
      `small.console-waited${late ? " console-late" : ""}`,
      this.say("waited", { time: clock(waited) }),
    );
  }

  seatState({ stood_in, here }, turn, won) {
    const id = won ? "won" : stood_in ? "stood_in" : here ? "" : "is_away";
    return [
      turn && make("small.console-unseen", this.say("turn")),
      id && make("small", this.say(id)),
    ].filter(Boolean);
  }

  tableButtons({ table, paused, over }) {
    const { watched } = this.room;
    return [
      !over &&
        this.button(paused ? "go_on" : "pause", () => this.order("pause", { table, on: !paused })),
      this.button("back", () => this.openMoments(table)),
      this.button(
        watched === table ? "shrink" : "enlarge",
        () => this.order("watch", { table: watched === table ? null : table }),
        { "aria-pressed": String(watched === table) },
      ),
    ].filter(Boolean);
  }

  tableSheet(id) {
    const table = this.tableOf(id);
    if (!table) return this.closing(this.say("no_table"));
    const { number, seats, round, ending, over, paused, winners } = table,
      notes = this.notesAbout(id);
    return this.closing(
      this.say("table", { number }),
      make(
        "p.console-hint",
        round !== null && make("span", this.say("round", { number: round })),
        over && table.how ? make("span", table.how) : this.state(table),
      ),
      make(
        "ol.console-seats",
        ...seats.map((seat, at) => {
          const turn = seat.turn && !paused,
            name = this.nameOf(seat);
          return make(
            `li.${turn ? "console-turn" : ""}`,
            make("span", name),
            seat.strategy && make("small", seat.strategy),
            ...this.seatState(seat, turn, winners.includes(at)),
            make("b", seat.points),
            seat.person !== null &&
              button(
                "console-button console-more",
                "⋯",
                () => this.open("personSheet", seat.person),
                { "aria-label": this.say("about_person", { name }) },
              ),
          );
        }),
      ),
      notes.length > 0 && this.noteList(notes, id),
      make(
        "div.console-pairs",
        ...this.tableButtons(table),
        !over &&
          this.button(
            ending ? "end_not" : "end_one",
            () => this.order("ending", { table: id, on: !ending }),
            { "aria-pressed": String(ending) },
          ),
        !over &&
          button("console-button console-danger", this.say("end_now"), () => this.endNow(table)),
      ),
    );
  }

  openMoments(table) {
    this.moments = null;
    this.order("moments", { table });
    this.open("momentsSheet", table);
  }

  momentsSheet(table) {
    const found = this.moments?.table === table ? this.moments.moments : null;
    const { number } = this.tableOf(table) ?? { number: "" };
    return this.closing(
      this.say("back_title", { number }),
      make("p.console-hint", this.say("back_hint")),
      this.room.moments.length > 0 && this.projected(),
      found && !found.length && make("p", this.say("back_none")),
      make(
        "ul.console-moments",
        ...(found ?? []).map(({ entry, words }) => {
          const shown = this.room.moments.some(
            (moment) => moment[0] === table && moment[1] === entry,
          );
          return make(
            "li",
            { "data-key": `m${entry}` },
            make("span", words),
            this.button("project", () => this.project(table, entry, !shown), {
              "aria-pressed": String(shown),
              "aria-label": `${this.say("project")}: ${words}`,
            }),
            this.button(
              "take_back",
              () =>
                this.confirm(
                  this.say("take_back_ask", { move: words }),
                  this.say("take_back"),
                  () => this.order("back", { table, entry }),
                ),
              { "aria-label": `${this.say("take_back")}: ${words}` },
            ),
          );
        }),
      ),
    );
  }

  project(table, entry, on) {
    const others = this.room.moments.filter((moment) => moment[0] !== table || moment[1] !== entry);
    this.order("show", { moments: on ? [...others, [table, entry]] : others });
  }

  lessonPanel() {
    const { step, free, message } = this.room;
    return panel(
      "lesson",
      this.say("steps"),
      make(
        "div.console-steps",
        { role: "group", "aria-label": this.say("steps") },
        ...STEPS.map((name) =>
          this.button(`phone.step.${name}`, () => this.order("step", { step: name, free }), {
            "aria-pressed": String(name === step),
          }),
        ),
        button(
          "console-button console-free",
          this.say("free"),
          () => this.order("step", { step, free: !free }),
          { "aria-pressed": String(free), title: this.say("free_hint") },
        ),
      ),
      make(
        "form.console-row.console-say",
        onSubmit((event) => {
          this.order("say", { text: event.target.elements.message.value });
        }),
        labelled(
          "message",
          this.say("message"),
          typed("input", "message", message, { maxLength: 200 }),
        ),
        make("button.console-button", { type: "submit" }, this.say("send")),
        message && this.button("take_off", () => this.order("say", { text: "" })),
      ),
    );
  }

  /** The words that pupils have written into their maps: the projector shows none without a tick. */
  mapsPanel() {
    const { words = [], all, waiting, maps } = this.maps ?? {};
    if (!maps && this.room.step !== "map") return null;
    const shown = words.filter(({ on }) => on);
    return panel(
      "maps",
      this.say("maps", { count: maps ?? 0 }),
      make("p.console-hint", this.say("maps_hint")),
      tick("let-all", this.say("let_all"), Boolean(all), (on) => this.order("let_all", { on })),
      make(
        "p.console-words",
        { role: "status" },
        waiting ? this.say("words_wait", { count: waiting }) : this.say("words_none"),
      ),
      waiting > 0 && this.wordList(words.filter(({ on }) => !on)),
      shown.length > 0 &&
        make(
          "details",
          { "data-key": "let-words" },
          make("summary", this.say("words_let", { count: shown.length })),
          this.wordList(shown),
        ),
    );
  }

  wordList(words) {
    return make(
      "ul.console-let",
      ...words.map(({ part, label, people, on, listed }) =>
        make(
          `li.${listed ? "console-listed" : ""}`,
          { "data-key": `${part} ${label}` },
          tick(`let-${part}-${label}`, label, on, (is) =>
            this.order("let", { part, label, on: is }),
          ),
          make(
            "small",
            this.say(`word_${part}`),
            " · ",
            this.say("word_people", { count: people }),
            listed && make("b", ` · ${this.say("word_listed")}`),
          ),
        ),
      ),
    );
  }

  questionPanel() {
    const { question, stage } = this.room;
    const timer = make(
      "div.console-row.console-stages",
      { role: "group", "aria-label": this.say("stages") },
      ...STAGES.map(([name, seconds]) =>
        button(
          "console-button",
          stage?.name === name
            ? `${this.say(name)} ${clock(Math.max(0, stage.left - this.passed))}`
            : this.say(name),
          () => this.order("stage", { stage: stage?.name === name ? "" : name, seconds }),
          { "aria-pressed": String(stage?.name === name) },
        ),
      ),
    );
    return panel(
      "question",
      this.say("question"),
      ...(question?.open ? this.asked() : this.ask()),
      timer,
      this.answers(),
    );
  }

  ask() {
    const { questions } = this.room;
    return [
      make(
        "form",
        onSubmit((event) => {
          this.chosen = [];
          if (this.asking) this.order("ask", { words: this.asking });
          else this.askOwn(event.target.elements);
        }),
        labelled(
          "asking",
          this.say("which"),
          select(
            "asking",
            [
              ...questions.map(({ name, words, kind }) => [name, this.named(kind, words)]),
              ["", this.say("own")],
            ],
            this.asking,
            (value) => {
              this.asking = value;
              this.draw();
            },
          ),
          this.asking && questions.find(({ name }) => name === this.asking)?.words,
        ),
        ...(this.asking ? [] : this.ownFields()),
        make("button.console-button.console-wide", { type: "submit" }, this.say("ask")),
      ),
    ];
  }

  /** A question with its kind in front, if it asks for more than words. */
  named(kind, words) {
    return kind === "text" ? words : `${this.say(`kind_${kind}`)} · ${words}`;
  }

  ownFields() {
    const kinds = KINDS.map((kind) => [kind, this.say(`kind_${kind}`)]);
    const choose = (kind) => {
      this.kind = kind;
      this.draw();
    };
    const limit = (id) =>
      labelled(
        id,
        this.say(id),
        typed("input", id, "", { maxLength: 14, placeholder: this.say("no_limit") }),
      );
    return [
      labelled(
        "own",
        this.say("own_words"),
        typed("textarea", "own", "", { rows: 2, maxLength: 500 }),
      ),
      labelled("kind", this.say("kind"), select("kind", kinds, this.kind, choose)),
      this.kind === "choice" &&
        labelled(
          "choices",
          this.say("choices"),
          typed("textarea", "choices", "", { rows: 4, maxLength: 800 }),
        ),
      this.kind === "number" && row(limit("low"), limit("high")),
    ];
  }

  /** Ask the teacher's own question; what was typed stays until the room has taken it. */
  askOwn({ own, choices, low, high }) {
    const form = { kind: this.kind };
    if (choices) form.choices = choices.value;
    if (low) Object.assign(form, { low: low.value, high: high.value });
    this.order("ask", { words: own.value, own: true, form });
  }

  asked() {
    const { question, people } = this.room;
    return [
      make("p.console-words", question.words),
      row(
        make(
          "span",
          { role: "status" },
          this.say("arrived", { count: question.answers, all: people.length }),
        ),
        this.button("close_question", () => this.order("close", { question: question.number })),
      ),
    ];
  }

  /** Those to the last question, read before they are shown: the chosen ones first, in their order. */
  answers() {
    const { question, answers } = this.room;
    const here = answers.filter((answer) => answer.question === question?.number);
    if (!here.length) return null;
    const { open } = question;
    const placeOf = ({ question: number, person }) =>
      this.chosen.findIndex((chosen) => chosen[0] === number && chosen[1] === person);
    const order = [...here].sort(
      (one, other) => (placeOf(one) + 1 || Infinity) - (placeOf(other) + 1 || Infinity) || 0,
    );
    const shown = here.some((answer) => answer.shown);
    return make(
      "div.console-answers",
      { "data-key": "answers" },
      make("p.console-hint", open ? this.say("answers_hint") : question.words),
      this.spread(),
      make(
        "ul",
        ...order.map((answer) => {
          const at = placeOf(answer);
          return make(
            `li.${answer.shown ? "console-shown" : ""}`,
            { "data-key": `a${answer.person}` },
            tick(`answer-${answer.person}`, "", at >= 0, (on) => this.choose(answer, on, at)),
            make(
              "label",
              { htmlFor: `answer-${answer.person}` },
              answer.text,
              make("small", answer.name),
            ),
            at > 0 &&
              button("console-button console-more", "↑", () => this.raise(at), {
                "aria-label": this.say("earlier", { name: answer.name }),
              }),
          );
        }),
      ),
      row(
        button(
          "console-button console-go",
          this.say(open ? "close_show" : "show", { count: this.chosen.length }),
          () => this.show(this.chosen, Boolean(question.spread)),
          { disabled: !this.chosen.length },
        ),
        shown && this.button("hide", () => this.show([], Boolean(question.spread))),
      ),
    );
  }

  /** How numbers or choices are spread: the teacher sees it at once, all others once it is shown. */
  spread() {
    const { spread, question } = this.room;
    if (!spread) return null;
    const { people, bars, middle, enough } = spread;
    const most = Math.max(...bars.map(([, count]) => count));
    const isShown = Boolean(question.spread);
    return make(
      "div.console-spread",
      make(
        "dl",
        ...bars.flatMap(([label, count]) => [
          make("dt", label),
          make("dd", { style: `--part: ${count / most}` }, make("b", count)),
        ]),
      ),
      middle && make("p.console-hint", this.say("middle", { middle })),
      row(
        button(
          "console-button console-go",
          this.say(isShown ? "spread_hide" : question.open ? "close_spread" : "spread_show"),
          () => this.show(this.shownAnswers, !isShown),
          { disabled: !enough },
        ),
        !enough && make("span.console-hint", this.say("spread_few", { count: people })),
      ),
    );
  }

  get shownAnswers() {
    const shown = this.room.answers.filter((answer) => answer.shown);
    return shown.map(({ question, person }) => [question, person]);
  }

  /** Put answers, and how all are spread, on the projector: while a question is open, it shows none. */
  show(answers, spread) {
    const { number, open } = this.room.question;
    if (open) this.order("close", { question: number });
    this.order("show", { answers, spread });
  }

  choose({ question, person }, on, at) {
    if (on) this.chosen.push([question, person]);
    else this.chosen.splice(at, 1);
    this.draw();
  }

  raise(at) {
    this.chosen.splice(at - 1, 2, this.chosen[at], this.chosen[at - 1]);
    this.draw();
  }

  leaguePanel() {
    const { collecting, entries } = this.room,
      { league } = this.door,
      plays = league && !league.over;
    const fine = entries.filter(({ strategy }) => strategy).length;
    return panel(
      "league",
      this.say("league"),
      make("p.console-hint", this.say("league_hint")),
      tick("collect", this.say("collect"), collecting, (on) => this.order("collect", { on })),
      entries.length > 0 &&
        make(
          "ul.console-entries",
          ...entries.map(({ person, name, strategy, wrong }) =>
            make(
              `li.${wrong ? "console-wrong" : ""}`,
              { "data-key": `e${person}` },
              make("b", name),
              make("span", strategy ? `✓ ${strategy}` : wrong || this.say("entry_waits")),
            ),
          ),
        ),
      fine > 1 &&
        !plays &&
        button(
          "console-button console-go console-wide",
          this.say("league_play", { count: fine }),
          () => this.order("league"),
        ),
      plays &&
        row(
          make(
            "span",
            { role: "status" },
            this.say(league.rounds ? "league_round" : "league_begins", league),
          ),
          this.button("league_stop", () => this.order("stop_league")),
        ),
      league?.done > 0 &&
        make(
          "a.console-button.console-wide",
          { href: `../${told.language}/league`, target: "coursekit-league" },
          this.say("league_standing"),
        ),
      league?.over &&
        make(
          "p.console-hint",
          { role: "status" },
          league.wrong
            ? this.say("league_wrong", { why: league.wrong })
            : this.say("league_over", league),
        ),
    );
  }

  afterPanel() {
    const { tables, ended, people } = this.room,
      { lessons, file } = this.door;
    const ready = tables.length > 0 && this.allOver;
    const ask = (question, type) => () =>
      this.confirm(this.say(question), this.say(type), () => this.order(type));
    return panel(
      "after",
      this.say("after"),
      !ready && make("p.console-hint", this.say("after_hint")),
      make(
        "div.console-list",
        ready &&
          make(
            "a.console-button",
            { href: `../${told.language}/debrief`, target: "_blank" },
            this.say("debrief"),
          ),
        ready && this.button("debrief_project", () => this.projectDebrief()),
        ready && this.debriefRow(),
        ready && make("a.console-button", { href: "lesson", download: file }, this.say("download")),
        ready &&
          make(
            "a.console-button",
            { href: "data", download: file.replace(".lesson", ".zip") },
            this.say("data"),
          ),
        ready &&
          make(
            "a.console-button",
            { href: "data?names=1", download: file.replace(".lesson", "-with-names.zip") },
            this.say("data_names"),
          ),
        !ended && tables.length > 0 && this.button("end", ask("end_ask", "end")),
        (ended || people.length > 0) && this.button("begin", ask("begin_ask", "begin")),
        people.length > 0 &&
          button("console-button console-danger", this.say("delete"), ask("delete_ask", "delete")),
      ),
      make(
        "details",
        { "data-key": "others" },
        make("summary", this.say("others")),
        make(
          "div.console-list",
          ...lessons.map((name) =>
            button("console-button", this.say("go_on_lesson", { when: this.when(name) }), () =>
              this.goOn(name),
            ),
          ),
          make(
            "label.console-button.console-file",
            this.say("bring"),
            make("input", {
              type: "file",
              accept: ".lesson",
              onchange: (event) => this.bring(event.target),
            }),
          ),
        ),
      ),
    );
  }

  async projectDebrief() {
    const answer = await fetch("slides").catch(() => null);
    if (answer?.ok) {
      this.slides = (await answer.json()).slides;
      this.order("debrief", { slide: 0 });
    } else this.refused = this.say("lost");
    this.draw();
  }

  /** Which piece of the debrief the projector shows, and those before and after it. */
  debriefRow() {
    const { debrief } = this.room;
    if (debrief === null) return null;
    const last = (this.slides?.length ?? Infinity) - 1;
    const turn = (id, slide, off) =>
      this.button(id, () => this.order("debrief", { slide }), { disabled: off });
    return make(
      "div",
      make(
        "p.console-hint",
        { role: "status" },
        `${debrief + 1} / ${this.slides?.length ?? "…"} ${this.slides?.[debrief]?.title ?? ""}`,
      ),
      row(
        turn("debrief_back", debrief - 1, debrief <= 0),
        turn("debrief_next", debrief + 1, debrief >= last),
        this.button("take_off", () => this.order("debrief")),
      ),
    );
  }

  /** When a lesson began, which is the name of its file. */
  when(name) {
    const found = /^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)\d\d(?:-(\d+))?/.exec(name);
    return found
      ? `${found[1]} ${found[2]}:${found[3]}${found[4] ? ` (${found[4]})` : ""}`
      : name.replace(".lesson", "");
  }

  goOn(name) {
    const go = () => this.order("go_on", { name });
    if (this.room.people.length)
      this.confirm(this.say("go_on_ask", { when: this.when(name) }), this.say("go_on_it"), go);
    else go();
  }

  async bring(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    const answer = await fetch("lesson", {
      method: "POST",
      body: file,
      headers: { "X-XSRFToken": told.xsrf },
    }).catch(() => null);
    this.refused = answer?.ok
      ? null
      : answer?.status === 400
        ? await answer.text()
        : this.lostWords;
    this.draw();
  }

  closing(title, ...parts) {
    return [
      make("h2", { id: "sheet-title" }, title),
      ...[this.refusal(), ...parts].filter(Boolean),
      button("console-button console-wide", this.say("close"), () => this.close()),
    ];
  }

  confirmSheet(words, go, act) {
    return [
      make("h2", { id: "sheet-title" }, words),
      row(
        this.button("cancel", () => this.close()),
        button("site-button", go, ({ detail }) => {
          if (detail > 1) return; // the second touch of a hasty finger has not read the question
          this.close();
          act();
        }),
      ),
    ];
  }
}

globalThis.coursekit_console = new Console();
