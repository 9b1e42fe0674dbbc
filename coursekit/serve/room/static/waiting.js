// What there is to do before the deal: guesses and the rules in pictures, one card after the other.

import { button, make, PageModel } from "./dom.js";

const AGAIN = 3000; // milliseconds until cards that could not be loaded are asked for again

export class WaitingPlace {
  /** @param {{ el: HTMLElement, base: string, load: (game: string) => Promise<any[]>, say: (id: string, values?: object) => string }} given */
  constructor({ el, base, load, say }) {
    this.el = el;
    this.base = base;
    this.load = load;
    this.say = say;
    this.key = "";
    this.content = this.module = this.art = null; // of the cards that are shown
    this.undo = null;
  }

  /** Show the cards of `game`; those that are shown stay. */
  async show(game, language) {
    const key = `${game}/${language}`;
    if (this.key === key) return;
    const isOther = !this.key.startsWith(`${game}/`);
    this.hide();
    this.key = key;
    if (isOther) {
      this.at = 0;
      this.chosen = new Map(); // by the place of the card
    }
    const given = Promise.all([
      fetch(`${this.base}waiting/${key}`).then((answer) =>
        answer.ok ? answer.json() : Promise.reject(answer.status),
      ),
      this.load(game),
    ]);
    const found = await given.catch((wrong) => wrong);
    if (this.key !== key) return;
    if (!Array.isArray(found)) {
      if (found === 404) return; // this game has none
      setTimeout(() => {
        if (this.key !== key) return;
        this.key = `${game}/`;
        this.show(game, language);
      }, AGAIN);
      return;
    }
    [this.content, [this.module, this.art]] = found;
    this.el.hidden = false;
    this.draw();
  }

  hide() {
    this.key = "";
    this.undo?.();
    this.undo = null;
    this.el.hidden = true;
    this.el.replaceChildren();
  }

  get questions() {
    return this.content.cards.flatMap((card, at) => (card.ask ? [at] : []));
  }

  draw() {
    this.undo?.();
    this.undo = null;
    const { cards } = this.content;
    const card = cards[this.at];
    const body = make("div.waiting-card");
    this.el.setAttribute("aria-label", this.say("waiting"));
    this.el.replaceChildren(
      make("h2", this.say("waiting")),
      body,
      make(
        "div.waiting-way",
        button("site-button site-quiet waiting-back", "‹", () => this.turn(-1), {
          "aria-label": this.say("waiting_back"),
          disabled: this.at === 0,
        }),
        make(
          "span.waiting-dots",
          { role: "img", "aria-label": `${this.at + 1} / ${cards.length + 1}` },
          ...[...cards, null].map((_, at) => make(`i${at === this.at ? ".waiting-here" : ""}`)),
        ),
        card
          ? button("site-button waiting-next", this.say("waiting_next"), () => this.turn(1))
          : button("site-button waiting-next", this.say("waiting_again"), () => this.begin()),
      ),
    );
    if (!card) body.append(...this.end());
    else if (card.ask) body.append(...this.question(card));
    else this.picture(card, body);
  }

  turn(by) {
    this.at += by;
    this.draw();
    this.focusNext();
    this.el.scrollIntoView({ block: "nearest" });
  }

  begin() {
    this.chosen.clear();
    this.turn(-this.at);
  }

  question({ ask, choices, right, why }) {
    const chosen = this.chosen.get(this.at);
    const kind = (at) => {
      if (chosen === undefined) return "";
      if (at === right) return " waiting-right";
      return at === chosen ? " waiting-wrong" : "";
    };
    const verdict =
      chosen === right
        ? this.say("waiting_right")
        : this.say("waiting_wrong", { right: choices[right] });
    return [
      make("p.phone-hint", this.say("waiting_guess")),
      make("p.waiting-ask", { id: "waiting-ask" }, ask),
      make(
        "div.waiting-choices",
        { role: "group", "aria-labelledby": "waiting-ask" },
        ...choices.map((choice, at) =>
          button(`phone-choice${kind(at)}`, choice, () => this.choose(at), {
            "aria-pressed": String(at === chosen),
            disabled: chosen !== undefined,
          }),
        ),
      ),
      make(
        "p.waiting-why",
        { role: "status" },
        ...(chosen === undefined ? [] : [make("b", verdict), ` ${why}`]),
      ),
    ];
  }

  choose(at) {
    this.chosen.set(this.at, at);
    this.draw();
    this.focusNext();
  }

  focusNext() {
    const next = /** @type {HTMLElement} */ (this.el.querySelector(".waiting-next"));
    next.focus({ preventScroll: true });
  }

  picture({ view, line }, body) {
    const { words, zone_css } = this.content;
    const state = { stills: [{ view, line }], view, setup: {}, words, languages: [], handbook: {} };
    const model = new PageModel({ ...state, art: this.art, zone_css }, () => {});
    this.undo = this.module.default.render({ model, el: body });
  }

  end() {
    const all = this.questions;
    const right = all.filter((at) => this.chosen.get(at) === this.content.cards[at].right).length;
    return [make("p.waiting-ask", this.say("waiting_done", { right, all: all.length }))];
  }
}
