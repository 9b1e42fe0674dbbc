// A lesson without a server: the page's half.  Python runs in a worker; a cell is sent to it as text, and what the
// cell displays comes back and is put in its place.  One module per kind of widget draws it, as in a notebook:
// `render({ model, el })`, with a model whose other end is the worker.  Begins with the helpers of cells/static.
"use strict";

/* global coursekit_lesson -- of the pages' lesson.js */

const MAP_LIBRARY = "map-library/cytoscape.js"; // what a map loads when it is shown

class WidgetModel extends PageModel {
  constructor(state, send, put) {
    super(state, send);
    this.put = put;
  }

  set(name, value) {
    this.state[name] = value;
    this.put(name, value);
  }

  save_changes() {}
}

/** Python in a worker: sends it messages, and is begun anew after an endless loop. */
class Python {
  constructor({ parts, hear, progress }) {
    this.parts = parts;
    this.hear = hear;
    this.progress = progress;
    this.machine = null; // Python's machine code, compiled once for all workers
    this.begin();
  }

  begin() {
    this.worker = null;
    const turn = (this.turn = {});
    const alive = newId();
    const heard = (message) => {
      if (this.turn !== turn) return;
      if (message.type === "ready") this.watch(alive, turn);
      this.hear(message);
    };
    const lack = findLack();
    if (lack) return queueMicrotask(() => heard({ type: "failed", why: lack, cause: lack }));
    try {
      this.worker = new Worker(coursekit_address(this.parts.worker.name));
    } catch (error) {
      return queueMicrotask(() => heard({ type: "failed", why: String(error), cause: "network" }));
    }
    this.worker.onmessage = ({ data }) => heard(JSON.parse(data));
    this.worker.onerror = ({ message: why }) =>
      heard({
        type: "failed",
        why: why ?? "the worker did not arrive",
        cause: why ? undefined : "network",
      });
    this.worker.postMessage({ alive });
    this.sendParts(this.worker).catch((error) =>
      heard({ type: "failed", why: String(error), cause: error.cause }),
    );
  }

  /** Send the worker the parts of Python, each when it has come; the page unpacks and compiles them while the worker begins. */
  async sendParts(worker) {
    const names = ["wasm", "memory", "library", "kit"],
      all = names.reduce((sum, name) => sum + this.parts[name].size, 0);
    let come = 0;
    const count = (more) => this.progress(Math.min(1, (come += more) / all));
    const bytes = (name) => coursekit_bytes(this.parts[name], count);
    this.machine ??= bytes("wasm").then((code) => WebAssembly.compile(code));
    this.machine.catch(() => {
      this.machine = null; // the next worker tries again
    });
    const send = async (name) => {
      const part = await bytes(name);
      worker.postMessage({ [name]: part }, [part]);
    };
    const compiled = this.machine.then((machine) => worker.postMessage({ machine }));
    await Promise.all([compiled, ...names.slice(1).map(send)]);
  }

  /** Notice a worker that ends without a word, as where memory is short: it holds the lock *alive* as long as it lives. */
  watch(alive, turn) {
    const end = () => {
      if (this.turn === turn) this.hear({ type: "failed", why: "the worker has ended" });
    };
    navigator.locks?.request(alive, end).catch(() => {}); // a page that keeps nothing has no locks
  }

  send(message) {
    this.worker?.postMessage(JSON.stringify(message)); // it waits until it has all parts
  }

  stop() {
    this.turn = null;
    this.worker?.terminate();
  }
}

