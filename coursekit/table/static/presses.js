// A press that comes too early: on what has just appeared under the finger, before anybody can have chosen it.

const FRESH = 900; // milliseconds for which what appears where the last press was cannot be pressed
const GLIMPSED = 300; // the same, where the player has aimed since the last press
const JITTER = 12; // pixels by which a hand moves a mouse that it leaves where it is
const FINGER = 28; // the same between two touches of one place
const ECHO = 20; // milliseconds in which no hand presses twice
const PRESSED = 'label, button, summary, input[type="checkbox"], input[type="radio"]';
const TOGGLES = "[aria-haspopup], [aria-expanded], [aria-pressed]";

class Presses {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.born = new Map(); // when each control, as it is in this decision, was drawn first
    this.aimed = -Infinity; // when the player has last pointed at another place
    this.pressed = -Infinity; // when they have last pressed anything
    this.control = this.target = null; // what that was
    this.at = { x: 0, y: 0 }; // where they have pointed
    this.drawn = new MutationObserver(() => this.look());
  }

  /** Hear every press within `root`, the one place for all games and controls; return what ends that. */
  hear(root) {
    const attributes = ["class", "data-key", "aria-label"];
    this.root = root;
    this.drawn.observe(root, { childList: true, subtree: true, attributeFilter: attributes });
    root.addEventListener("click", (event) => this.click(event), true);
    /** @type {[string, (event: any) => void][]} */
    const heard = Object.entries({
      pointermove: (event) => this.aim(event),
      pointerdown: (event) => this.aim(event),
      keydown: ({ key }) => {
        if (key !== "Enter" && key !== " ") this.aimed = Date.now();
      },
    });
    heard.forEach(([type, does]) => document.addEventListener(type, does, true));
    return () => {
      this.drawn.disconnect();
      heard.forEach(([type, does]) => document.removeEventListener(type, does, true));
    };
  }

  aim({ clientX: x, clientY: y, pointerType }) {
    const slack = pointerType === "mouse" ? JITTER : FINGER;
    if (Math.hypot(x - this.at.x, y - this.at.y) <= slack) return;
    this.at = { x, y };
    this.aimed = Date.now();
  }

  /** What `control` is in the decision at hand: the same button after it is another one. */
  nameOf(control) {
    const { match, branch, acted, viewer, looking_back: back } = this.table.view;
    const decision = control.closest(".ck-stage") ? [match, branch, acted, viewer, back] : [];
    const { key } = control.dataset;
    const own = key ?? control.getAttribute("aria-label") ?? control.textContent;
    return JSON.stringify([own, control.classList.contains("ck-legal"), ...decision]);
  }

  look() {
    const names = [...this.root.querySelectorAll(PRESSED)].map((each) => this.nameOf(each));
    const now = Date.now();
    this.born = new Map(names.map((name) => [name, this.born.get(name) ?? now]));
  }

  click(event) {
    if (!event.isTrusted && !this.table.fingered()) return; // no hand has pressed
    const control = event.target.closest(PRESSED);
    const now = Date.now();
    const isEcho = now - this.pressed < ECHO && event.target !== this.target;
    if (isEcho && this.control?.contains(event.target)) return; // a label clicks its box
    const early = control && !this.table.playing() && this.isEarly(control, now);
    this.pressed = now;
    Object.assign(this, { control, target: event.target });
    const again = event.detail > 1 && control?.matches(TOGGLES); // the second half of a double click
    if (!early && !again) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!early) return;
    this.table.touched = control.dataset.key;
    this.table.refuse(this.table.say("too_early"));
  }

  isEarly(control, now) {
    if (this.drawn.takeRecords().length) this.look(); // also what was drawn in this very moment
    const born = this.born.get(this.nameOf(control));
    return born > this.aimed && now - born < (this.aimed > this.pressed ? GLIMPSED : FRESH);
  }
}
