// The page of a phone: join, wait, play, answer.  The table is the one of the notebooks; what it sends goes to the room.

import { button, clock, download, fillIn, make, recall, remember } from "./dom.js";
import { MapPlace } from "./map-place.js";
import { TablePlace } from "./model.js";
import { redraw } from "./redraw.js";
import { Strip } from "./strip.js";
import { WaitingPlace } from "./waiting.js";
import { Wire } from "./wire.js";

const told = JSON.parse(document.getElementById("told").textContent);
const PASSED_ON = ["act", "try", "suggest", "language", "step", "now", "again", "rename"]; // what of a table's messages concerns a room
const EACH_COUNTS = ["act", "map_change"]; // what of that is done once is not replaced by the next of its kind
const LONG = 15_000; // milliseconds without a connection after which the room may have another address
const LEAST_KEYBOARD = 120; // pixels
const base = new URL(".", location.href);

/** What somebody has typed: elements stay when the page is drawn anew, so that the one in the page is asked. */
const typed = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id)).value;
/** What is typed into a field takes the place of what stood there. */
const select = (event) => event.target.select();

class Phone {
  constructor() {
    this.language = recall("localStorage", "coursekit-room:language") || told.language;
    this.code =
      (/^\/?([A-Za-z]{4})$/.exec(location.pathname.slice(base.pathname.length)) ??
        [])[1]?.toUpperCase() ?? "";
    this.room = null;
    this.unanswered = []; // what has been decided and is not in the lesson's file yet
    this.n = 0;
    this.page = document.getElementById("content");
    this.line = document.getElementById("lost");
    this.still = document.getElementById("still");
    this.strip = new Strip({
      el: document.getElementById("strip"),
      say: (id, values) => this.say(id, values),
    });
    this.stage = null; // the class thinks, talks in pairs or shares
    setInterval(() => this.countStage(), 500);
    const file = (name) => `${base}parts/${name}?v=${told.tags[name]}`;
    this.place = new TablePlace({
      el: document.getElementById("place"),
      file,
      languages: told.languages,
      send: (content) => this.fromTable(content),
      drawn: () => this.freeze(),
    });
    this.map = new MapPlace({
      el: document.getElementById("map"),
      file,
      send: (content) => this.wire.send(content),
      decide: (content) => this.decide(content),
    });
    this.foot = document.getElementById("foot");
    this.draft = {}; // the answer that is being written
    this.kept = new Map(); // what was written to questions that closed before it was sent, by their words
    this.opened = null; // the question whose answer is being changed
    this.waiting = new WaitingPlace({
      el: document.getElementById("waiting"),
      base: String(base),
      load: (game) => this.place.load(game),
      say: (id, values) => this.say(id, values),
    });
    this.greeted = false; // whether the room knows which page this is, since the last connection
    this.wasTouched = false;
    for (const event of ["pointerdown", "keydown"])
      addEventListener(event, () => this.touched(), true);
    globalThis.visualViewport?.addEventListener("resize", () => this.measure());
    document.documentElement.lang = this.language;
    if (this.code) this.connect();
    else this.draw();
  }

  /** Take the height that is seen: on some phones the keyboard lies over the page instead of making it smaller. */
  measure() {
    const { height, scale } = visualViewport;
    const covered = scale < 1.05 && innerHeight - height > LEAST_KEYBOARD;
    document.body.style.setProperty("--phone-height", covered ? `${height}px` : "");
    if (covered) document.activeElement?.scrollIntoView({ block: "nearest" });
  }

  say(id, values = {}) {
    return fillIn(told.words[this.language][id] ?? id, values);
  }

  /** A touch takes the seat back: a room that counts, or has replaced this person, hears of it at once. */
  touched() {
    this.wasTouched = true;
    if (!this.lostSince) this.wasLost = false;
    if (this.strip.isUrgent) this.wire?.sign();
  }

