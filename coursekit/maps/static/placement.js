// Room on the paper: its size, and the place of a new concept, far enough from others for lines and phrases.

const PAPER = 2.4; // on a phone, width and height of the paper for new concepts, in fields
const LARGER = [1, 1.3, 1.7, 2.2]; // how much the paper grows if no place on it is free
const RINGS = [1, 1.35, 1.8, 2.4]; // in distances that a line needs
const ANGLES = 16;
const WIDER = 1.02; // least growth that draws everything anew

Object.assign(Drawing.prototype, {
  spread() {
    if (!this.size[0]) return;
    const boxes = [...this.boxes.values()];
    this.edge = ["w", "h"].map((side, axis) =>
      Math.min(
        this.size[axis] / 4,
        8 + Math.max(this.font * 2, ...boxes.map((box) => box[side])) / 2,
      ),
    );
    this.room = this.neededRoom();
    for (const [id, box] of this.boxes) this.put(id, box.at);
    this.routes();
    this.paper.setAttribute("width", this.across);
    this.paper.setAttribute("height", this.down_);
  },

  neededRoom() {
    const phrases = [...this.lines.values()].map(({ w, h, start, end }) => ({
      w,
      h,
      ends: [this.boxes.get(start), this.boxes.get(end)],
    }));
    return Math.max(this.grown, roomFor([...this.boxes.values()], phrases, this.size, this.edge));
  },

  /** Take a larger paper if the concepts `added` need one, and keep the selected thing in its place on screen; -> whether. */
  widen(added) {
    if (!added.length || !this.size[0] || this.neededRoom() < this.room * WIDER) return false;
    const fixed =
      this.boxes.get(this.editor.selected) ?? this.boxes.get(this.here) ?? this.boxes.get(added[0]);
    const before = this.onScreen([fixed.x, fixed.y]);
    this.spread();
    const after = this.onScreen([fixed.x, fixed.y]);
    this.look(
      {
        zoom: this.view.zoom,
        x: this.view.x + before[0] - after[0],
        y: this.view.y + before[1] - after[1],
      },
      false,
    );
    return true;
  },

  free(id) {
    const near = this.boxes.get(id);
    const first = Math.max(this.room, this.phone && this.boxes.size ? PAPER : 1);
    for (const room of LARGER.map((times) => times * first)) {
      const found = this.freeOn(room, near);
      if (!found) continue;
      this.grown = Math.max(this.grown, room > this.room ? room : 1);
      return found;
    }
    return this.placeOf(
      [this.size[0] / 2, this.size[1] / 2].map(
        (part, axis) => (part - [this.view.x, this.view.y][axis]) / this.view.zoom,
      ),
    );
  },

  freeOn(room, near) {
    const paper = this.size.map((side) => side * room);
    const put = (box) => {
      const [x, y] = this.pointAt(box.at, paper);
      return { x, y, w: box.w, h: box.h };
    };
    const boxes = [...this.boxes.values()].map(put);
    const lines = [...this.lines.values()].map(({ start, end, w, h }) => {
      const ends = [start, end].map((end) => put(this.boxes.get(end)));
      return {
        ends,
        phrase: { x: (ends[0].x + ends[1].x) / 2, y: (ends[0].y + ends[1].y) / 2, w, h },
      };
    });
    const middle = this.pointAt(
      this.placeAt(
        [0, 1].map(
          (axis) => (this.size[axis] / 2 - [this.view.x, this.view.y][axis]) / this.view.zoom,
        ),
      ),
      paper,
    );
    const from = near ? put(near) : { x: middle[0], y: middle[1], w: 0, h: 0 };
    const [w, h] = [this.font * 7, this.font * 3.2];
    const gap = [(from.w + w) / 2 + this.small * 6.5, (from.h + h) / 2 + this.small * 4.2];
    let [best, least] = [null, Infinity];
    for (const [ring, far_] of (near ? RINGS : [0, ...RINGS]).entries()) {
      for (let step = 0; step < (far_ ? ANGLES : 1); step += 1) {
        const angle = (step * 2 * Math.PI) / ANGLES;
        const away = far_ * (1 + 0.25 * Math.abs(Math.sin(2 * angle))); // on a diagonal, cards are nearer to each other
        const box = {
          x: from.x + Math.cos(angle) * away * gap[0],
          y: from.y + Math.sin(angle) * away * gap[1],
          w,
          h,
        };
        const out = [
          [box.x, w, 0],
          [box.y, h, 1],
        ].some(([at, side, axis]) => at - side / 2 < 4 || at + side / 2 > paper[axis] - 4);
        if (
          out ||
          boxes.some((other) => overlap(box, other, 12)) ||
          lines.some(({ phrase }) => overlap(box, phrase, 6))
        )
          continue;
        const way = [
          [from.x, from.y],
          [(from.x + box.x) / 2, (from.y + box.y) / 2],
          [box.x, box.y],
        ];
        let cost = 2 * ring + (this.phone ? 1 - Math.sin(angle) : 0.3 * (1 - Math.sin(angle)));
        if (near)
          for (const t of [0.2, 0.35, 0.5, 0.65, 0.8])
            cost += boxes.some(
              (box) => inside(box, pointOn(way, t), 4) && !inside(from, [box.x, box.y]),
            )
              ? 3
              : 0;
        for (const {
          ends: [a, b],
          phrase,
        } of lines) {
          const line = [
            [a.x, a.y],
            [phrase.x, phrase.y],
            [b.x, b.y],
          ];
          if ([0.2, 0.35, 0.65, 0.8].some((t) => inside(box, pointOn(line, t), 4))) cost += 2;
          if (
            near &&
            overlap(
              phrase,
              { x: way[1][0], y: way[1][1], w: this.small * 4, h: this.small * 1.6 },
              4,
            )
          )
            cost += 2;
        }
        if (cost < least) [best, least] = [box, cost];
      }
    }
    return best && this.placeAt([best.x, best.y], paper).map(Math.round);
  },
});