/** The cells of a lesson: those of its steps run by themselves, those of the lab when it is opened, exercises when asked. */
class Lesson {
  constructor({ name, game, cells, first, says, parts }) {
    this.name = name;
    this.game = game;
    this.cells = cells; // `{ id, code, lab, exercise }`, in their order
    this.first = first; // the ids of those that run first
    this.says = says;
    this.parts = parts;
    /** @type {Map<string, HTMLElement>} */
    this.places = new Map(
      this.cells.map(({ id }) => [id, document.querySelector(`[data-cell="${CSS.escape(id)}"]`)]),
    );
    this.code = new Map(this.cells.map(({ id, code }) => [id, code]));
    this.widgets = new Map();
    this.closers = new WeakMap(); // what ends the drawing of a widget, by its place
    this.editors = new Map();
    this.undone = 0; // messages that the worker has not done yet
    this.asked = new Map(); // what a reader has changed and wants run, by cell
    this.running = null; // the cell that runs
    this.wanted = null; // the place of what a reader has asked for, until it is done
    this.started = false; // whether Python has begun on this page, perhaps to be stopped again
    this.fallen = false; // whether Python has stopped by itself
    this.fellIn = null; // the place of what a reader had asked for then
    this.elsewhere = false; // whether another page holds what is kept, and this one waits for it
    this.cause = ""; // why Python is not there
    this.forbidden = ""; // the directive of the web space's policy that keeps a part of Python away
    this.awaited = false; // whether a reader waits for what the worker does: a cell that runs by itself has no bar
    this.stays = new Set(); // places whose results stay although their cells run again, behind a stop
    this.queue = [];
    this.lab = false;
    this.bar = /** @type {HTMLElement} */ (document.querySelector(".site-busy"));
    this.bar.querySelector("button").addEventListener("click", () => this.stop());
    document.addEventListener("securitypolicyviolation", (event) => this.noteForbidden(event));
    for (const act of ["pointerdown", "keydown", "click"])
      document.addEventListener(act, (event) => this.noteAct(event.target), true);
    this.python = new Python({
      parts: this.parts,
      hear: (message) => this.hear(message),
      progress: (part) => this.come(part),
    });
    this.begin();
    this.opened = () => this.openLab();
    addEventListener("hashchange", this.opened);
    this.opened();
  }

  begin() {
    const lesson = this.cells.filter(({ lab, exercise }) => !lab && !exercise).map(({ id }) => id);
    this.send({
      type: "lesson",
      game: this.game,
      language: document.documentElement.lang,
      sources: Object.fromEntries(this.cells.map(({ id, code }) => [id, code])),
    });
    this.queue = [...this.first, ...lesson.filter((id) => !this.first.includes(id))];
    this.tellTyped();
    if (this.lab) this.queueLab();
    this.next();
  }

  tellTyped() {
    this.typed?.then((typed) =>
      typed.forEach((code, cell) => this.send({ type: "source", cell, code })),
    );
  }

  queueLab() {
    const lab = this.cells.filter(({ lab, exercise }) => lab && !exercise).map(({ id }) => id);
    this.queue.push(...lab.filter((id) => !this.first.includes(id)));
  }

  openLab() {
    const { step } = document.body.dataset,
      { everything } = /** @type {any} */ (document.body.dataset);
    const whole = this.cells.every(({ lab }) => lab); // a notebook of code, which has no other tab
    if (this.lab || !(whole || step === "lab" || everything !== undefined)) return;
    this.lab = true;
    this.queueLab();
    this.next();
    this.edit();
  }

  next() {
    if (this.running !== null) return;
    if (!this.queue.length) return this.rest();
    const id = this.queue.shift();
    this.running = id;
    if (this.asked.has(id)) this.wanted = id;
    this.send({ type: "run", cell: id, code: this.asked.get(id) ?? this.code.get(id) });
    this.asked.delete(id);
  }

  /** Leave the network and the processor to what else the page does. */
  rest() {
    dispatchEvent(new Event("coursekit-rest"));
  }

  send(message) {
    this.undone += 1;
    this.python.send(message);
    this.awaitAnswer();
  }

