// What the teacher's pages, console and projector, have in common: the words they say, and the way to the room.

import { fillIn } from "./dom.js";
import { Wire } from "./wire.js";

export const told = JSON.parse(document.getElementById("told").textContent);

const LONG = 10_000; // milliseconds without a connection after which the program may have ended

/** What a table's card says of it; "" while it plays. */
export function stateOf({ over, paused, ending }) {
  if (over) return "over";
  if (paused) return "paused";
  return ending ? "ending" : "";
}

/** A page that hears of the room at `hear`, and is drawn at `draw`: anew each second, for what it counts. */
export class TeacherPage {
  constructor() {
    this.room = this.door = null;
    this.since = 0; // when the room told of itself
    this.lost = false;
    this.lostSince = 0;
    this.page = document.getElementById("content");
  }

  connect() {
    this.wire = new Wire({
      url: `${location.origin}${location.pathname}/socket`.replace(/^http/, "ws"),
      begin: () => {},
      hear: (message) => this.hear(message),
      lost: (is) => {
        if (is && !this.lost) this.lostSince = Date.now();
        this.lost = is;
        this.draw();
      },
    });
    setInterval(() => this.draw(), 1000);
  }

  /** That the connection is lost; after some time, that another program may have another address. */
  get lostWords() {
    return this.say(Date.now() - this.lostSince > LONG ? "lost_long" : "lost");
  }

  /** Seconds since the room told of itself. */
  get passed() {
    return (Date.now() - this.since) / 1000;
  }

  /** Seconds that are left of the planned time: it stands still while every table does. */
  get left() {
    const { minutes, extra, played, tables, runs } = this.room;
    const plays = runs && tables.some(({ paused, over }) => !paused && !over);
    return Math.max(0, minutes * 60 + extra - played - (plays ? this.passed : 0));
  }

  /** Seconds that a table has waited for its next action; null where nobody is to be waited for, as in a race. */
  waited({ waited }) {
    return waited === null ? null : waited + (this.room.runs ? this.passed : 0);
  }

  say(id, values = {}) {
    return fillIn(told.words[id] ?? id, values);
  }

  /** @param {any} _message */
  hear(_message) {}

  draw() {}
}
