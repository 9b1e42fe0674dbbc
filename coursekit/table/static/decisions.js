// A decision goes to the kernel, which answers with a view or with the reason why not.

const PATIENCE = 8000; // milliseconds that an answer may take

Object.assign(Table.prototype, {
  touch(piece, { currentTarget }) {
    if (piece.action !== undefined) return this.act(piece, currentTarget);
    if (!this.playing()) this.closeup.open(piece); // else the click on the cloth skips
  },

  act(choice, element) {
    if (this.playing() || this.clocks.isHeld(choice)) return; // the click on the cloth skips
    if (this.finish(() => this.act(choice, element), choice.after !== undefined)) return;
    if (!this.pending) this.ask(choice, element);
  },

  ask(choice, element) {
    this.lost = "";
    this.touched = element.dataset.key;
    this.refuse("");
    this.askedIn = this.closeup.piece;
    this.decide(choice);
    element.classList.add("ck-asked");
  },

  decide({ action, seat }) {
    const { acted, viewer } = this.view;
    this.pending = this.used = true;
    this.asked = this.send({ type: "act", acted, seat: seat ?? viewer, action });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.pending && this.missed(), PATIENCE);
    return this.asked;
  },

  missed() {
    if (this.view.hosted) return this.wait();
    this.pending = false;
    this.refuse(this.say("offline"));
    this.living.forEach((zone) => zone.gaveUp());
  },

  /** A room is sent again what it has not answered: until then nothing else can be decided. */
  wait() {
    this.pending = true;
    this.note(this.say("unsent"));
  },

  /** The room has what waited. */
  arrived() {
    this.pending = false;
    this.note("");
  },

  /** Ask the others at this screen whether the last decision may be taken back. */
  askBack({ decision, ask }) {
    const choice = (name, id, does) =>
      button(name, null, this.say(id), () => {
        this.asking.close();
        does();
      });
    this.asking.setAttribute("aria-label", this.say("take_back"));
    this.asking.replaceChildren(
      el("p", ask),
      el(
        "div.ck-asking-choices",
        choice("", "take_back_keep", () => {}),
        choice("ck-primary", "take_back_agree", () => this.send({ type: "take_back", decision })),
      ),
    );
    this.asking.showModal();
  },

  handOn() {
    const cover = () => this.send({ type: "cover" });
    if (!this.finish(cover, true)) cover();
  },

  /** See to it that what is typed in a zone is sent before `act`; returns whether that has to wait. */
  finish(act, anyway) {
    return this.livingThat((zone) => zone.finish(act, anyway)).length > 0;
  },

  note(text) {
    const shown = this.closeup.sheet?.querySelector(".ck-refusal");
    this.refusal.replaceChildren(shown ? "" : text);
    shown?.replaceChildren(text);
  },

  refuse(text) {
    this.note(text);
    this.root
      .querySelectorAll(".ck-refused[data-key], .ck-asked")
      .forEach((asked) => asked.classList.remove("ck-refused", "ck-asked"));
    if (!text) return;
    this.keyed(this.touched)?.classList.add("ck-refused");
    this.form?.refuse(text);
  },

  /** The kernel says why not; what is typed is sent all the same, and does not wipe it out. */
  refused(text, to) {
    if (this.livingThat((zone) => zone.refused(text, to)).length) return;
    if (this.closeup.piece === this.askedIn) this.refuse(text); // else another card is being looked at by now
    if (this.livingThat((zone) => zone.goOn()).length) this.lost = text;
  },
});