  awaitAnswer() {
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      if (this.fallen || this.elsewhere) return;
      this.bar.firstElementChild.textContent = this.ready ? this.says.busy : this.says.loading;
      this.bar.hidden = !(this.undone && this.started && this.awaited);
    }, 4000);
  }

  noteAct(place) {
    if (this.awaited || !(place instanceof Element && place.closest("[data-cell]"))) return;
    this.awaited = true;
    this.awaitAnswer();
  }

  done() {
    this.undone -= 1;
    if (this.undone > 0) return;
    clearTimeout(this.slow);
    this.bar.hidden = !this.fallen;
    this.awaited = false;
    this.wanted = null;
  }

  come(part) {
    document
      .querySelectorAll(".site-wait progress")
      .forEach((/** @type {HTMLProgressElement} */ bar) => {
        bar.value = part * 0.6;
      });
  }

  hear(message) {
    const { type, cell } = message;
    if (type === "done") this.done();
    else if (type === "python") this.come(1.2);
    else if (type === "ready") this.begun(message.kept);
    else if (type === "output") this.show(cell, message);
    else if (type === "bar") this.progress(cell, message);
    else if (type === "begins") this.begins(cell);
    else if (type === "ran") this.ran(cell, message);
    else if (type === "state") this.widgets.get(message.widget)?.changed(message.state);
    else if (type === "message")
      this.widgets.get(message.widget)?.emit("msg:custom", message.content, []);
    else if (type === "elsewhere") this.tellElsewhere(message.waits);
    else if (type === "failed") this.failed(message);
  }

  begun(kept) {
    this.ready = this.started = true;
    this.cause = "";
    this.awaited = this.wanted !== null || this.asked.size > 0; // the rest runs by itself
    this.bar.hidden = true;
    if (kept || self === top || document.querySelector(".site-framed")) return;
    const words = el(
      "p.site-notice.site-framed",
      this.says.unkept_in_frame,
      " ",
      linkOut(this.says),
    );
    document.querySelector("main").before(words);
  }

  failed({ why, stack, cause = causeOf(why) }) {
    console.error(why, stack);
    this.rest();
    if (!this.fallen) this.fellIn = this.wanted;
    this.cause = this.ready ? "fallen" : cause;
    this.tellCause();
  }

  /** Tell why Python is not there: in the bar if it has been, or else in place of what waits for it. */
  tellCause() {
    if (this.cause === "fallen") return this.tellFallen(this.says.fallen);
    const cause = this.cause === "network" && this.forbidden ? "directive" : this.cause;
    const words = this.says[`failed_${cause}`].replace("{directive}", this.forbidden);
    if (this.started) return this.tellFallen(words);
    const isFramed = this.cause === "frame";
    document.querySelectorAll(".site-wait").forEach((wait) => {
      const way = isFramed ? linkOut(this.says) : this.reloading();
      wait.replaceChildren(el("p", words), el("p", way));
      wait.setAttribute("role", "alert");
    });
  }

  /** Note what a policy keeps from this page; it may say so after the part itself has failed. */
  noteForbidden({ disposition, effectiveDirective, blockedURI }) {
    const ofPython = /^(default|connect|worker|child|script)-src/.test(effectiveDirective);
    if (disposition !== "enforce" || !ofPython || !blockedURI.startsWith(location.origin)) return;
    this.forbidden = effectiveDirective;
    if (this.cause === "network") this.tellCause();
  }

  /** Tell that this page waits for another that holds what is kept, or that it waits no more. */
  tellElsewhere(waits) {
    this.elsewhere = waits;
    if (this.cause) return;
    if (this.started) {
      this.bar.hidden = !waits;
      if (waits) this.bar.firstElementChild.textContent = this.says.other_page;
      else this.awaitAnswer();
      return;
    }
    for (const wait of document.querySelectorAll(".site-wait")) {
      const usual = wait.matches(".site-soon") ? this.says.soon : this.says.loading;
      wait.firstElementChild.textContent = waits ? this.says.other_page : usual;
      wait.setAttribute("role", waits ? "alert" : "status"); // watch.js says nothing beside an alert
    }
  }

  reloading() {
    return button(this.says.reload, "site-button", coursekit_reload);
  }

  /** Say in the box of a widget that one of its files did not come, or that it cannot be drawn. */
  tellLost(box, error) {
    console.error(error);
    const words = el("p", this.says.part_lost);
    box.replaceChildren(el("div.site-notice", words, el("p", this.reloading())));
    box.setAttribute("role", "alert");
  }

  /** Tell in the bar why Python has stopped by itself, until a reader starts it again. */
  tellFallen(words) {
    this.fallen = true;
    this.bar.firstElementChild.textContent = words;
    this.bar.querySelector("button").textContent = this.says.restart;
    this.bar.hidden = false;
  }

  clear(id) {
    this.places
      .get(id)
      ?.querySelectorAll(".jp-OutputArea")
      .forEach((area) => {
        area.toggleAttribute("inert", false);
        area.querySelectorAll(":scope > :not(.site-wait)").forEach((output) => {
          this.closers.get(output)?.();
          output.remove();
        });
      });
  }

  async show(id, output) {
    const place = this.places.get(id),
      area = place?.querySelector(".jp-OutputArea");
    if (!area || this.stays.has(id)) return;
    const box = el("div.jp-OutputArea-output");
    area.querySelector(".site-bar")?.remove();
    if (output.widget !== undefined) {
      const { turn } = this.python; // the next worker has other widgets
      const send = (message) =>
        turn === this.python.turn && this.send({ widget: output.widget, ...message });
      const model = new WidgetModel(
        { ...output.state, library: coursekit_address(MAP_LIBRARY) },
        (content) => send({ type: "message", content }),
        (name, value) => send({ type: "set", name, value }),
      );
      this.widgets.set(output.widget, model);
      box.dataset.widget = output.widget;
      area.append(box);
      const style = output.style && coursekit_load(`widgets/${output.style}.css`);
      const made = () => globalThis.coursekit_widgets?.[output.script];
      const script = coursekit_load(`widgets/${output.script}.js`, made);
      try {
        const [widget] = await Promise.all([script, style]);
        this.closers.set(box, await widget.render({ model, el: box }));
      } catch (error) {
        this.tellLost(box, error);
      }
    } else if (output.html !== undefined) {
      box.classList.add("jp-RenderedHTMLCommon", "jp-RenderedHTML");
      box.innerHTML = output.html;
      area.append(box);
    } else {
      const words = output.error ?? output.text,
        wrong = output.error !== undefined;
      const last = area.lastElementChild;
      if (!wrong && last?.matches(".jp-RenderedText:not(.site-error)")) {
        last.firstElementChild.append(words);
        return;
      }
      const plain = wrong && !place.matches(".site-lab");
      box.className = plain
        ? "site-notice"
        : `jp-OutputArea-output jp-RenderedText${wrong ? " site-error" : ""}`;
      if (wrong) box.setAttribute("role", "alert");
      box.append(el(plain ? "p" : "pre", plain && !output.spoken ? this.says.cell_failed : words));
      area.append(box);
    }
    area.querySelector(".site-wait")?.remove();
  }

  progress(id, { done, all, words, estimate }) {
    const area = this.places.get(id)?.querySelector(".jp-OutputArea");
    if (!area || this.stays.has(id)) return;
    let bar = area.querySelector(".site-bar");
    if (!bar) {
      bar = el("label.site-bar", el("span"), el("progress"));
      area.append(bar);
    }
    bar.firstElementChild.textContent = `${words} ${done}/${all} ${estimate}`.trim();
    Object.assign(bar.lastElementChild, { value: done, max: all });
    if (done >= all) bar.remove();
  }

  begins(id) {
    if (!this.stays.has(id)) {
      this.clear(id);
      this.places.get(id)?.querySelector(".site-asks")?.remove();
    }
    this.places.get(id)?.classList.add("site-runs");
    this.editors.get(id)?.tell(id === this.running && id !== this.wanted);
  }

  ran(id, { strategies }) {
    const place = this.places.get(id);
    place?.classList.remove("site-runs");
    if (!place?.querySelector("[data-widget]:empty")) place?.querySelector(".site-wait")?.remove();
    if (strategies.length && place?.matches(".site-lab")) this.offer(place, id, strategies.at(-1));
    if (id !== this.running) return;
    this.running = null;
    if (id === this.wanted) this.wanted = null;
    this.next();
  }

  /** Below a cell that has made a strategy: many matches with it, and a seat at a table, each with a place of its own. */
  offer(place, id, name) {
    const asks = el("p.site-asks");
    for (const [what, words] of [
      ["many", this.says.play_many],
      ["seat", this.says.seat],
    ]) {
      const at = `${id} ${what}`;
      if (!this.places.has(at)) this.places.set(at, place.appendChild(placeBelow()));
      asks.append(
        button(words.replace("{name}", name), "site-button site-quiet", () => {
          this.stays.delete(at);
          this.clear(at);
          this.wanted = at;
          this.editors.forEach((editor) => editor.keep());
          this.send({ type: what, cell: id, strategy: name });
        }),
      );
    }
    place.querySelector(".site-asks")?.remove();
    place.querySelector(".jp-OutputArea").before(asks);
  }

  /** End the worker, whatever it is doing, and begin a new one: results stay, and widgets come again with their cells.
   *  What a reader has run does not run again by itself, since it may be without end. */
  stop() {
    const stopped = this.fallen ? this.fellIn : this.wanted,
      told = this.cause === "fallen" ? this.says.fell_here : this.says.stopped;
    this.asked.clear();
    this.python.stop();
    this.fallen = this.elsewhere = false;
    this.cause = "";
    this.bar.querySelector("button").textContent = this.says.stop;
    this.undone = 1;
    this.done();
    this.ready = false;
    this.awaited = true; // until Python is there again
    this.running = null;
    this.widgets.clear();
    const alone = new Set(this.cells.filter(({ exercise }) => !exercise).map(({ id }) => id));
    for (const [id, place] of this.places) {
      place?.classList.remove("site-runs");
      place?.querySelectorAll(".site-bar").forEach((bar) => bar.remove());
      const area = place?.querySelector(".jp-OutputArea");
      if (!area?.querySelector(":scope > [data-widget]")) {
        if (area?.querySelector(":scope > :not(.site-wait)")) this.stays.add(id);
      } else if (alone.has(id)) {
        area.toggleAttribute("inert", true);
      } else {
        this.clear(id);
        this.show(id, { text: this.says.ended });
      }
    }
    if (stopped !== null) {
      this.stays.delete(stopped);
      this.show(stopped, { error: told, spoken: true });
      this.stays.add(stopped);
    }
    this.python.begin();
    this.begin();
  }

  edit() {
    const near = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          if (!isIntersecting) continue;
          near.unobserve(target);
          const id = /** @type {HTMLElement} */ (target).dataset.cell;
          this.editors.set(id, new CellEditor(this, id, target.querySelector(".site-code")));
        }
      },
      { rootMargin: "600px" },
    );
    this.typed = this.typings();
    this.tellTyped();
    for (const { id, lab } of this.cells) if (lab) near.observe(this.places.get(id));
    const bring = document.querySelector(".site-notebook");
    if (bring) this.files(bring);
  }

  async typings() {
    const found = new Map();
    try {
      const stamps = await onShelf("readonly", (_, store) => store.getAll());
      for (const { path } of stamps.filter(({ path }) => path.startsWith(this.path("")))) {
        const bytes = await onShelf("readonly", (files) => files.get(path));
        found.set(path.slice(this.path("").length, -".py".length), new TextDecoder().decode(bytes));
      }
    } catch {
      this.tellUnkept();
    }
    return found;
  }

  path(id) {
    return `/kept/cells/${this.name}-${id}${id && ".py"}`;
  }

  async keep(id, code) {
    this.send({ type: "source", cell: id, code });
    const typed = await this.typed;
    if (code === this.code.get(id)) typed.delete(id);
    else typed.set(id, code);
    try {
      if (typed.has(id)) await putOnShelf(this.path(id), new TextEncoder().encode(code));
      else await takeFromShelf(this.path(id));
    } catch {
      this.tellUnkept();
    }
  }

  tellUnkept() {
    const notice = /** @type {HTMLElement | null} */ (document.querySelector(".site-unkept"));
    if (notice) notice.hidden = false;
  }

  run(id, code) {
    this.asked.set(id, code);
    this.stays.delete(id);
    this.queue = [id, ...this.queue.filter((other) => other !== id)];
    this.next();
  }

  files(bring) {
    const [save, open] = bring.querySelectorAll("button"),
      chooser = bring.querySelector("input");
    const status = bring.querySelector("[role=status]");
    save.addEventListener("click", async () => {
      const typed = await this.typed;
      const cells = this.cells.map(({ id, code }) => ({
        cell_type: "code",
        id,
        metadata: {},
        source: typed.get(id) ?? code,
        outputs: [],
        execution_count: null,
      }));
      const kernelspec = {
        display_name: "Python 3 (ipykernel)",
        language: "python",
        name: "python3",
      };
      const whole = {
        cells,
        metadata: { kernelspec, coursekit: { lesson: this.name } },
        nbformat: 4,
        nbformat_minor: 5,
      };
      const words = JSON.stringify(whole, null, 1);
      download(`${this.name}.ipynb`, words, "application/x-ipynb+json");
    });
    open.addEventListener("click", () => chooser.click());
    chooser.addEventListener("change", async () => {
      const [file] = chooser.files;
      chooser.value = "";
      if (file) status.textContent = await this.bring(file);
    });
  }

  async bring(file) {
    let cells;
    try {
      const { cells: there, metadata } = JSON.parse(await file.text());
      if (metadata.coursekit.lesson !== this.name) throw new Error("another lesson");
      cells = there
        .filter(({ id }) => this.code.has(id))
        .map(({ id, source }) => [id, [source].flat().join("")]);
    } catch {
      return this.says.no_notebook.replace("{name}", file.name);
    }
    const typed = await this.typed;
    const now = (id) => this.editors.get(id)?.code ?? typed.get(id) ?? this.code.get(id);
    const changed = cells.filter(([id, code]) => code !== now(id));
    for (const [id, code] of changed) {
      this.editors.get(id)?.put(code);
      await this.keep(id, code);
    }
    return this.says.brought.replace("{count}", changed.length);
  }
}