  get name() {
    return `coursekit-room:${this.code}`;
  }

  connect() {
    this.wire?.end();
    this.wire = new Wire({
      url: `${base}socket`.replace(/^http/, "ws"),
      begin: () => {
        this.greeted = false;
        this.wasTouched = false; // who is back sees first what a strategy has done for them
        this.wire.send({
          type: "hello",
          code: this.code,
          language: this.language,
          key: recall("localStorage", this.name) || undefined,
        });
      },
      hear: (message) => this.hear(message),
      lost: (is) => this.tellLost(is),
      touched: () => {
        const was = this.wasTouched;
        this.wasTouched = false;
        return was;
      },
    });
  }

  tellLost(is) {
    this.lostSince = is ? this.lostSince || Date.now() : 0;
    if (is) this.wasLost = true;
    this.trouble(is ? this.lostWords : "");
    if (is) this.holdUp();
  }

  get lostWords() {
    const { you: name, number } = this;
    const long = name && Date.now() - this.lostSince > LONG;
    const words = long ? this.say("lost_long", { name, number }) : this.say("lost");
    const unsent = this.unanswered.length ? [this.say("unsent")] : [];
    return [this.closed || words, ...unsent].join("\n");
  }

  trouble(words) {
    this.line.hidden = !words;
    if (this.line.textContent !== words) this.line.textContent = words;
    this.strip.away = Boolean(words || this.stopped);
    this.strip.draw();
  }

  /** Tell the table that what was decided there waits until the room is there again. */
  holdUp() {
    this.isHeldUp = this.unanswered.some(({ type }) => type === "act");
    if (this.isHeldUp) this.place.hear({ type: "unsent" });
  }

  /** The room knows this page: from now on its address has the code, so that a reload comes back. */
  greet() {
    this.greeted = true;
    this.closed = "";
    history.replaceState(null, "", base + this.code);
  }

  /** Send what is kept and answered once: again after each reconnection, until it is answered. */
  decide(message) {
    const counted = { ...message, n: ++this.n };
    const { type, table, question } = message; // of guesses and answers the newest counts: many at once would be too many
    if (!EACH_COUNTS.includes(type))
      this.unanswered = this.unanswered.filter(
        (message) =>
          message.type !== type || message.table !== table || message.question !== question,
      );
    this.unanswered.push(counted);
    this.wire.send(counted);
    if (this.lostSince) this.tellLost(true);
    return counted.n;
  }

  answered(n) {
    this.unanswered = this.unanswered.filter((message) => message.n !== n);
    if (!this.isHeldUp || this.unanswered.some(({ type }) => type === "act")) return;
    this.isHeldUp = false;
    this.place.hear({ type: "sent" });
  }

  fromTable(content) {
    if (!PASSED_ON.includes(content.type)) return;
    if (content.type === "rename") this.openName(true);
    else if (content.type === "language") this.speak(content.language);
    else if (content.type === "act") this.decide({ ...content, table: this.place.table });
    else if (!this.wire.send({ ...content, table: this.place.table }))
      this.place.hear({ type: "refused", text: this.say("not_now"), to: content.from });
  }

  /** Ask for what is not sent again by itself. */
  request(message) {
    this.wrong = this.wire.send(message) ? "" : this.say("not_now");
    this.draw();
  }

  speak(language) {
    this.language = document.documentElement.lang = language;
    remember("localStorage", "coursekit-room:language", language);
    this.wire?.send({ type: "language", language });
    this.rules = null;
    this.draw();
  }

