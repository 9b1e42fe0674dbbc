// Small pictures of maps to look at: the map of a class, or a step of a replay. They need no measured letters, and nothing
// in them can be pressed.

function mapPictures() {
  const LINE = 20; // height of a line of text
  const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // places of words on their line, best first
  const width = (text) => [...text].reduce((sum, letter) => sum + (HAN.test(letter) ? 15 : 8.2), 0);

  function cut(text, most = 150) {
    const lines = [""];
    for (const piece of text.match(
      /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g,
    ) ?? []) {
      if (lines.at(-1) && width(lines.at(-1) + piece.trimEnd()) > most) lines.push("");
      lines[lines.length - 1] += piece;
    }
    return lines.map((line) => line.trim());
  }

  function edge(box, to) {
    const [across, down] = [to.x - box.x, to.y - box.y];
    const share = Math.min(
      box.wide / 2 / Math.abs(across || 1e-9),
      box.tall / 2 / Math.abs(down || 1e-9),
      1,
    );
    return { x: box.x + across * share, y: box.y + down * share };
  }

  /** How much of `spot` is taken. */
  const taking = (spot, taken) =>
    taken.reduce((sum, box) => {
      const across = (spot.wide + box.wide) / 2 - Math.abs(spot.x - box.x);
      const down = (spot.tall + box.tall) / 2 - Math.abs(spot.y - box.y);
      return sum + (across > 0 && down > 0 ? across * down : 0);
    }, 0);

  /** A drawing of `map`; `weights` are by relation from 0 to 1, `fresh` are ids that stand out. */
  function picture(map, name, { weights = {}, fresh = new Set(), places = {} } = {}) {
    const count = map.concepts.size;
    const side = Math.max(720, Math.min(3000, 250 * Math.sqrt(count)));
    const boxes = new Map();
    let place = 0;
    for (const [id, concept] of map.concepts) {
      place += 1;
      const turn = (2 * Math.PI * place) / count; // concepts without a place stand on a circle
      const at = concept.at ??
        places[id] ?? [500 + 400 * Math.sin(turn), 500 - 400 * Math.cos(turn)];
      const lines = cut(concept.label);
      const wide = Math.max(44, ...lines.map((line) => width(line) + 24));
      boxes.set(id, {
        lines,
        wide,
        tall: lines.length * LINE + 14,
        x: (at[0] / 1000) * side,
        y: (at[1] / 1000) * side * 0.75,
      });
    }
    const every = [...boxes.values()];
    const left = Math.min(0, ...every.map(({ x, wide }) => x - wide / 2 - 8));
    const right = Math.max(side, ...every.map(({ x, wide }) => x + wide / 2 + 8));
    const high = Math.min(0, ...every.map(({ y, tall }) => y - tall / 2 - 8));
    const low = Math.max(side * 0.75, ...every.map(({ y, tall }) => y + tall / 2 + 8));
    const lines = [];
    const words = [];
    const taken = [...boxes.values()].map(({ x, y, wide, tall }) => ({ x, y, wide, tall }));
    const pairOf = (id) =>
      [map.relations.get(id).start, map.relations.get(id).end].sort().join(" ");
    const between = new Map();
    for (const id of map.relations.keys())
      between.set(pairOf(id), [...(between.get(pairOf(id)) ?? []), id]);
    for (const [id, { start, phrase, end }] of map.relations) {
      const [from, to] = [boxes.get(start), boxes.get(end)];
      if (!from || !to) continue;
      const beside = between.get(pairOf(id));
      const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const bend = (beside.indexOf(id) - (beside.length - 1) / 2) * 64 * (start < end ? 1 : -1);
      const middle = {
        x: (from.x + to.x) / 2 - ((to.y - from.y) / far) * bend,
        y: (from.y + to.y) / 2 + ((to.x - from.x) / far) * bend,
      };
      const [a, b] = [edge(from, middle), edge(to, middle)];
      const back = Math.atan2(b.y - middle.y, b.x - middle.x);
      const heavy = 1.4 + 6 * (weights[id] ?? 0);
      const wing = (angle) =>
        `${b.x - (8 + heavy) * Math.cos(back + angle)} ${b.y - (8 + heavy) * Math.sin(back + angle)}`;
      const state = fresh.has(id) ? " ck-fresh" : "";
      lines.push(
        svg(
          "g",
          { class: `ck-edge${state}` },
          svg("path", {
            d: `M${a.x} ${a.y} Q${middle.x} ${middle.y} ${b.x} ${b.y}`,
            "stroke-width": heavy,
          }),
          svg("path", { class: "ck-head", d: `M${b.x} ${b.y} L${wing(0.4)} L${wing(-0.4)} Z` }),
        ),
      );
      if (!phrase) continue;
      const at = (share) => ({
        x: (1 - share) ** 2 * a.x + 2 * share * (1 - share) * middle.x + share ** 2 * b.x,
        y: (1 - share) ** 2 * a.y + 2 * share * (1 - share) * middle.y + share ** 2 * b.y,
        wide: width(phrase) * 0.87,
        tall: 18,
      });
      const best = ALONG.map(at)
        .map((spot) => ({ ...spot, cost: taking(spot, taken) }))
        .reduce((one, other) => (other.cost < one.cost ? other : one));
      taken.push(best);
      words.push(
        svg(
          "text",
          { class: `ck-edge-words${state}`, x: best.x, y: best.y + 4, "text-anchor": "middle" },
          phrase,
        ),
      );
    }
    const nodes = [...boxes].map(([id, box]) =>
      svg(
        "g",
        {
          class: `ck-node${fresh.has(id) ? " ck-fresh" : ""}${id === map.head.top ? " ck-node-top" : ""}`,
        },
        svg("rect", {
          x: box.x - box.wide / 2,
          y: box.y - box.tall / 2,
          width: box.wide,
          height: box.tall,
          rx: 9,
        }),
        ...box.lines.map((line, nth) =>
          svg(
            "text",
            {
              x: box.x,
              y: box.y - box.tall / 2 + 7 + LINE * (nth + 0.72),
              "text-anchor": "middle",
            },
            line,
          ),
        ),
      ),
    );
    return svg(
      "svg",
      {
        class: "ck-picture",
        viewBox: `${left} ${high} ${right - left} ${low - high}`,
        role: "img",
        "aria-label": name,
        "--ck-side": `${right - left}px`,
      },
      ...lines,
      ...words,
      ...nodes,
    );
  }

  const pictureFrame = (name, ...children) =>
    el(
      "div",
      { class: "ck-scroll ck-picture-frame", tabindex: "0", role: "group", "aria-label": name },
      ...children,
    );

  return { pictureFrame, picture };
}
