// The keyboard: where Tab stops in a group of buttons, and where the keyboard is when all has been drawn anew.

function todoIn(buttons) {
  const legal = [...buttons].filter((button) => button.matches(".ck-legal"));
  return legal.find((button) => !button.matches(".ck-quiet")) ?? legal[0];
}

function stopAt(
  buttons,
  chosen = todoIn(buttons) ??
    buttons.find((button) => button.getAttribute("aria-disabled") !== "true") ??
    buttons[0],
) {
  buttons.forEach((button) => button.setAttribute("tabindex", button === chosen ? "0" : "-1"));
}

/** One stop for Tab in `group`; arrows, Home and End walk through the buttons that `list` returns. */
function rove(group, list) {
  stopAt(list());
  group.addEventListener(
    "focusin",
    (event) => list().includes(event.target) && stopAt(list(), event.target),
  );
  group.addEventListener("keydown", (event) => {
    nextByKey(event, list())?.focus();
  });
  return group;
}

Object.assign(Table.prototype, {
  keyed(key) {
    return [...this.root.querySelectorAll("[data-key]")].find(
      (element) => element.dataset.key === key,
    );
  },

  active() {
    return this.root.getRootNode().activeElement;
  },

  holdFocus() {
    const active = this.active();
    return active && this.root.contains(active) ? (active.dataset.key ?? "prompt") : null;
  },

  /** Keep the keyboard where it was; if that is gone or can do nothing, go to what can be done now. */
  giveFocus(key, scene) {
    const now = this.active();
    if (now !== this.prompt && this.root.contains(now) && now.dataset.key === key) return; // it has stayed
    const stops = [...this.root.querySelectorAll("[data-lm-suppress-shortcuts]")];
    const same = stops.find((stop) => stop.dataset.key === key);
    if (same && same !== this.prompt && !this.near.contains(same))
      return same.focus({ preventScroll: true });
    const todo = !this.playing() && scene.turn && todoIn(this.near.querySelectorAll(".ck-legal"));
    const uncover = this.near.querySelector(".ck-covered button");
    const keep =
      same &&
      same !== this.prompt &&
      (!todo || same.matches(".ck-legal, [aria-disabled], [aria-pressed]"));
    return (keep ? same : todo || uncover || this.prompt).focus({ preventScroll: true });
  },

  pressed(event) {
    if (event.key === "Escape") this.escape();
    // A key held down on a card would press what its sheet offers first.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  },
});