  hear(message) {
    const { type, n, text } = message;
    if (type === "room") this.update(message);
    else if (type === "table") this.place.dress(message);
    else if (type === "view") this.view(message.view);
    else if (type === "tried" || type === "suggested") this.place.hear(message);
    else if (type === "map") this.map.hear(message);
    else if (type === "done") {
      this.answered(n);
      this.map.answered(n);
      if (n === this.asked?.n) this.tookName();
    } else if (type === "propose") this.propose(message);
    else if (type === "welcome") this.welcome(message);
    else if (type === "stand_in") {
      this.strip.hear(message, this.wasLost);
      this.wasLost = false;
    } else if (type === "stage") this.takeStage(message);
    else if (type === "pong") this.trouble(message.trouble ?? "");
    else if (type === "page") download(message.name, text, "text/html");
    else if (type === "refused") this.refused(message);
    else if (type === "closed" && message.again) this.closed = text;
    else if (type === "closed") this.stop(text);
  }

  /** Take a view; one of another seat or table is not looked at, and the room tells all anew. */
  view(view) {
    const { place, watching } = this.room ?? {};
    const own = place ?? (watching ? { table: watching, seat: null } : null);
    if (this.looks !== view.looking_back) {
      // the table is laid out in the room that it has then
      this.looks = view.looking_back;
      if (this.over) this.draw();
    }
    if (!this.place.show(view, own)) this.wire.send({ type: "again" });
    else if (this.isHeldUp) this.holdUp();
    if (this.over) this.draw();
  }

  refused({ n, to, text }) {
    const asked = this.unanswered.find((message) => message.n === n);
    if (asked) this.answered(n);
    if (asked?.type === "act" || (to && this.place.model)) {
      this.place.hear({ type: "refused", text, to });
      return;
    }
    if (asked?.type === "map_change") {
      this.map.answered(n, text);
      return;
    }
    if (asked?.type === "rename") {
      this.nameWrong = text;
      this.draw();
      return;
    }
    if (asked?.type === "entry") {
      this.entryWrong = text;
      this.draw();
      return;
    }
    if (asked?.type === "answer") {
      this.reopen(asked.question, text);
      return;
    }
    this.wrong = text;
    if (!this.greeted) {
      // another lesson: this code is none of its own
      this.room = this.you = null;
      this.unanswered = [];
      this.place.close();
      this.map.close();
    }
    const place = this.page.querySelector(".phone-wrong");
    if (place) place.textContent = text;
    if (!this.room) this.draw(); // the code was wrong
  }

  stop(text) {
    this.wire.end();
    this.place.close();
    this.map.close();
    this.stopped = text;
    this.trouble("");
    this.draw();
  }

  propose({ name, locked, back }) {
    this.greet();
    this.proposed = name;
    this.again ??= back;
    this.locked = locked;
    this.you = null;
    this.draw();
  }

  welcome({ key, person, name, number, n }) {
    this.greet();
    this.you = name;
    this.person = person;
    this.number = number;
    this.wrong = "";
    if (key) remember("localStorage", this.name, key);
    this.n = Math.max(this.n, n);
    for (const message of this.unanswered) this.wire.send(message);
    this.map.back();
    this.draw();
  }

  update(room) {
    const before = this.room;
    const isUnsent = this.hasUnsentAnswer;
    this.room = room;
    if (room.you) this.you = room.you;
    if (!room.place && !room.watching) this.place.close();
    if (!room.tables.some(({ table }) => table === this.watching)) this.watching = null;
    if (this.you && !room.place) this.watch(this.watching ?? this.firstTable);
    const isNew = before?.question?.number !== room.question?.number;
    if (isNew) {
      if (isUnsent) this.keepDraft(before.question);
      this.draft = this.kept.get(room.question?.words) ?? {};
      this.opened = null;
    }
    this.strip.show(room.news, `${this.name}:news/${this.person}`);
    if (!room.free || before?.step !== room.step) this.step = room.step;
    this.draw();
    if (isNew && this.asks && !document.activeElement?.matches("input, textarea")) scrollTo(0, 0);
  }

  /** The table that is watched until another one is chosen: one that plays. */
  get firstTable() {
    const { tables } = this.room;
    return (tables.find(({ over }) => !over) ?? tables[0])?.table ?? null;
  }

