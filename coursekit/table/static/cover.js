// Hands at a screen that others see as well: covered until somebody takes it.

Object.assign(Table.prototype, {
  /** What lies over the hand at this moment. */
  covers() {
    const { covered } = this.view;
    return covered.length ? [this.cover(covered)] : [];
  },

  /** All hands are covered until one of `waiting` says the screen is theirs. */
  cover(waiting) {
    const text = waiting.length > 1 ? this.view.covered_words : this.say("covered").replace("{name}", waiting[0].name);
    return make("div", "ck-covered", {},
      make("div", "ck-covered-cards", {}, ...[0, 1, 2].map(() => card({ back: true }, this))),
      make("p", "ck-covered-name", {}, text),
      ...waiting.map(({ seat, name }, at) => button(at ? "ck-big" : "ck-primary ck-big", null, this.say("uncover").replace("{name}", name),
        () => this.send({ type: "uncover", seat }), { "data-key": `uncover-${seat}` })));
  },
});
