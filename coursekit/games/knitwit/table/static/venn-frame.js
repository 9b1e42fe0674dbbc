// Which part of the zone is seen, how large, and how it is turned. A small canvas comes as close to what lies there as it
// can, and a high one shows the zone turned by a quarter, so that a phone uses its height.

const NO_BOX = [340, 212.5]; // pixels of a canvas that is not laid out
const FRAME = {
  whole: 2.4, // pixels a unit: a canvas on which the whole zone is that large shows the whole zone
  closest: 5, // pixels a unit
  tags: [46, 26], // pixels for tags at the sides, and above and below; less where the canvas is low
  room: 30, // units around what lies there, to draw in
  least: 130, // units that are seen at least while something is drawn
  spot: 44, // pixels of a free place: as large as a finger needs it
};

/** The box around points, grown by `room`, at least `least` wide and high: its sides on both axes. */
function boxAround(points, room, least) {
  return [0, 1].map((axis) => {
    const all = points.map((point) => point[axis]);
    const [from, to] = [Math.min(...all) - room, Math.max(...all) + room];
    const more = Math.max(0, least - (to - from)) / 2;
    return [from - more, to + more];
  });
}

Object.assign(Venn.prototype, {
  /** How the canvas is laid out, "" while it is not. */
  laidOut() {
    const { clientWidth, clientHeight } = this.canvas;
    const fitted = this.table.root.classList.contains("ck-fitted");
    return clientWidth ? `${clientWidth} ${clientHeight} ${fitted}` : "";
  },

  /** Choose what is seen on the canvas as it is now. */
  look() {
    this.seen = this.laidOut();
    if (this.seen) this.measureCanvas();
    const sides = this.upright ? [...this.zone.size].reverse() : this.zone.size;
    const whole = Math.min(...this.box.map((side, axis) => side / sides[axis]));
    const comesClose = this.upright || (this.seen !== "" && whole < FRAME.whole);
    const near = comesClose && this.zone.loops.length > 0;
    const part = near ? this.partInUse(sides) : sides.map((side) => [0, side]);
    const margin = FRAME.tags.map((tag, axis) =>
      near && !this.zone.draw ? Math.min(tag, this.box[axis] / 8) : 0,
    );
    const fits = part.map(
      ([from, to], axis) => (this.box[axis] - 2 * margin[axis]) / Math.max(1, to - from),
    );
    this.scale = Math.max(whole, near ? Math.min(FRAME.closest, ...fits) : whole);
    this.from = part.map(([from, to], axis) => {
      const [room, side] = [this.box[axis] / this.scale, sides[axis]];
      const middle = (from + to) / 2 - room / 2;
      if (!this.zone.draw) return middle;
      return room > side ? (side - room) / 2 : Math.min(side - room, Math.max(0, middle));
    });
  },

  measureCanvas() {
    const [wide, fitted] = [this.canvas.clientWidth, this.seen.endsWith("true")];
    if (wide !== this.box[0] || fitted !== this.fitted) {
      // A keyboard takes of the height alone, and must not turn what is looked at.
      const { clientWidth, clientHeight } = this.table.cloth;
      this.upright = fitted && clientHeight > clientWidth * 1.15;
    }
    this.fitted = fitted;
    this.box = [wide, this.canvas.clientHeight];
  },

  /** The part of the zone in which something lies or is laid, turned as it is seen. */
  partInUse(sides) {
    const { loops, spools, draw: draws } = this.zone;
    const points = [
      ...loops.flatMap((loop) => [...loop.points, loop.pin]),
      ...spools.map(({ at }) => at),
    ];
    const turned = points.map((point) => this.turned(point));
    if (!draws) return boxAround(turned, 0, 0);
    const draft = (this.shown?.points ?? []).map((point) => this.turned(point));
    const around = boxAround(turned, FRAME.room, FRAME.least);
    const corners = [0, 1].map((end) => around.map((ends) => ends[end]));
    return boxAround([...corners, ...draft], 0, 0).map(([from, to], axis) => [
      Math.max(0, from),
      Math.min(sides[axis], to),
    ]);
  },

  /** Lay out the free places as large as a finger needs them, each as near to its region as the others let it. */
  placeSpots() {
    const spots = this.zone.spots ?? [];
    const [width, height] = this.box;
    const touched = width < 600 || matchMedia("(pointer: coarse)").matches;
    const roomy = Math.sqrt((0.5 * width * height) / Math.max(1, spots.length));
    this.spotSize = touched ? Math.min(FRAME.spot, roomy) : Math.max(24, this.scale * 6.4);
    const spools = this.zone.spools.map(({ at }) => ({ at: this.px(at), radius: this.radius }));
    const homes = spots.map(({ at }) => this.px(at));
    const places = partPlaces(homes, this.spotSize / 2, spools, this.box);
    this.places = spots.map((spot, n) => ({ spot, px: places[n] }));
  },

  /** @param {number[]} point */
  turned([x, y]) {
    return this.upright ? [this.zone.size[1] - y, x] : [x, y];
  },

  /** Where a point of the zone is on the canvas, in pixels.
   * @param {number[]} point */
  px(point) {
    return this.turned(point).map((value, axis) => (value - this.from[axis]) * this.scale);
  },

  /** The point of the zone under a finger. */
  at({ clientX, clientY }) {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const unit = this.box[0] / this.scale / (width || 1); // also where the page is zoomed
    const [x, y] = [(clientX - left) * unit + this.from[0], (clientY - top) * unit + this.from[1]];
    return this.upright ? [y, this.zone.size[1] - x] : [x, y];
  },

  /** A way across the canvas as one across the zone. */
  wayOf({ x = 0, y = 0, ...rest }) {
    return this.upright ? { x: y, y: -x, ...rest } : { x, y, ...rest };
  },

  /** The style of what lies at a point of the canvas. */
  place(at) {
    const [left, top] = at.map((value, axis) => `${((value / this.box[axis]) * 100).toFixed(2)}%`);
    return { "--x": left, "--y": top };
  },
});