  watch(table) {
    this.watching = table;
    if (table !== null && this.room.watching !== table) this.wire.send({ type: "watch", table });
  }

  takeStage({ stage, left }) {
    this.stage = stage && { name: stage, ends: Date.now() + left * 1000 };
    this.draw();
  }

  countStage() {
    const left = this.page.querySelector(".phone-stage b");
    if (left) left.textContent = this.stageLeft;
  }

  get stageLeft() {
    const seconds = Math.ceil((this.stage.ends - Date.now()) / 1000);
    return seconds > 0 ? clock(seconds) : this.say("stage_over");
  }

  stageLine() {
    const { name } = this.stage;
    const left = make("b", { "aria-hidden": "true" }, this.stageLeft);
    return make("p.phone-stage", { "data-key": "stage", role: "timer" }, this.say(name), " ", left);
  }

  /** A table that stands still looks like it, and nothing on it can be touched. */
  freeze() {
    const why = this.room?.still;
    this.still.hidden = !why;
    this.still.replaceChildren(...(why ? [make("b", why.title), make("p", why.words)] : []));
    const table = /** @type {HTMLElement | null} */ (this.place.el.querySelector(".ck-table"));
    if (table) table.inert = Boolean(why && this.place.late?.paused); // so what is typed waits, too
  }

  get shown() {
    if (!this.room || !this.you) return "";
    return this.room.free ? (this.step ?? this.room.step) : this.room.step;
  }

  /** Whether a question is open that is neither answered nor put off. */
  get asks() {
    const { question, answered } = this.room ?? {};
    if (!question || !this.you || this.stopped || this.put === question.number) return false;
    return !answered || this.opened === question.number;
  }

  draw() {
    const { room, asks } = this;
    const showsTables = this.you && ["play", "back"].includes(this.shown) && !this.stopped;
    const sits = Boolean(showsTables && room.place);
    const watches = Boolean(showsTables && !sits && this.watching);
    const atTable = sits || watches;
    const atMap = Boolean(this.you && this.shown === "map" && !this.stopped);
    const busy = atTable || atMap;
    document.body.classList.toggle("phone-playing", busy);
    this.place.el.classList.toggle("phone-away", !atTable);
    this.map.el.classList.toggle("phone-away", !atMap);
    this.map.el.setAttribute("aria-label", this.say("step.map"));
    this.place.el.setAttribute("aria-label", this.say("step.play"));
    if (atMap)
      this.map.dress(room.game, this.language, `class/${this.code}/${this.person}/${room.game}`);
    const steps = room?.free && this.you && !this.stopped ? this.stepsBar() : null;
    const message =
      room?.message && this.you && !this.stopped
        ? make("p.phone-message", { role: "status" }, room.message)
        : null;
    const names = Boolean(busy && this.renaming);
    this.place.el.classList.toggle("phone-under", asks || names);
    this.map.el.classList.toggle("phone-under", asks || names);
    const beside = [
      atMap && make("h1.phone-unseen", this.say("step.map")),
      watches && make("h1.phone-unseen", this.say("step.play")),
      ...(watches ? this.watchPart() : []),
      atTable && this.over && this.endPart(),
      (watches || (sits && this.over)) && this.entryPart(true),
    ];
    const later = atMap ? "later_map" : watches || this.over ? "later_watch" : "later";
    this.freeze();
    redraw(
      this.page,
      [
        asks && this.question(busy ? later : ""),
        steps,
        message,
        this.stage && this.you && !this.stopped && this.stageLine(),
        !asks && room?.question && this.you && !this.stopped && this.questionLine(),
        ...(busy ? (asks ? [] : names ? [this.ownName()] : beside) : this.screen()),
      ].filter(Boolean),
    );
    document.body.classList.toggle("phone-bar", this.page.childElementCount > 0);
    const waits = this.you && room && !this.stopped && !room.playing && !this.over && !atMap;
    if (waits) this.waiting.show(room.game, this.language);
    else this.waiting.hide();
    redraw(this.foot, waits ? [this.languages()] : []); // below what there is to do until the deal
  }

