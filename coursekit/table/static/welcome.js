// The first table that a browser sees offers two ways in; after that, all is as usual.

const MET = "coursekit:met"; // whether this browser has seen a table
const OWN_KEYS = /^coursekit:(met|speed|sound|hold|\/)/; // what tables keep in it

/** Whether this browser will know that it has seen a table. */
function canRemember() {
  remember("localStorage", `${MET}?`, "1");
  const can = recall("localStorage", `${MET}?`) !== null;
  forget("localStorage", `${MET}?`);
  return can;
}

Object.assign(Table.prototype, {
  /** Ask somebody new whether they want to be guided, unless a match is under way or nothing can be remembered. */
  greet() {
    const { view } = this;
    const kept = keysIn("localStorage");
    const isNew = !kept.some((key) => OWN_KEYS.test(key)) && canRemember();
    const waits = !view.hosted && !view.kept && !view.guided && view.people > 0 && !view.offer;
    if (!isNew || !waits || !this.model.get("handbook")?.[RULES]) return;
    if (document.querySelector(".ck-welcome")) return; // another table on this page has asked
    const way = (sign, id, hint, does, name = "") =>
      el(
        `button.ck-welcome-way ${name}`,
        {
          "data-key": id,
          onclick: () => {
            this.leaveWelcome();
            does();
          },
        },
        icon(sign),
        el("b", this.say(id)),
        " ",
        el("span", this.say(hint)),
      );
    this.welcome = el(
      "section.ck-welcome",
      { "aria-label": this.say("welcome") },
      el("h3.ck-form-title", { tabindex: "-1" }, this.say("welcome")),
      el(
        "div.ck-welcome-ways",
        way("book", "welcome_guided", "welcome_guided_hint", () => this.guide(true), "ck-primary"),
        way("turn", "welcome_play", "welcome_play_hint", () => {}),
      ),
    );
    this.formPlace.replaceChildren(this.welcome);
    this.formPlace.hidden = false;
    this.stage.hidden = true;
  },

  leaveWelcome() {
    if (!this.welcome) return;
    remember("localStorage", MET, "1");
    this.welcome.remove();
    this.welcome = null;
    this.formPlace.hidden = true;
    this.stage.hidden = false;
    this.prompt.focus({ preventScroll: true });
    this.root.querySelectorAll(".ck-hand").forEach(fan);
  },
});
