// Moments worth a smile: a line drawn round what went well, once it is told, and what it brought. Nothing waits for it.

const DRAWN = 520; // milliseconds in which a line is drawn
const SEEN = 300; // and in which it fades
const READ = 1400; // and in which a number of points can be read

const edge = (w, h, r = 12) =>
  `M${r} 2H${w - r}Q${w - 2} 2 ${w - 2} ${r}V${h - r}Q${w - 2} ${h - 2} ${w - r} ${h - 2}H${r}Q2 ${h - 2} 2 ${h - r}V${r}Q2 2 ${r} 2Z`;

const LINES = {
  met: (w, h) => [
    `M${w * 0.16} ${h * 0.24}C${w * 0.5} ${-h * 0.08} ${w} 0 ${w - 2} ${h * 0.5}S${w * 0.5} ${h - 1} ${w * 0.3} ${h - 2}S2 ${h * 0.8} 3 ${h * 0.45}S${w * 0.3} 2 ${w * 0.62} 3`,
  ],
  all_met: edge,
  taken: edge,
  written: (w, h) => [edge(w, h, 6), `M9 3V${h - 3}`, `M${w - 2} 8l4 3V${h - 4}l-4 -4`],
  lifted: (w, h) => [`M4 ${h - 2}H${w - 4}`],
  unique: (w, h) => [`M3 ${h - 5}${"q4 -6 8 0t8 0".repeat(Math.max(1, Math.floor((w - 6) / 16)))}`],
  won: (w, h) => [
    `M2 16V${h - 14}Q2 ${h - 2} 14 ${h - 2}H${w / 2}`,
    `M${w - 2} 16V${h - 14}Q${w - 2} ${h - 2} ${w - 14} ${h - 2}H${w / 2}`,
  ], // from both sides, below the flag
};

Object.assign(Table.prototype, {
  celebrate(scene, former) {
    const moments = scene.moments ?? [];
    const isSeen = this.speed !== "once" && document.visibilityState !== "hidden";
    if (!moments.length || !isSeen || same(moments, former.moments)) return;
    const own = moments.filter((moment) => this.isOwn(moment));
    if (own.length) this.sounds.play(own.some(({ kind }) => kind !== "taken") ? "hit" : "trick");
    moments.forEach((moment, at) => {
      if (!this.calm.matches) this.mark(moment, 70 * Math.min(at, 3));
      if (moment.gain && !this.sober) this.showGain(moment);
    });
    for (const type of ["pointerdown", "keydown"])
      this.root.addEventListener(type, () => this.unmark(), { once: true });
  },

  /** Whether it is heard here: at a screen of one's own what others get is seen alone. */
  isOwn({ seat }) {
    const { hosted, viewer } = this.view;
    return !hosted || viewer === null || seat === undefined || seat === viewer;
  },

  /** Let the points that a moment brought rise from the plate, larger those of whose screen it is; with less motion they stand. */
  showGain(moment) {
    const plate = this.cloth.querySelector(`.ck-plate[data-seat="${moment.seat}"]`);
    const box = plate?.getBoundingClientRect();
    if (!box?.width) return;
    const { left, top } = this.cloth.getBoundingClientRect();
    const own = moment.seat === this.view.viewer ? " ck-own" : "";
    const words = el(`span.ck-gain${own}`, { "aria-hidden": "true" }, `+${moment.gain}`);
    words.style.left = `${box.left - left + box.width / 2}px`;
    words.style.top = `${box.top - top + box.height / 2}px`;
    this.cloth.append(words);
    const still = { opacity: 1, transform: "translate(-50%, -50%)" };
    const frames = this.calm.matches
      ? [still, still]
      : [
          { opacity: 0, transform: "translate(-50%, -20%) scale(.5)" },
          { ...still, transform: "translate(-50%, -50%) scale(1.15)", offset: 0.2 },
          { ...still, offset: 0.75 },
          { opacity: 0, transform: "translate(-50%, -90%)" },
        ];
    const gone = () => words.remove();
    words.animate(frames, { duration: READ, easing: "ease-out" }).finished.then(gone, gone);
  },

  subject({ kind, seat, piece }) {
    const within = (selector) => this.cloth.querySelector(selector);
    if (piece !== undefined) return within(`[data-piece="${piece}"]`);
    const plate = seat === undefined ? this.cloth : within(`.ck-plate[data-seat="${seat}"]`);
    if (kind !== "met") return plate;
    return (
      [...(plate?.querySelectorAll(".ck-pips, .ck-count") ?? [])]
        .reverse()
        .find((part) => part.matches(".ck-count:first-child") || part.querySelector(".ck-pip")) ??
      plate
    );
  },

  mark(moment, delay) {
    const box = this.subject(moment)?.getBoundingClientRect();
    if (!box?.width) return;
    const { left, top } = this.cloth.getBoundingClientRect();
    const room =
      moment.seat === undefined && moment.piece === undefined ? -6 : moment.kind === "met" ? 6 : 4;
    const [w, h] = [box.width + 2 * room, box.height + 2 * room];
    const lines = [LINES[moment.kind](w, h)]
      .flat()
      .map((d) => svg("path", { d, pathLength: 1, "stroke-dasharray": 1 }));
    const sign = svg(
      `svg.ck-moment ck-moment-${moment.kind}`,
      { viewBox: `0 0 ${w} ${h}`, width: w, height: h, "aria-hidden": "true" },
      ...lines,
    );
    sign.style.left = `${box.left - left - room}px`;
    sign.style.top = `${box.top - top - room}px`;
    this.cloth.append(sign);
    const timing = { duration: DRAWN, delay, easing: "ease-out", fill: "both" };
    lines.forEach((line) =>
      line.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], timing),
    );
    if (moment.kind === "written") {
      // the cover closes
      sign.animate([{ transform: "perspective(500px) rotateY(-110deg)" }, { transform: "none" }], {
        ...timing,
        easing: "cubic-bezier(.3,0,.3,1.3)",
      });
    }
    const gone = () => sign.remove();
    sign
      .animate([{ opacity: 1 }, { opacity: 0 }], {
        duration: SEEN,
        delay: DRAWN + delay,
        fill: "forwards",
      })
      .finished.then(gone, gone);
  },

  unmark() {
    this.cloth.querySelectorAll(".ck-moment, .ck-gain").forEach((line) => line.remove());
  },
});