  screen() {
    if (this.stopped) {
      return [
        make("h1", this.say("closed_title")),
        make("p", this.stopped),
        button("site-button", this.say("reload"), () => location.reload()),
      ];
    }
    if (!this.code || (!this.room && this.wrong)) return this.askCode();
    if (!this.room) return [make("p.phone-busy", { role: "status" }, "…")];
    if (!this.you) return this.ask();
    const { shown } = this;
    const parts = [[this.entryPart(false)]];
    if (shown === "rules") parts.push([this.rulesPart()]);
    else if (shown !== "play") parts.push([make("p.phone-hint", this.say("wait"))]);
    if (this.room.place && !this.over) parts.unshift([this.tableLine()]);
    if (!this.room.playing) parts.unshift(this.lobby());
    else parts.push([this.ownName()]);
    if (this.over) parts.push([this.endPart()]);
    return parts.flat();
  }

  /** Which table the person sits at, and that it waits while all look at something else. */
  tableLine() {
    const { free, place } = this.room;
    return make(
      "p.phone-hint",
      { "data-key": "table" },
      this.say(free ? "table" : "table_waits", place),
    );
  }

  /** Whether something has ended for whoever holds this phone: the own table, an earlier one, or the lesson. */
  get over() {
    return Boolean(this.room?.place?.over || this.room?.keeps);
  }

  /** How the match has ended, looking back at it, and what everybody may take along. */
  endPart() {
    const { outcome, keeps } = this.room;
    const { looks } = this;
    const { may_look_back: mayLook } = this.place.late ?? {};
    const away = this.place.el.classList.contains("phone-away");
    if (looks && !away) return null; // the table needs the room, and has a way back
    return make(
      "div.phone-end",
      { "data-key": "end" },
      outcome && make("p", { role: "status" }, make("b", outcome)),
      mayLook &&
        !away &&
        button("site-button site-quiet", this.say("look_back"), () =>
          this.wire.send({ type: "step", entry: 0 }),
        ),
      keeps &&
        button("site-button site-quiet", this.say("save_page"), () =>
          this.request({ type: "mine" }),
        ),
    );
  }

  /** Where a strategy is handed in: beside a table it is folded to a line; what came of it stands below in any case. */
  entryPart(isFolded) {
    const { collecting, entry } = this.room;
    if (!collecting) return null;
    const field = make("textarea.phone-field.phone-program", {
      id: "entry",
      oninput: () => {
        this.entry = typed("entry");
      },
      rows: 5,
      spellcheck: false,
      autocapitalize: "off",
      value: this.entry ?? "",
    });
    const file = make("input", {
      id: "entry-file",
      type: "file",
      accept: ".py,text/plain",
      onchange: (event) => this.takeFile(event.target),
    });
    const state = !entry
      ? ""
      : entry.waits
        ? this.say("entry_waits")
        : entry.wrong
          ? this.say("entry_wrong", { why: entry.wrong })
          : this.say("entry_fine", entry);
    const form = this.form(
      [
        make("label.site-button.site-quiet.phone-file", this.say("entry_file"), file),
        make("label", { htmlFor: "entry" }, this.say("entry_paste")),
        field,
        make("p.phone-wrong", { role: "alert" }, this.entryWrong ?? ""),
      ],
      this.say("entry_send"),
      () => this.handIn(),
    );
    const title = this.say("entry");
    return make(
      "section.phone-entry",
      { "data-key": isFolded ? "entry-line" : "entry-part" },
      isFolded
        ? make("details.phone-folded", make("summary", make("span", title)), form)
        : make("h2", title),
      !isFolded && form,
      make(`p.${entry?.wrong ? "phone-wrong" : "phone-hint"}`, { role: "status" }, state),
    );
  }

