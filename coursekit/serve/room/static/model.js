// What the module of a table sees of its other half: a kernel in a notebook, here a room behind a WebSocket.

import { PageModel } from "./dom.js";

const AGAIN = 2000; // milliseconds until what could not be loaded is asked for again

/** A table in a page: drawn anew for another game or table, else only told what is new. */
export class TablePlace {
  /** @param {{ el: HTMLElement, file: (name: string) => string, languages: Record<string, string>, send: (content: any) => void, drawn?: () => void }} given
   *  `drawn` hears of each new view */
  constructor({ el, file, languages, send, drawn = () => {} }) {
    this.el = el;
    this.file = file;
    this.languages = Object.entries(languages).map(([value, label]) => ({
      value,
      label,
      lang: value,
    }));
    this.send = send;
    this.drawn = drawn;
    this.model = null;
    this.turn = 0;
  }

  async dress({ table, game, words, handbook, zone_css }) {
    const turn = ++this.turn;
    if (this.model && this.table === table && this.game === game) {
      this.model.changed({ words, handbook });
      return;
    }
    this.close();
    this.turn = turn;
    this.table = table;
    this.game = game;
    const found = await this.load(game).catch(() => null);
    if (this.turn !== turn) return;
    if (!found) {
      // the connection was refused or lost: told anew, it is tried again
      this.close();
      setTimeout(() => this.turn === turn + 1 && this.send({ type: "again" }), AGAIN);
      return;
    }
    const [module, art] = found;
    this.module = module;
    const { languages } = this;
    const state = { view: null, setup: {}, words, languages, art, handbook, zone_css };
    this.model = new PageModel(state, this.send);
    this.draw();
  }

  load(game) {
    const drawings = fetch(this.file(`art-${game}.svg`)).then((answer) =>
      answer.ok ? answer.text() : Promise.reject(answer.status),
    );
    return Promise.all([import(this.file(`table-${game}.js`)), drawings]);
  }

  /** Show a view if it is the page's own; return whether it is.
   * @param {{ table: number, seat: number | null } | null} own where the page sits; without a seat it watches */
  show(view, own) {
    if (!own || view.match !== `room-${own.table}` || view.viewer !== own.seat) return false;
    this.late = view;
    this.draw();
    return true;
  }

  draw() {
    const view = this.late;
    if (!this.model || !view || view.table !== `room-${this.table}`) return;
    if (this.undo) this.model.changed({ view });
    else {
      this.model.state.view = view;
      this.el.hidden = false;
      this.undo = this.module.default.render({ model: this.model, el: this.el });
    }
    this.drawn();
  }

  hear(message) {
    this.model?.emit("msg:custom", message, []);
  }

  close() {
    this.turn += 1;
    this.undo?.();
    this.undo = this.model = this.late = this.table = null;
    this.el.hidden = true;
  }
}

/** A table beside others in a page, without what only one who sits there needs: it is told what differs from before. */
export class Board {
  /** @param {number} table */
  constructor(table) {
    this.table = table;
    this.view = null; // what lies on it
    this.place = null; // where it is drawn
  }

  hear({ view, scenes }) {
    this.about = renewed(this.about, view);
    const shown = scenes.map((scene) => (this.scene = renewed(this.scene, scene)));
    this.view = this.about && { ...this.about, scenes: shown };
    this.show();
  }

  show() {
    if (this.view) this.place?.show(this.view, { table: this.table, seat: null });
  }

  /** Draw it at `place`, or nowhere. */
  move(place, setting) {
    this.place?.close();
    this.place = place;
    if (!place) return;
    if (this.view) this.view = { ...this.view, scenes: this.view.scenes.slice(-1) };
    place.dress({ ...setting, table: this.table });
    this.show();
  }
}

/** What `old` becomes by a difference, which `difference` of coursekit/room/board.py has made. */
function renewed(old, { is, of: changes, without = [] }) {
  if (!changes) return is;
  const now = Array.isArray(old) ? [...old] : { ...old };
  for (const [key, change] of Object.entries(changes)) now[key] = renewed(old[key], change);
  for (const key of without) delete now[key];
  return now;
}
