// A window of its own for a second screen. It draws what the kernel says that a spectator sees, and gets nothing else.

const ALIVE = 4000; // milliseconds between two questions whether the kernel is there
const GIVEN = ["art", "words", "handbook", "zone_css"]; // what is the same for everybody

/** What the spectators' table knows: no view but `view`, and nothing it could send.
 * @returns {Model<TableTraits>} */
const modelFor = (model, view) => ({
  get: (name) => (name === "view" ? view() : GIVEN.includes(name) ? model.get(name) : {}),
  send() {},
  on() {},
  off() {},
});

/** The spectators' view of the moment in `view`: what says which moment it is, and the spectators' own scenes.
 * @param {any} view */
const spectated = ({
  spectator: { scenes, story, told },
  match,
  branch,
  language,
  looking_back,
  table,
  people,
}) => ({
  match,
  branch,
  language,
  looking_back,
  table,
  people,
  viewer: null,
  acted: 0,
  events: told.at(-1),
  covered: [],
  waiting: 0,
  racing: 0,
  tick: 0,
  more: false,
  story,
  told,
  scenes: scenes.map((scene) => ({
    ...scene,
    zones: scene.zones.filter(({ kind }) => kind !== "choices"),
  })), // nothing can be done there
});

/** A table without tools: nothing can be asked in it. */
class Spectating extends Table {
  drawTools() {}

  drawBanner() {}

  listenForHolds() {
    return () => {};
  }

  inSight(view) {
    return view;
  }

  keepsCovered() {
    return false;
  }
}

class Onlookers {
  /** @param {Table} table @param {Window} page */
  constructor(table, page) {
    this.table = table;
    this.page = page;
    const { document: place } = page;
    place.title = table.say("spectator_view");
    for (const sheet of document.querySelectorAll("style"))
      if (sheet.textContent.includes(".ck-table")) place.head.append(sheet.cloneNode(true));
    const { lmThemeLight, jpThemeLight } = document.body.dataset;
    if (jpThemeLight ?? lmThemeLight)
      place.body.dataset.jpThemeLight = jpThemeLight ?? lmThemeLight;
    place.body.className = "ck-onlookers";
    this.says = el("p.ck-onlookers-says", { role: "status", hidden: true });
    this.curtain = el("div.ck-onlookers-curtain", { hidden: true });
    this.frame = el("main.ck-onlookers-frame");
    place.body.append(this.says, this.frame, this.curtain);
    this.leave = () => page.close();
    window.addEventListener("pagehide", this.leave);
    this.asked = 0; // questions without an answer
    this.watching = setInterval(() => this.watch(), ALIVE);
    this.watch();
    this.follow();
  }

  follow() {
    const view = this.table.source.get("view");
    if (!view.spectator) return;
    this.view = spectated(view);
    if (!this.drawn) {
      this.drawn = new Spectating(
        modelFor(this.table.source, () => this.view),
        this.frame,
      );
      this.drawn.speed = this.table.speed;
      this.drawn.sounds.on = false; // the table's own are heard
    }
    this.drawn.show(this.view);
  }

  watch() {
    if (this.page.closed) return this.close();
    if (this.asked) this.say("spectator_lost");
    this.asked += 1;
    return this.table.send({ type: "share" });
  }

  /** The kernel has answered. */
  heard() {
    this.asked = 0;
    this.say("");
  }

  say(id) {
    this.says.hidden = !id;
    this.says.replaceChildren(id && this.table.say(id));
  }

  blank() {
    this.curtain.hidden = !this.curtain.hidden;
    this.table.drawTools();
  }

  get blanked() {
    return !this.curtain.hidden;
  }

  close() {
    clearInterval(this.watching);
    window.removeEventListener("pagehide", this.leave);
    this.drawn?.dispose();
    this.page.close();
    this.table.onlookers = null;
    this.table.drawTools();
  }
}

Object.assign(Table.prototype, {
  openOnlookers() {
    if (this.onlookers && !this.onlookers.page.closed) return this.onlookers.page.focus();
    this.onlookers?.close();
    const page = window.open("", "", "popup,width=1280,height=760");
    if (!page) return this.refuse(this.say("popup_blocked"));
    this.onlookers = new Onlookers(this, page);
    return this.drawTools();
  },
});