  async takeFile(input) {
    const [file] = input.files;
    if (!file) return;
    this.entry = file.size > told.largest ? "" : await file.text();
    this.entryWrong = this.entry || !file.size ? "" : this.tooLong(file.size);
    input.value = "";
    /** @type {HTMLTextAreaElement} */ (document.getElementById("entry")).value = this.entry;
    this.draw();
  }

  tooLong(bytes) {
    return this.say("entry_long", {
      got: Math.ceil(bytes / 1000),
      allowed: Math.floor(told.largest / 1000),
    });
  }

  handIn() {
    const message = { type: "entry", source: typed("entry") };
    const bytes = new Blob([JSON.stringify(message)]).size + 20; // its number
    this.entryWrong = bytes > told.largest ? this.tooLong(bytes) : "";
    if (!this.entryWrong) this.decide(message);
    this.draw();
  }

  askCode() {
    const field = make("input.phone-field.phone-code", {
      id: "code",
      maxLength: 4,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: false,
      "aria-describedby": "code-hint",
      required: true,
    });
    return [
      this.form(
        [
          this.label("code"),
          field,
          make("p.phone-hint", { id: "code-hint" }, this.say("code_hint")),
          this.wrongLine(),
        ],
        this.say("enter"),
        () => {
          this.code = typed("code").trim().toUpperCase();
          this.unanswered = []; // what belongs to another lesson
          this.connect();
        },
      ),
      this.languages(),
    ];
  }

  ask() {
    const name = make("input.phone-field", {
      id: "name",
      oninput: () => {
        this.typedName = typed("name");
      },
      onfocus: select,
      "data-key": this.again ? "again" : "name",
      value: this.again ? "" : (this.typedName ?? this.proposed ?? ""),
      maxLength: 40,
      autocomplete: "off",
      required: true,
    });
    const label = this.label("name");
    const swap = button("phone-link", this.say(this.again ? "new_here" : "come_back"), () => {
      this.again = !this.again;
      this.draw();
    });
    if (this.again) {
      const number = make("input.phone-field.phone-code", {
        id: "number",
        inputMode: "numeric",
        maxLength: 4,
        autocomplete: "off",
        required: true,
      });
      return [
        make("h1", this.say("come_back_title")),
        this.form(
          [label, name, this.label("number"), number, this.wrongLine()],
          this.say("come_back_here"),
          () => this.request({ type: "take", name: typed("name"), number: typed("number") }),
        ),
        swap,
        this.languages(),
      ];
    }
    return [
      make("h1", this.say("join_title")),
      this.form([label, name, this.wrongLine()], this.say("join"), () =>
        this.request({ type: "join", name: typed("name") }),
      ),
      swap,
      this.languages(),
    ];
  }

