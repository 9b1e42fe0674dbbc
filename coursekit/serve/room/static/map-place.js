// Maps in the pages of a class: a pupil's own on a phone, and that of all on the projector.  Both are drawn by the script of the
// notebooks' editor, which is loaded where a map is shown first.

import { PageModel, make } from "./dom.js";

const LARGEST = 12_000; // bytes of changes in a message: the room takes 16,000 in all
const BYTES = 50; // bytes in a millisecond: the room takes 60,000 a second
const AGAIN = 2000; // milliseconds until what could not be loaded is asked for again

const got = (answer) => (answer.ok ? answer : Promise.reject(answer.status));

/** The script, and what it needs to know of `game`; the page gets its style sheet once. */
async function load(file, game, language) {
  const address = file("map.css");
  if (!document.querySelector(`link[href="${address}"]`))
    document.head.append(make("link", { rel: "stylesheet", href: address }));
  const [module, setting, art] = await Promise.all([
    import(file("map.js")),
    fetch(file(`map-${game}-${language}.json`)).then((answer) => got(answer).json()),
    fetch(file(`art-${game}.svg`)).then((answer) => got(answer).text()),
  ]);
  return { editor: module.default, setting: { ...setting, art } };
}

/** A place for a map: drawn anew for another game or language. */
class Place {
  /** @param {{ el: HTMLElement, file: (name: string) => string }} given */
  constructor({ el, file }) {
    this.el = el;
    this.file = file;
    this.wanted = "";
    this.undo = null;
  }

  /** Load what a map of `game` needs, unless it is there, and begin. */
  async dress(game, language, key = "") {
    const wanted = [game, language, key].join(" ");
    if (this.wanted === wanted) return;
    this.close();
    this.wanted = wanted;
    this.game = game;
    const parts = await load(this.file, game, language).catch(() => null);
    if (this.wanted !== wanted) return;
    if (parts) this.begin(parts, key);
    else
      setTimeout(() => {
        if (this.wanted !== wanted) return;
        this.wanted = "";
        this.dress(game, language, key);
      }, AGAIN);
  }

  begin(_parts, _key) {}

  model(setting, key, send) {
    const library = this.file("cytoscape.js");
    return new PageModel(
      { setting, key, panels: [], library, largest: LARGEST, resends: true },
      send,
    );
  }

  close() {
    this.wanted = "";
    this.undo?.();
    this.undo = null;
    this.el.replaceChildren();
  }
}

/** The editor of one's own map; what it sends is the room's own message, under a number of the phone's. */
export class MapPlace extends Place {
  /** @param {{ el: HTMLElement, file: (name: string) => string, send: (content: any) => void, decide: (content: any) => number }} given */
  constructor({ el, file, send, decide }) {
    super({ el, file });
    this.send = send;
    this.decide = decide;
    this.asked = new Map(); // number of the phone's -> the editor's
    this.opening = false;
  }

  begin({ editor, setting }, key) {
    this.own = this.model(setting, key, (content) => this.pass(content));
    this.undo = editor.render({ model: this.own, el: this.el });
  }

  pass({ type, changes, n }) {
    const { game } = this;
    if (type === "open") {
      this.opening = true;
      this.send({ type: "map_open", game });
    } else if (type === "change") {
      const soonest = Date.now() + JSON.stringify(changes).length / BYTES;
      this.asked.set(this.decide({ type: "map_change", game, changes }), { n, soonest });
    }
  }

  /** After a connection: what was asked without one was not heard. */
  back() {
    if (this.opening) this.send({ type: "map_open", game: this.game });
  }

  hear(message) {
    if (message.game !== this.game) return;
    this.opening = false;
    this.tell(message);
  }

  /** The room has answered a change; with a `text` it has refused it.  The editor sends the next one then. */
  answered(number, text = "") {
    const asked = this.asked.get(number);
    if (!asked) return;
    this.asked.delete(number);
    const { n, soonest } = asked;
    if (text) this.tell({ type: "refused", n, text });
    else setTimeout(() => this.saved(n), soonest - Date.now());
  }

  saved(n) {
    this.tell({ type: "changed", n, saving: false });
    this.tell({ type: "saved", saved: new Date().toISOString(), other: "" });
  }

  tell(message) {
    this.own?.emit("msg:custom", message, []);
  }

  close() {
    super.close();
    this.own = null;
    this.asked?.clear();
    this.opening = false;
  }
}

/** The map of a class, which is only looked at. */
export class ClassMapPlace extends Place {
  begin({ editor, setting }) {
    const { show, close } = editor.showMap(this.el, { setting, model: this.model(setting, "") });
    this.undo = close;
    this.draw = show;
    this.show(this.late, setting.language);
  }

  /** Show what the room has told of the map. */
  show(message, language) {
    this.late = message;
    this.dress(message.game, language);
    this.draw?.(message.things, message.weights);
  }

  close() {
    super.close();
    this.draw = null;
  }
}
