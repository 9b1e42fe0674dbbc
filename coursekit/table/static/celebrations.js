// Moments worth a smile: a line drawn round what went well, once it is told. It covers nothing, and nothing waits for it.

const DRAWN = 520; // milliseconds in which a line is drawn
const SEEN = 300; // and in which it fades

const edge = (w, h, r = 12) =>
  `M${r} 2H${w - r}Q${w - 2} 2 ${w - 2} ${r}V${h - r}Q${w - 2} ${h - 2} ${w - r} ${h - 2}H${r}Q2 ${h - 2} 2 ${h - r}V${r}Q2 2 ${r} 2Z`;

const LINES = {
  met: (w, h) => [
    `M${w * 0.16} ${h * 0.24}C${w * 0.5} ${-h * 0.08} ${w} 0 ${w - 2} ${h * 0.5}S${w * 0.5} ${h - 1} ${w * 0.3} ${h - 2}S2 ${h * 0.8} 3 ${h * 0.45}S${w * 0.3} 2 ${w * 0.62} 3`,
  ],
  all_met: edge,
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
    if (!moments.length || this.isStill() || same(moments, former.moments)) return;
    this.sounds.play("hit");
    moments.forEach((moment, at) => this.mark(moment, 70 * Math.min(at, 3)));
    for (const type of ["pointerdown", "keydown"])
      this.root.addEventListener(type, () => this.unmark(), { once: true });
  },

  subject({ kind, seat, piece }) {
    const within = (selector) => this.cloth.querySelector(selector);
    if (piece !== undefined) return within(`[data-piece="${piece}"]`);
    const plate = seat === undefined ? this.cloth : within(`.ck-plate[data-seat="${seat}"]`);
    if (kind !== "met") return plate;
    return (
      [...(plate?.querySelectorAll(".ck-pips, .ck-count") ?? [])]
        .reverse()
        .find((part) => part.matches(".ck-count:first-child, :has(.ck-pip)")) ?? plate
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
    this.cloth.querySelectorAll(".ck-moment").forEach((line) => line.remove());
  },
});
