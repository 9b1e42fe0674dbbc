// The view of the paper: its one transform, zooming, fitting and revealing, and the small map of the map.

const NEAREST = 0.12; // least and
const CLOSEST = 4; // largest zoom
const LEAST = 14; // pixels of readable letters, on a phone and across a classroom
const AROUND = 72; // pixels around what is shown
const HEAD = 100; // pixels at the top of a phone, under the button and the small map

Object.assign(Drawing.prototype, {
  onResize() {
    const { clientWidth, clientHeight } = this.field;
    if (!clientWidth || (clientWidth === this.size[0] && clientHeight === this.size[1])) return;
    const before = this.size;
    const font = this.font;
    this.size = [clientWidth, clientHeight];
    const middle =
      before[0] && !this.fitted
        ? this.placeAt(
            [0, 1].map(
              (axis) => (before[axis] / 2 - [this.view.x, this.view.y][axis]) / this.view.zoom,
            ),
            before.map((part) => part * this.room),
          )
        : null;
    if (font !== this.drawnIn) this.redraw();
    else this.spread();
    if (middle) this.centre(middle);
    else this.recall() || this.fit(false);
    this.hold(this.editor.selected);
  },

  /** The point of the paper at a point of the screen, in pixels of the paper. */
  toPaper({ clientX, clientY }) {
    const { left, top } = this.field.getBoundingClientRect();
    return [
      (clientX - left - this.view.x) / this.view.zoom,
      (clientY - top - this.view.y) / this.view.zoom,
    ];
  },

  placeOf(point) {
    return this.placeAt(point).map(Math.round);
  },

  onScreen([x, y]) {
    return [x * this.view.zoom + this.view.x, y * this.view.zoom + this.view.y];
  },

  /** Show the paper as `view` says, but always a part of it. */
  look({ x, y, zoom }, keep = true) {
    const scale = between(zoom, NEAREST, CLOSEST);
    const slack = 60 + (this.editor.covered ?? 0);
    this.view = {
      zoom: scale,
      x: between(
        x,
        Math.min(0, this.size[0] - this.across * scale) - slack,
        Math.max(0, this.size[0] - this.across * scale) + slack,
      ),
      y: between(
        y,
        Math.min(0, this.size[1] - this.down_ * scale) - slack,
        Math.max(0, this.size[1] - this.down_ * scale) + Math.max(slack, this.head()),
      ),
    };
    const transform = `translate(${this.view.x.toFixed(1)} ${this.view.y.toFixed(1)}) scale(${scale.toFixed(4)})`;
    for (const part of [this.world, this.lift]) part.setAttribute("transform", transform);
    this.drawGlance();
    if (keep) {
      this.fitted = false;
      this.memory.set({ ...this.view, size: this.size, grown: this.grown });
    }
    this.editor.tells("view");
  },

  extent() {
    const all = [...this.boxes.values()];
    if (!all.length) return [0, 0, this.across, this.down_];
    return [
      Math.min(...all.map(({ x, w }) => x - w / 2)) - 8,
      Math.min(...all.map(({ y, h }) => y - h / 2)) - 8,
      Math.max(...all.map(({ x, w }) => x + w / 2)) + 8,
      Math.max(...all.map(({ y, h }) => y + h / 2)) + 8,
    ];
  },

  bare() {
    return [this.size[0], this.size[1] - (this.editor.covered ?? 0)];
  },

  /** Height of what covers the top of the map while not all of it is visible. */
  head() {
    return this.root.closest(".ck-narrow") ? HEAD : 0;
  },

  seen() {
    const { x, y, zoom } = this.view;
    const [left, top, right, bottom] = this.extent();
    const [across, down] = this.bare();
    return (
      left * zoom + x >= -2 &&
      top * zoom + y >= -2 &&
      right * zoom + x <= across + 2 &&
      bottom * zoom + y <= down + 2
    );
  },

  /** The zoom at which phrases are readable, 1 at most. */
  readable() {
    return Math.min(1, LEAST / this.small);
  },

  fit(all = false) {
    if (!this.size[0]) return;
    const [left, top, right, bottom] = this.extent();
    const [across, down] = this.bare();
    const whole = Math.min(across / (right - left), down / (bottom - top), 1);
    const zoom = all ? whole : Math.max(whole, this.readable());
    if (zoom === 1 && this.room === 1) {
      this.look({ zoom, x: 0, y: 0 }, false);
      this.fitted = true;
      return;
    }
    const main = this.boxes.get(this.editor.selected) ??
      this.boxes.get(this.here) ?? { x: (left + right) / 2, y: (top + bottom) / 2 };
    const middle = (low, high, at, size) =>
      (high - low) * zoom <= size + 1
        ? (size - (low + high) * zoom) / 2
        : between(size / 2 - at * zoom, size - high * zoom, -low * zoom);
    const head = zoom > whole ? this.head() : 0;
    this.look(
      {
        zoom,
        x: middle(left, right, main.x, across),
        y: head + middle(top, bottom, main.y, down - head),
      },
      false,
    );
    this.fitted = true;
  },

  fitAgain() {
    const seen = this.seen();
    this.spread();
    this.memory.remove();
    this.fit(!seen);
  },

  refit() {
    this.grown = 1;
    this.spread();
    this.memory.remove();
    this.fit(false);
  },

  recall() {
    const before = this.memory.get();
    if (!before || before.size?.[0] !== this.size[0] || !this.boxes.size) return false;
    if (before.grown > this.room) {
      this.grown = before.grown;
      this.spread();
    }
    this.look(before);
    return true;
  },

  centre(place) {
    const { zoom } = this.view;
    const [x, y] = this.pointAt(place);
    this.look({ zoom, x: this.size[0] / 2 - x * zoom, y: this.size[1] / 2 - y * zoom });
  },

  zoomBy(times, [x, y] = [this.size[0] / 2, this.size[1] / 2]) {
    const zoom = between(this.view.zoom * times, NEAREST, CLOSEST);
    const grown = zoom / this.view.zoom;
    this.look({ zoom, x: x - (x - this.view.x) * grown, y: y - (y - this.view.y) * grown });
  },

  /** Move the view as little as needed to show a thing; `news` gets room around it, or the whole map if that fits. */
  reveal(id, news = false) {
    const box = this.boxes.get(id) ?? this.lines.get(id);
    if (!box || !this.size[0]) return;
    const [x, y] = this.onScreen([box.x, box.y]);
    const { zoom } = this.view;
    const open = this.bare();
    const [left, top, right, bottom] = this.extent();
    const by = [x, y].map((at, axis) => {
      const ends = [
        [left, right],
        [top, bottom],
      ][axis].map((end) => end * zoom + [this.view.x, this.view.y][axis]);
      const rest = Math.min(AROUND, (open[axis] - ends[1] + ends[0]) / 2);
      if (news && rest > AROUND / 2) return between(0, rest - ends[0], open[axis] - rest - ends[1]);
      const half = ([box.w, box.h][axis] / 2) * zoom;
      const edge = half + between(open[axis] / 2 - half, 0, news ? AROUND : 24);
      return (
        between(
          at,
          edge + (axis && !this.seen() ? Math.min(this.head(), open[1] - 2 * edge) : 0),
          open[axis] - edge,
        ) - at
      );
    });
    if (by[0] || by[1]) this.look({ zoom, x: this.view.x + by[0], y: this.view.y + by[1] });
  },

  wheel(event) {
    if (!event.ctrlKey && !this.active) return;
    const times = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018));
    const zoom = between(this.view.zoom * times, NEAREST, CLOSEST);
    if (zoom === this.view.zoom && !event.ctrlKey) return; // at its end the page scrolls on
    event.preventDefault();
    const { left, top } = this.field.getBoundingClientRect();
    this.zoomBy(times, [event.clientX - left, event.clientY - top]);
  },

  drawGlance() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { x, y, zoom } = this.view;
      const seen = this.seen();
      this.whole.hidden = this.boxes.size < 2 || (seen && zoom >= this.readable() - 0.01);
      this.whole.lastChild.textContent = this.editor.word(
        seen && zoom < this.readable() - 0.01 ? "fit_near" : "fit",
      );
      this.glance.toggleAttribute("hidden", seen || !this.size[0]);
      this.root.classList.toggle("ck-map-beyond", !seen);
      if (seen || !this.size[0]) return;
      this.glance.setAttribute("viewBox", `0 0 ${this.across.toFixed(0)} ${this.down_.toFixed(0)}`);
      const d = [...this.boxes.values()]
        .map(
          (box) => `M${spot([box.x - box.w / 2, box.y - box.h / 2])}h${box.w}v${box.h}h${-box.w}z`,
        )
        .join("");
      this.glance.replaceChildren(
        svg("path", { d }),
        svg("rect", {
          x: -x / zoom,
          y: -y / zoom,
          width: this.size[0] / zoom,
          height: this.size[1] / zoom,
        }),
      );
    });
  },

  jump(event) {
    event.preventDefault();
    const { left, top, width, height } = this.glance.getBoundingClientRect();
    this.centre(
      this.placeAt([
        ((event.clientX - left) / width) * this.across,
        ((event.clientY - top) / height) * this.down_,
      ]),
    );
  },
});