class CellEditor {
  constructor(lesson, id, place) {
    this.lesson = lesson;
    this.id = id;
    this.place = place;
    this.status = el("span", { role: "status" });
    this.back = button(lesson.says.undo, "site-button site-quiet", () =>
      this.put(lesson.code.get(id)),
    );
    this.back.hidden = true;
    const run = button(`▶ ${lesson.says.run}`, "site-button site-quiet", () => this.run());
    place.after(el("p.site-buttons", run, this.back, this.status));
    this.code = lesson.code.get(id);
    this.build();
  }

  async build() {
    const typed = (await this.lesson.typed).get(this.id);
    if (typed !== undefined) this.code = typed;
    let makeEditor;
    try {
      makeEditor = await coursekit_load("editor.js", () => globalThis.coursekit_editor);
    } catch (error) {
      console.error(error);
      this.put(this.code);
      this.status.textContent = this.lesson.says.part_lost;
      return;
    }
    this.place.replaceChildren();
    this.editor = makeEditor(this.place, {
      code: this.code,
      label: this.lesson.says.code,
      changed: (code) => this.changed(code),
      run: () => this.run(),
    });
    this.tell(typed !== undefined);
  }

  changed(code) {
    this.code = code;
    this.tell(true);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.keep(), 300);
  }

  keep() {
    if (this.soon === undefined) return;
    clearTimeout(this.soon);
    this.soon = undefined;
    this.lesson.keep(this.id, this.code);
  }

  /** Show the way back where the code is not as it was, and that it has not been run as it is. */
  tell(notRun) {
    if (!this.editor) return;
    const other = this.code !== this.lesson.code.get(this.id);
    this.back.hidden = !other;
    this.status.textContent = other && notRun ? this.lesson.says.changed : "";
  }

  put(code) {
    if (this.editor) return this.editor.put(code);
    this.code = code;
    const shown = this.place.querySelector("pre"); // where the editor has not come
    if (shown) shown.textContent = code;
  }

  run() {
    this.lesson.run(this.id, this.code);
  }
}