  form(parts, label, submit) {
    return make(
      "form.phone-form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.wrong = "";
          submit();
        },
      },
      ...parts,
      make("button.site-button.phone-go", { type: "submit" }, label),
    );
  }

  label(id) {
    return make("label", { htmlFor: id }, this.say(id));
  }

  wrongLine() {
    return make("p.phone-wrong", { role: "alert" }, this.wrong ?? "");
  }

  languages() {
    return make(
      "div.phone-languages",
      { role: "group", "aria-label": this.say("language") },
      ...Object.entries(told.languages).map(([language, label]) =>
        button("phone-link", label, () => this.speak(language), {
          lang: language,
          "aria-pressed": String(language === this.language),
        }),
      ),
    );
  }

  lobby() {
    return [
      make("h1", this.you),
      this.ownName(),
      make("p.phone-in", this.say("lobby")),
      make("p", this.say("lobby_hint")),
      make("p.phone-hint", this.say("people", { count: this.room.people })),
      make("p.phone-hint", this.say("your_number", { number: this.number })),
    ];
  }

  /** How others see the pupil, and the way to correct that: at once before the deal, then with the teacher's touch. */
  ownName() {
    const { shown, wish, dealt } = this.room;
    const say = (id, name) =>
      name && make("p.phone-hint", { role: "status" }, this.say(id, { name }));
    return make(
      "div.phone-name",
      { "data-key": "own-name" },
      say("shown", shown),
      say("wish", wish),
      ...(this.renaming
        ? [
            this.form(
              [
                make("label", { htmlFor: "rename" }, this.say("name")),
                make("input.phone-field", {
                  id: "rename",
                  onfocus: select,
                  value: this.you,
                  "data-told": this.you,
                  maxLength: 40,
                  autocomplete: "off",
                  required: true,
                }),
                make("p.phone-wrong", { role: "alert" }, this.nameWrong ?? ""),
              ],
              this.say(dealt ? "rename_ask" : "rename_save"),
              () => this.rename(typed("rename")),
            ),
            button("phone-link", this.say("rename_not"), () => this.openName(false)),
          ]
        : [button("phone-link", this.say("rename"), () => this.openName(true))]),
    );
  }

  openName(on) {
    this.renaming = on;
    this.nameWrong = "";
    this.draw();
  }

  rename(name) {
    if (name.trim() === this.you) this.openName(false);
    else this.asked = { n: this.decide({ type: "rename", name }), name };
  }

  tookName() {
    const { name } = this.asked;
    this.asked = null;
    this.openName(false);
    if (this.room.dealt) this.strip.tell(this.say("wish", { name }));
  }

  stepsBar() {
    return make(
      "nav.phone-steps",
      { "aria-label": this.say("steps") },
      ...["rules", "predict", "play", "back", "map", "last"].map((step) =>
        button(
          "phone-link",
          this.say(`step.${step}`),
          () => {
            this.step = step;
            this.draw();
          },
          { "aria-current": step === this.shown && "step" },
        ),
      ),
    );
  }

  questionLine() {
    const { question, answered } = this.room;
    return button("phone-asked", `${answered ? "✓" : "?"} ${question.words}`, () => {
      this.put = null;
      this.opened = question.number;
      if (answered) this.draft = { ...answered };
      this.draw();
    });
  }

  question(later) {
    const { question, answered } = this.room;
    const { number, words, reason } = question;
    return make(
      "section.phone-question",
      { "data-key": `question-${number}` },
      make("h2", { id: "question" }, words),
      this.form(
        [this.valueField(question), reason && this.wordsField(question), this.wrongLine()],
        this.say("send"),
        () => this.answer(question),
      ),
      later &&
        button("phone-link", this.say(later), () => {
          this.put = number;
          this.draw();
        }),
      answered && make("p.phone-hint", { role: "status" }, this.say("sent")),
    );
  }

  /** Where a number is written or a choice made. */
  valueField({ kind, choices, low, high, whole }) {
    const { value } = this.draft;
    if (kind === "choice") {
      return make(
        "div.phone-options",
        { role: "radiogroup", "aria-labelledby": "question" },
        ...choices.map((choice, at) => {
          const onchange = () => {
            this.draft.value = at;
          };
          const radio = { type: "radio", name: "choice", required: true, checked: value === at };
          return make("label.phone-option", make("input", { ...radio, onchange }), choice);
        }),
      );
    }
    if (kind !== "number") return null;
    const field = make("input.phone-field phone-number", {
      id: "answer-number",
      oninput: () => {
        this.draft.value = typed("answer-number");
      },
      inputMode: low < 0 ? "text" : whole ? "numeric" : "decimal", // a phone's digits have no minus
      maxLength: 20,
      autocomplete: "off",
      required: true,
      value: value ?? "",
      "aria-labelledby": "question",
      "aria-describedby": low !== null && "answer-range",
    });
    const range = this.say(whole ? "range_whole" : "range", { low, high });
    return make(
      "div.phone-value",
      field,
      low !== null && make("p.phone-hint", { id: "answer-range" }, range),
    );
  }

  wordsField({ kind }) {
    const isReason = kind !== "text";
    const field = make("textarea.phone-field", {
      id: "answer",
      oninput: () => {
        this.draft.words = typed("answer");
      },
      rows: 3,
      maxLength: 4000,
      value: this.draft.words ?? "",
      "aria-labelledby": isReason ? "answer-why" : "question",
    });
    const why = make("label", { id: "answer-why", htmlFor: "answer" }, this.say("why"));
    return make("div.phone-value", isReason && why, field);
  }

  answer({ number, kind }) {
    const { value, words = "" } = this.draft;
    const given = { text: words };
    if (kind === "number") given.number = String(value ?? "");
    if (kind === "choice") given.choice = value;
    this.decide({ type: "answer", question: number, ...given });
    this.put = number;
    this.opened = null;
    this.draw();
  }

  /** Keep what was written to a question that is closed, and show it: it comes back if the same is asked again. */
  keepDraft({ words: asked, choices }) {
    const { value, words } = this.draft;
    this.kept.set(asked, this.draft);
    const written = [choices?.[value] ?? value, words]
      .filter((part) => part || part === 0)
      .join(" · ");
    this.strip.tell(this.say("question_gone", { written }));
  }

  /** Whether something is written to the question that the room is not to have yet. */
  get hasUnsentAnswer() {
    const { question, answered } = this.room ?? {};
    const { value = "", words = "" } = this.draft;
    if (!question || this.unanswered.some(({ type }) => type === "answer")) return false;
    if (answered && this.opened !== question.number) return false;
    return String(value) !== String(answered?.value ?? "") || words !== (answered?.words ?? "");
  }

  /** An answer was not taken: its question stands open again with it, or it came too late. */
  reopen(number, why) {
    if (this.room?.question?.number === number) {
      this.put = null;
      this.opened = number;
      this.wrong = why;
    } else this.strip.tell(why);
    this.draw();
  }

  rulesPart() {
    const place = make("article.phone-rules");
    const key = `${this.room.game}/${this.language}`;
    if (this.rules?.key === key)
      place.innerHTML = this.rules.html; // of our own notebooks
    else {
      fetch(`${base}rules/${key}`)
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((html) => {
          this.rules = { key, html };
          this.draw();
        });
    }
    return place;
  }

  watchPart() {
    const { tables, guess, came } = this.room;
    const watched = tables.find(({ table }) => table === this.watching);
    return [
      make("p.phone-hint", this.say("watch")),
      tables.length > 1
        ? make(
            "details.phone-folded phone-watched",
            { "data-key": "watched" },
            make("summary", ...this.tableName(watched)),
            make("div.phone-tables", ...tables.map((table) => this.tableChoice(table))),
          )
        : make("p.phone-folded phone-watched", ...this.tableName(watched)),
      came && make("p.phone-hint", { role: "status" }, came),
      guess &&
        make(
          "div.phone-guess",
          { role: "group", "aria-labelledby": "guess" },
          make("p", { id: "guess" }, guess.words),
          ...guess.choices.map((choice) =>
            button(
              "phone-choice",
              choice,
              () => this.decide({ type: "guess", table: guess.table, choice }),
              { "aria-pressed": String(guess.chosen === choice) },
            ),
          ),
        ),
    ];
  }

  tableName({ number, label }) {
    return [make("b", this.say("table", { number })), make("span", label)];
  }

  tableChoice({ table, number, label }) {
    const choose = (event) => {
      event.currentTarget.closest("details").open = false;
      this.watch(table);
      this.draw();
    };
    const pressed = { "aria-pressed": String(this.watching === table), "data-key": `t${table}` };
    const choice = button("phone-table", "", choose, pressed);
    choice.append(...this.tableName({ number, label }));
    return choice;
  }
}

globalThis.coursekit_phone = new Phone();
