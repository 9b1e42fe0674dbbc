// Who sits with whom at the next deal: the room proposes it, and the teacher rearranges it by two taps or by dragging.

import { button, make } from "./dom.js";

const FAR = 6; // pixels that a pointer moves before it drags
const TARGETS = "[data-person], [data-beside]";

export class Groups {
  /** @param {any} console the page, which asks for its elements at `parts` and is told what to order */
  constructor(console) {
    this.console = console;
    this.picked = null; // a person: the next tap says where they go
    this.held = null; // what a pointer has pressed and may drag
    const { page } = console;
    page.addEventListener("pointerdown", (event) => this.hold(event));
    page.addEventListener("click", (event) => this.swallow(event), true);
    addEventListener("pointermove", (event) => this.drag(event));
    addEventListener("pointerup", () => this.drop());
    addEventListener("pointercancel", () => this.letGo());
    addEventListener("keydown", ({ key }) => key === "Escape" && this.letGo());
  }

  /** Whether somebody is on the way: the page must not be drawn anew meanwhile. */
  get dragging() {
    return Boolean(this.held?.far);
  }

  parts() {
    const { groups, sizes, people } = this.console.room;
    const names = new Map(people.map(({ person, name }) => [person, name]));
    if (!names.has(this.picked)) this.picked = null;
    const picked = names.get(this.picked);
    const hint = picked ? this.say("groups_picked", { name: picked }) : this.say("groups_hint");
    return [
      this.tools(),
      make("p.console-hint", { role: "status" }, groups.length ? hint : this.say("nobody")),
      groups.length > 0 &&
        make(
          "div.console-groups",
          ...groups.map((group, at) => this.group(group, at + 1)),
          groups.flat().length > 1 && this.newTable(picked),
        ),
      sizes.length === 1 && make("p.console-hint", this.say("one_size", { size: sizes[0] })),
    ].filter(Boolean);
  }

  say(id, values = {}) {
    return this.console.say(id, values);
  }

  tools() {
    const { sizes, settings, grouped, groups } = this.console.room;
    const order = (type) => () => {
      this.picked = null;
      this.console.order(type);
    };
    return make(
      "div.console-row",
      sizes.length > 1 &&
        make(
          "label.console-size",
          this.say("size"),
          this.console.select(
            "size",
            sizes.map((size) => [size, String(size)]),
            settings.size,
            (size) => this.console.order("set", { size: Number(size) }),
          ),
        ),
      groups.length > 0 && this.console.button("shuffle", order("shuffle")),
      grouped && this.console.button("keep_groups", order("keep_groups")),
    );
  }

  group(group, number) {
    const { people, sizes } = this.console.room;
    const members = group.map((person) => people.find((one) => one.person === person));
    const here = members.filter((one) => one?.here).length;
    const computers = here ? Math.min(...sizes.filter((size) => size >= here)) - here : 0;
    const title = this.say("table", { number });
    const comes = this.picked !== null && !group.includes(this.picked);
    return make(
      "section.console-group",
      { "data-key": `g${number}`, "data-beside": String(group[0]), "aria-label": title },
      make(
        "h3",
        make("span", title),
        computers > 0 && make("small", this.say("computers", { count: computers })),
        !here && make("small", this.say("group_away")),
      ),
      make("ul", ...members.filter(Boolean).map((one) => this.chip(one))),
      comes &&
        group.length < Math.max(...sizes) &&
        button("console-button console-here", this.say("put_here"), () => this.move(group[0])),
    );
  }

  chip({ person, name, here }) {
    return make(
      "li",
      { "data-key": `c${person}` },
      button(
        `console-button console-chip${here ? "" : " console-gone"}`,
        name,
        () => this.tap(person),
        {
          "data-person": String(person),
          "aria-pressed": String(person === this.picked),
          title: here ? name : `${name} · ${this.say("is_away")}`,
        },
      ),
    );
  }

  newTable(picked) {
    return button("console-button console-new", this.say("new_table"), () => this.move(null), {
      "data-key": "new",
      "data-beside": "",
      disabled: !picked,
    });
  }

  tap(person) {
    const together = this.console.room.groups.some(
      (group) => group.includes(person) && group.includes(this.picked),
    );
    if (this.picked === null || together) {
      this.picked = person === this.picked ? null : person;
      this.console.draw();
    } else this.place(this.picked, { beside: person, swap: true });
  }

  move(beside) {
    if (this.picked !== null) this.place(this.picked, { beside });
  }

  place(person, where) {
    this.picked = null;
    this.console.order("place", { person, ...where });
  }

  // With a mouse or a pen; a finger scrolls

  hold(event) {
    const chip = event.target.closest("[data-person]");
    if (!chip || event.button || event.pointerType === "touch") return;
    this.held = { chip, x: event.clientX, y: event.clientY, far: false, target: null };
  }

  drag({ clientX, clientY }) {
    const { held } = this;
    if (!held) return;
    const across = clientX - held.x,
      down = clientY - held.y;
    held.far ||= Math.hypot(across, down) > FAR;
    if (!held.far) return;
    held.chip.classList.add("console-dragged");
    held.chip.style.translate = `${across}px ${down}px`;
    const target = document.elementFromPoint(clientX, clientY)?.closest(TARGETS) ?? null;
    if (target === held.target) return;
    held.target?.classList.remove("console-target");
    target?.classList.add("console-target");
    held.target = target;
  }

  drop() {
    const { held } = this;
    if (!held?.far) {
      this.held = null;
      return;
    }
    this.letGo();
    const { person: other, beside } = held.target?.dataset ?? {};
    const person = Number(held.chip.dataset.person);
    if (other) this.place(person, { beside: Number(other), swap: true });
    else if (beside !== undefined) this.place(person, { beside: beside ? Number(beside) : null });
  }

  /** Nobody is on the way, or picked, any more. */
  letGo() {
    const { held } = this;
    if (!held && this.picked === null) return;
    this.swallowing = Boolean(held?.far);
    setTimeout(() => {
      this.swallowing = false;
    });
    held?.target?.classList.remove("console-target");
    this.held = this.picked = null;
    this.console.draw();
  }

  /** The click that ends a drag is none. */
  swallow(event) {
    if (this.swallowing) event.stopPropagation();
  }
}