/** Return why Python cannot start on this page, whatever is tried: the end of the name of a text `failed_…`. */
function findLack() {
  if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined")
    return "browser";
  if (globalThis.coursekit_files) return undefined; // all is in the page
  if (location.protocol === "file:") return "folder";
  return self.origin === "null" ? "frame" : undefined; // nothing is fetched there
}

/** Return what the words of an error say about its cause. */
function causeOf(why) {
  if (/memory|allocate/i.test(why)) return "memory";
  if (/content.security|unsafe-eval|\bCSP\b/i.test(why)) return "policy";
  if (/SyntaxError/.test(why)) return "altered"; // a page, in place of a script
  return "unknown";
}

/** Return the way out of a frame: this page's address, to be touched, or copied where a frame lets no link lead out. */
function linkOut(says) {
  if (!/^(https?|file):$/.test(location.protocol)) return says.own_file;
  return el("a", { href: location.href, target: "_blank", rel: "noopener" }, says.own_page);
}

const placeBelow = () => el("div.site-lab", el("div.jp-OutputArea"));

const button = (words, kind, act) => el("button", { class: kind, onclick: act }, words);

{
  const lesson = JSON.parse(document.getElementById("lesson").textContent);
  if (lesson.steps.length) coursekit_lesson(lesson);
  else document.body.dataset.everything = "";
  globalThis.coursekit_page = new Lesson(lesson);
  // A page that the browser lays aside would keep the lock on what is kept, and every other page would wait for it.
  const keep = () => globalThis.coursekit_page.editors.forEach((editor) => editor.keep());
  addEventListener("pagehide", () => {
    keep();
    globalThis.coursekit_page.python.stop();
  });
  document.addEventListener("visibilitychange", keep); // a phone may end the page without another word
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
