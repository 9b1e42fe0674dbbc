// The answer pad, on which a player writes: the zone `answer-pad`. A pad lives on from scene to scene and is changed
// in place, so that typing is not disturbed. What is typed goes to the kernel when its writer leaves the line.

const FEW = 3; // writes left at which the line tells how many
const BY_INPUT_METHOD = 229; // the code of keys that an input method takes

/** A short piece of the string of a loop, by which its words are known. */
function yarn(tone) {
  const line = (name, width, dashes) =>
    svg(`path.${name}`, {
      d: "M4 5H24",
      "stroke-width": width,
      "stroke-linecap": "round",
      "stroke-dasharray": dashes,
    });
  const twist = TWISTS[tone % TWISTS.length].map((part) => part * 5).join(" ");
  return svg(
    `svg.ck-yarn ck-venn-string ck-venn-tone-${tone}`,
    { viewBox: "0 0 28 10", "aria-hidden": "true" },
    line("ck-venn-edge", 7.5),
    line("ck-venn-yarn", 5),
    line("ck-venn-twist", 2, twist || null),
  );
}

/** What must be the same for a decision that was sent to be a decision about what is shown. */
const momentOf = ({ match, branch, acted }) => JSON.stringify([match, branch, acted]);

class AnswerPad {
  constructor(table, seat) {
    this.table = table;
    this.seat = seat;
    this.rows = new Map(); // by number
    this.queue = []; // rows whose answers are to be sent, one after the other
    this.again = []; // rows whose answers got none in time: they are sent again when the kernel is heard
    this.asked = new Map(); // {row, text, at} by the name of what was sent and not answered
    this.sent = null; // the one of them that the others wait for
    this.then = null; // {act, anyway}: what waits until all is sent
    this.left = null; // seconds until the screen is handed on
    this.away = true; // it has not been shown yet, or was put away
    this.id = newId();
    this.clock = el("p.ck-answers-clock", { role: "timer" });
    this.list = el("ol.ck-lines");
    this.element = el("div.ck-answers", this.clock, this.list);
  }

  show(zone) {
    const { people, looking_back } = this.table.view;
    if (this.away) this.left = zone.go && people > 1 && !looking_back ? zone.go : null;
    this.away = false;
    this.longest = zone.longest;
    this.once = Boolean(zone.once);
    for (const line of zone.lines) this.rowOf(line).line = line;
    arrange(
      this.list,
      zone.lines.map(({ number }) => this.rows.get(number).element),
    );
    this.answered();
    this.drawRows();
    if (people === 1 && !looking_back) this.keep(zone.key);
    this.drawClock();
    return this.element;
  }

  /** What one person alone types outlasts a reload; what several type is not kept in the browser, where others could look. */
  keep(key) {
    const before = this.place;
    this.place = this.table.matchKey(`typed-${this.seat}-${key}`);
    if (!before) this.bringBack(JSON.parse(recall("sessionStorage", this.place) ?? "{}"));
    this.note();
  }

  bringBack(typed) {
    for (const row of this.rows.values()) {
      if (row.line.closed || typed[row.line.number] === undefined) continue;
      row.input.value = typed[row.line.number];
      this.drawRow(row);
    }
  }

  note() {
    if (!this.place) return;
    const open = [...this.rows.values()].filter(
      (row) => !row.line.closed && this.typed(row) !== row.line.text,
    );
    if (!open.length) return forget("sessionStorage", this.place);
    remember(
      "sessionStorage",
      this.place,
      JSON.stringify(Object.fromEntries(open.map(({ line, input }) => [line.number, input.value]))),
    );
  }

  end() {
    if (this.place) forget("sessionStorage", this.place);
  }

  rowOf(line) {
    if (!this.rows.has(line.number)) this.rows.set(line.number, this.makeRow(line));
    return this.rows.get(line.number);
  }

  makeRow(line) {
    const id = `${this.id}-${line.number}`;
    const row = { line, composing: false, reason: "", refused: null };
    row.input = el("input.ck-input.ck-line-input", {
      id,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "next",
      maxlength: 2 * this.longest,
      "data-key": `line-${line.number}`,
      "aria-describedby": `${id}-state ${id}-once`,
      onfocus: () => this.entered(row),
      onblur: () => this.commit(row),
      onkeydown: (event) => this.key(row, event),
      oninput: () => {
        this.drawRow(row);
        this.note();
        this.bringNext();
      },
      oncompositionstart: () => {
        row.composing = true;
      },
      oncompositionend: () => this.composed(row),
    });
    row.words = el("span.ck-line-words");
    row.points = el("span.ck-line-points");
    row.state = el("span.ck-line-state", { id: `${id}-state`, role: "status" });
    row.once = el("span.ck-line-once", { id: `${id}-once` });
    row.element = el(
      "li.ck-line",
      el(
        "label.ck-line-head",
        { for: id },
        el("b.ck-line-number", line.number),
        row.words,
        row.points,
      ),
      row.input,
      row.state,
      row.once,
    );
    row.input.value = line.text;
    return row;
  }

