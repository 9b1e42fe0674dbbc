// A strip over the head of the phone's page: what its person should know now, until they touch it.  What lies below does not
// move, so that a finger on its way to a card still meets that card.

import { button, make, recall, remember } from "./dom.js";
import { redraw } from "./redraw.js";

const TICK = 250; // milliseconds between two looks at a clock

export class Strip {
  /** @param {{ el: HTMLElement, say: (id: string, values?: object) => string }} given */
  constructor({ el, say }) {
    this.el = el;
    this.say = say;
    this.standIn = null; // of a strategy that decides for this person, or soon will
    this.news = null; // what the teacher has changed for them
    this.own = ""; // what this page has to say itself
    this.key = ""; // under which the news that has been read is kept
    this.away = false; // whether the page has something else to say there
    this.wasLost = false; // whether the connection was lost while a strategy began to decide
    this.pressed = false;
    addEventListener("pointerdown", () => (this.pressed = true), true);
    for (const event of ["pointerup", "pointercancel"])
      addEventListener(event, () => setTimeout(() => this.release(), 0), true);
    setInterval(() => this.tick(), TICK);
  }

  release() {
    this.pressed = false;
    this.draw();
  }

  get isUrgent() {
    return Boolean(this.standIn?.ends || this.standIn?.on);
  }

  /** Take what the room says of a strategy: whether it decides, or in how many seconds it will. */
  hear({ left, on, did, count }, wasLost) {
    const begins = on && !this.standIn?.on;
    if (begins || !on) this.wasLost = begins && wasLost;
    if (left !== null && !this.standIn?.ends) navigator.vibrate?.(200);
    this.standIn = { ends: left === null ? 0 : Date.now() + left * 1000, on, did, count };
    this.draw();
  }

  /** Say `words` until they are touched. */
  tell(words) {
    this.own = words;
    this.draw();
  }

  /** @param {{ number: number, words: string } | null} news of the teacher, and the `key` of whose it is */
  show(news, key) {
    this.news = news;
    this.key = key;
    this.draw();
  }

  dismiss() {
    if (this.own) this.own = "";
    else remember("localStorage", this.key, String(this.news.number));
    this.draw();
  }

  get isNew() {
    return this.news && Number(recall("localStorage", this.key) ?? 0) < this.news.number;
  }

  tick() {
    const digits = this.el.querySelector(".strip-seconds");
    if (digits) digits.textContent = this.seconds;
  }

  get seconds() {
    return String(Math.max(0, Math.ceil((this.standIn.ends - Date.now()) / 1000)));
  }

  draw() {
    if (this.pressed) return; // what a finger points at stays
    redraw(this.el, this.away ? [] : this.parts().filter(Boolean));
  }

  parts() {
    const { standIn } = this;
    if (standIn?.ends) return [this.soon()];
    if (standIn?.on || standIn?.count) return [this.played(standIn)];
    const words = this.own || (this.isNew && this.news.words);
    if (!words) return [];
    const read = button("site-button strip-read", this.say("read"), () => this.dismiss());
    return [make("div.strip", { "data-key": "news", role: "status" }, make("p", words), read)];
  }

  soon() {
    return make(
      "div.strip strip-soon",
      { "data-key": "soon", role: "alert" },
      make("b.strip-seconds", { "aria-hidden": "true" }, this.seconds),
      make("p", this.say("soon")),
    );
  }

  played({ on, did, count }) {
    const more = count - did.length;
    const why = this.wasLost ? "stood_in_lost" : "stood_in";
    return make(
      "div.strip",
      { "data-key": "played", role: "status" },
      make(
        "div",
        more > 0 && make("p", this.say("did_more", { count: more })),
        ...did.map((line) => make("p.strip-did", line)),
        make("p", this.say(on ? why : "did_then")),
      ),
    );
  }
}
