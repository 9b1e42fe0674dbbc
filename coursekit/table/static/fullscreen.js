// The stage: a table that fills a height it is given (`--ck-room`), and the table alone on the whole screen.

Object.assign(Table.prototype, {
  fit() {
    this.root.classList.toggle(
      "ck-fitted",
      Boolean(getComputedStyle(this.root).getPropertyValue?.("--ck-room").trim()),
    );
    this.root.querySelectorAll(".ck-hand").forEach(fan);
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
    else if (document.fullscreenElement === this.root) document.exitFullscreen();
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
    const full = document.fullscreenElement === this.root;
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
