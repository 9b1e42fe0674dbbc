// What the teacher's pages, console and projector, have in common: the words they say, and the way to the room.

import { fillIn } from "./dom.js";
import { Wire } from "./wire.js";

export const told = JSON.parse(document.getElementById("told").textContent);

/** Minutes and seconds. */
export const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** A page that hears of the room at `hear`, and is drawn at `draw`: anew each second, for what it counts. */
export class TeacherPage {
  constructor() {
    this.room = this.door = null;
    this.lost = false;
    this.page = document.getElementById("content");
  }

  connect() {
    this.wire = new Wire({
      url: `${location.origin}${location.pathname}/socket`.replace(/^http/, "ws"),
      begin: () => {},
      hear: (message) => this.hear(message),
      lost: (is) => {
        this.lost = is;
        this.draw();
      },
    });
    setInterval(() => this.draw(), 1000);
  }

  say(id, values = {}) {
    return fillIn(told.words[id] ?? id, values);
  }

  /** @param {any} _message */
  hear(_message) {}

  draw() {}
}