  drawRows() {
    for (const row of this.rows.values()) this.drawRow(row);
  }

  drawRow(row) {
    const { line, input } = row;
    if (row.drawn !== JSON.stringify([line, this.table.view.language])) {
      row.drawn = JSON.stringify([line, this.table.view.language]);
      row.words.replaceChildren(
        ...line.words.map((word, at) => el("span.ck-line-word", yarn(line.loops[at]), word || "…")),
      );
      row.points.replaceChildren(`+${line.points}`);
      input.setAttribute("aria-label", line.label);
    }
    if (line.text !== row.was) {
      // the kernel has another text than before: unless something new is typed, it is shown
      if (row.was === undefined || this.typed(row) === row.was) input.value = line.text;
      row.was = line.text;
    }
    if (line.closed && !this.isSent(row)) {
      if (this.typed(row) !== line.text && this.typed(row)) row.lost = this.typed(row);
      input.value = line.text;
    }
    input.readOnly = line.closed;
    input.classList.toggle("ck-legal", !line.closed);
    const [kind, text] = this.stateOf(row);
    row.element.setAttribute(
      "class",
      `ck-line ck-line-${kind}${line.closed ? " ck-line-closed" : ""}`,
    );
    if (kind === "refused") input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (row.state.textContent !== text) row.state.replaceChildren(text);
    this.drawOnce(row);
  }

  drawOnce(row) {
    const parts = () => [
      el("span", this.table.say("counts_when")),
      button("ck-primary", null, this.table.say("write_this"), () => this.commit(row, true), {
        "data-key": `once-${row.line.number}`,
      }),
    ];
    const due = this.once && this.isOpen(row) && !this.isSent(row);
    if (due !== row.once.children.length > 0 || (due && row.spoken !== this.table.view.language))
      row.once.replaceChildren(...(due ? parts() : []));
    row.spoken = this.table.view.language;
  }

  stateOf(row) {
    const { line } = row;
    const say = (id) => this.table.say(id);
    if (row.lost) return ["lost", say("not_counted").replace("{words}", row.lost)];
    if (this.isSent(row)) return ["sent", say("saving")];
    if (row.refused !== null && row.refused === this.typed(row) && row.refused !== line.text)
      return ["refused", row.reason];
    const few =
      line.left <= FEW && !line.closed ? say("writes_left").replace("{count}", line.left) : "";
    if (this.typed(row) !== line.text)
      return ["open", [say("unsaved"), few].filter(Boolean).join(" ")];
    return line.text ? ["saved", [say("saved"), few].filter(Boolean).join(" ")] : ["blank", few];
  }

  typed(row) {
    return row.input.value.trim();
  }

  isSent(row) {
    return this.sent?.row === row || this.queue.includes(row);
  }

  entered(row) {
    const venn = this.table.living.get("venn");
    if (venn.zone && venn.lit?.key !== row.line.number) venn.light(row.line.number);
    this.bringNext();
  }

  /** Where the pad scrolls by itself: bring the line that is written on into sight, and the next blank one with it. */
  bringNext() {
    if (!this.element.closest(".ck-fitted")) return;
    const rows = [...this.rows.values()];
    const at = rows.findIndex(({ input }) => input === this.table.active());
    const next = [...rows.slice(at + 1), ...rows].find(
      (row) => !row.line.closed && !this.typed(row),
    );
    for (const row of [next, rows[at]]) row?.element.scrollIntoView({ block: "nearest" });
  }

  key(row, event) {
    if (row.composing || event.isComposing || event.keyCode === BY_INPUT_METHOD) return; // the key belongs to the input method
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (event.key === "Enter") this.commit(row, true);
    const open = [...this.rows.values()].filter(({ line }) => !line.closed || line === row.line);
    open[open.indexOf(row) + step]?.input.focus();
  }

  composed(row) {
    row.composing = false;
    if (row.input !== this.table.active()) this.commit(row);
    else this.drawRow(row);
  }

  /** Go to the line of spool `number`; on a phone it is only shown, since its keyboard would cover the canvas. */
  go(number) {
    const row = this.rows.get(number);
    if (!row || row.line.closed || row.input === this.table.active()) return;
    if (matchMedia("(pointer: coarse)").matches) row.element.scrollIntoView({ block: "nearest" });
    else row.input.focus();
  }

  isOpen(row) {
    return !row.line.closed && this.typed(row) !== row.line.text && this.typed(row) !== row.refused;
  }

  /** Send what is typed there, if it is `meant`: where few answers are left, none is given by leaving its line. */
  commit(row, meant = !this.once) {
    if (
      !meant ||
      row.composing ||
      !this.isOpen(row) ||
      (this.sent?.row === row && this.sent.text === this.typed(row))
    )
      return;
    this.table.lost = "";
    this.table.touched = null;
    if (!this.queue.includes(row)) this.queue.push(row);
    this.flush();
    this.drawRow(row);
  }

