// The stage: a table that fills a height it is given (`--ck-room`), and the table alone on the whole screen.

const ENOUGH = { wide: 22, high: 29, turned: 17 }; // letters: where there is less, a table is not fitted and its page scrolls;
// "turned": the height of a phone on its side, which has a layout of its own
const SIDEWAYS = 1.5; // times as wide as high
const AGAIN_WITH = 1.5; // letters more, before a table is fitted again: a bar to scroll with takes some
// In letters of the smallest size on a fitted table:
const LEAST_MIDDLE = { row: 8, places: 4.2, turned: 5 }; // the height of a cloth's middle, which takes what is left
const LEAST_CARD = { plain: 3, written: 4.9 }; // the width of a card of a hand

Object.assign(Table.prototype, {
  fit() {
    const { root } = this;
    const letters = this.letterSize();
    root.style.setProperty("--letters", letters);
    if (this.view.board) return this.lay(true);
    const given = this.gauge.getBoundingClientRect().height;
    const size = [root.clientWidth, globalThis.innerWidth, given, letters].join();
    if (size !== this.tight) this.tight = null;
    const had = root.classList.contains("ck-fitted");
    const active = this.active();
    if (had && active?.matches?.("input[type=text]") && root.contains(active)) {
      // A keyboard has taken some height: what is written keeps its place.
      this.lay(true);
      active.closest("li")?.scrollIntoView({ block: "nearest" });
      return;
    }
    const more = this.given && !had ? AGAIN_WITH : 0; // none for a new table
    this.given = given;
    this.lay(!this.tight && this.hasRoom(more));
    if (!root.classList.contains("ck-fitted") || !this.crowds()) return;
    this.tight = size; // until the window is another one: a table does not change back and forth in a match
    this.lay(false);
  },

  lay(fitted) {
    this.root.classList.toggle("ck-fitted", fitted);
    this.fitTools();
    this.root.querySelectorAll(".ck-hand").forEach(fan);
    this.root.querySelectorAll(".ck-cards > .ck-middle .ck-row").forEach(fillRow);
    this.root.querySelectorAll(".ck-shelves").forEach(title);
  },

  /** Return how many times as large as usual the letters are that the reader has set, or sets as the least. */
  letterSize() {
    const set = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const least = this.letter.getBoundingClientRect().width / 13; // 13 px: what is small on a table
    return Math.round(100 * Math.max(1, set, least)) / 100;
  },

  /** Whether the table, which is fitted, is laid out for a phone on its side: the same as stage-turned.css asks. */
  isTurned() {
    const { root } = this;
    const letter = parseFloat(getComputedStyle(root).fontSize);
    return (
      root.clientHeight < ENOUGH.high * letter && root.clientWidth > SIDEWAYS * root.clientHeight
    );
  },

  /** Whether something on the cloth, which is fitted, has less room than it needs. */
  crowds() {
    const { root, cloth, middle, near, prompt } = this;
    if (!cloth.clientHeight) return false;
    const letter = parseFloat(getComputedStyle(root).fontSize) / 1.25; // the smallest, as in stage.css
    const bottom = (place) => place.getBoundingClientRect().bottom;
    const cards = cloth.classList.contains("ck-cards") && middle.children.length > 0;
    const kind = this.isTurned() ? "turned" : middle.querySelector(".ck-row") ? "row" : "places";
    const held = cloth.querySelector(".ck-hand .ck-card, .ck-hand .ck-print");
    return (
      bottom(near) > bottom(cloth) + 1 ||
      (cards && middle.clientHeight < LEAST_MIDDLE[kind] * letter) ||
      prompt.scrollHeight > prompt.clientHeight + 2 ||
      (held && widthOf(held) < LEAST_CARD[held.matches(".ck-print") ? "written" : "plain"] * letter)
    );
  },

  /** Whether the height that the page gives is enough for what must be seen at once, in letters; `more` of it are asked. */
  hasRoom(more) {
    const room = getComputedStyle(this.root).getPropertyValue?.("--ck-room").trim();
    if (!room || !CSS.supports("selector(:has(*))")) return false; // Firefox 115 cannot lay it out
    const { width, height: given } = this.gauge.getBoundingClientRect();
    const letter = 1.25 * width;
    const wide = this.root.clientWidth;
    const high = wide > SIDEWAYS * given ? ENOUGH.turned : ENOUGH.high;
    return wide >= (ENOUGH.wide + more) * letter && given >= (high + more) * letter;
  },

  /** The table alone: on the whole screen if the browser can, else in the whole window. */
  enlarge(on) {
    this.root.classList.toggle("ck-staged", on);
    this.nameEnlarger();
    this.fit();
    // It may be small again by the time the browser shows it on the whole screen.
    if (on)
      this.root.requestFullscreen?.()?.then?.(
        () => this.enlarged() || this.enlarge(false),
        () => {},
      );
    else if (this.root.getRootNode().fullscreenElement === this.root) document.exitFullscreen();
  },

  enlarged() {
    return this.root.classList.contains("ck-staged");
  },

  nameEnlarger() {
    const on = this.enlarged();
    const words = this.say(on ? "small" : "big");
    const enlarger = this.tools.querySelector(".ck-enlarge");
    enlarger.replaceChildren(icon(on ? "shrink" : "grow"), el("span.ck-text", words));
    enlarger.setAttribute("title", words);
  },

  leftScreen() {
    const full = this.root.getRootNode().fullscreenElement === this.root;
    if (this.full && !full && this.enlarged()) this.enlarge(false);
    this.full = full;
  },

  /** Where there is no room beside the cloth, what belongs there lies over it when it is asked for. */
  toggleAside() {
    const open = this.root.classList.toggle("ck-aside-open");
    this.tools.querySelector(".ck-aside").setAttribute("aria-expanded", open);
    this.followLogs();
  },

  followLogs() {
    for (const log of this.root.querySelectorAll("[data-follow]")) log.scrollTop = log.scrollHeight;
  },

  escape() {
    if (this.root.classList.contains("ck-menu-open")) return this.toggleMenu();
    if (this.closeup.sheet) return this.closeup.close();
    if (this.root.classList.contains("ck-aside-open")) return this.toggleAside();
    if (!this.enlarged()) return;
    this.enlarge(false);
    this.tools.querySelector(".ck-enlarge").focus();
  },
});