  flush() {
    if (this.sent || this.table.pending || this.table.late || this.table.view.paused) return;
    const row = this.queue.shift();
    if (!row) return this.settled();
    if (!this.isOpen(row)) return this.flush();
    this.sent = { row, text: this.typed(row), at: momentOf(this.table.view) };
    this.asked.set(
      this.table.decide({ action: ["write", row.line.number, this.sent.text], seat: this.seat }),
      this.sent,
    );
  }

  answered() {
    if (this.sent && this.sent.at !== momentOf(this.table.view)) {
      this.sent.row.refused = null;
      this.sent = null;
      this.due = true; // the next one is sent when the view that is being drawn stands
    }
    this.due ||= this.queue.length + this.again.length > 0;
  }

  refused(text, to) {
    const asked = to ? this.asked.get(to) : this.sent;
    if (!asked) return false;
    this.asked.delete(to);
    const { row } = asked;
    if (asked === this.sent) this.sent = null;
    if (asked.at !== momentOf(this.table.model.get("view")))
      this.again.push(row); // something else was quicker
    else {
      Object.assign(row, { reason: text, refused: asked.text });
      if (this.then && !this.then.anyway) {
        this.then = null; // its writer should see that first
        row.input.focus({ preventScroll: true });
      }
    }
    this.goOn();
    return true;
  }

  gaveUp() {
    this.again = [
      ...new Set([...this.again, ...(this.sent ? [this.sent.row] : []), ...this.queue]),
    ];
    this.queue = [];
    this.sent = this.then = null;
    this.drawRows();
  }

  goOn() {
    this.queue = [...new Set([...this.queue, ...this.again])].filter((row) => this.isOpen(row));
    this.again = [];
    const waits = this.queue.length > 0;
    this.flush();
    this.drawRows();
    return waits;
  }

  drawnOut() {
    if (this.due) {
      this.due = false;
      this.goOn();
    }
    this.bringNext();
  }

  /** Send all that is typed, then `act`, unless something is refused and it is not to be done `anyway`.
   *  Returns whether there is anything to wait for. */
  settle(act, anyway) {
    for (const row of this.rows.values()) {
      row.composing = false;
      this.commit(row);
    }
    if (!this.sent && !this.queue.length) return false;
    this.then = { act, anyway };
    return true;
  }

  settled() {
    const { then } = this;
    this.then = null;
    then?.act();
  }

  lost() {
    return [...this.rows.values()]
      .map((row) => row.lost ?? (this.typed(row) !== row.line.text ? this.typed(row) : ""))
      .filter(Boolean);
  }

  drawClock() {
    this.clock.hidden = this.left === null;
    if (this.left !== null)
      this.clock.replaceChildren(
        icon("hourglass"),
        this.table.say("pass_on").replace("{seconds}", clockOf(this.left)),
      );
  }

  runDown(seconds) {
    if (this.left === null) return;
    this.left -= seconds;
    this.drawClock();
    if (this.left <= 0) this.table.handOn();
  }
}

/** The pads of a match, those of people who do not have the screen as well: what is typed stays with them. */
class AnswerPads extends LivingZone {
  constructor(table) {
    super(table);
    this.all = new Map(); // by seat and round
    this.shown = this.before = null; // the one in this scene, and in the one before
  }

  show(zone) {
    if (this.table.view.looking_back) return new AnswerPad(this.table, zone.seat).show(zone);
    const name = `${zone.seat}-${zone.key}`;
    if (!this.all.has(name)) this.all.set(name, new AnswerPad(this.table, zone.seat));
    this.shown = this.all.get(name);
    return this.shown.show(zone);
  }

  get busy() {
    return this.shown !== null;
  }

  get counts() {
    return (this.shown?.left ?? null) !== null;
  }

  leave() {
    this.before = this.shown;
    this.shown = null;
  }

  arrive() {
    if (this.before && this.before !== this.shown) this.putAway(this.before);
  }

  putAway(pad) {
    const { table } = this;
    pad.away = true;
    if (table.view.covered.length || table.view.looking_back) return;
    const lost = pad.lost();
    pad.end();
    this.all.clear();
    table.lost = lost.length ? table.say("not_counted").replace("{words}", lost.join(" / ")) : "";
    table.refuse(table.lost);
  }

  settled() {
    this.shown?.drawnOut();
  }

  forget() {
    this.all.clear();
  }

  runDown(seconds) {
    this.shown?.runDown(seconds);
  }

  finish(act, anyway) {
    return this.shown?.settle(act, anyway) ?? false;
  }

  refused(text, to) {
    return this.shown?.refused(text, to) ?? false;
  }

  goOn() {
    return this.shown?.goOn() ?? false;
  }

  gaveUp() {
    this.shown?.gaveUp();
  }
}

livingKinds.set("answer-pad", AnswerPads);
