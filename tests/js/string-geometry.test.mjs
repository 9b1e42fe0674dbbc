// Strings: where tags hang, what a stroke and a nudge become. The designs are made up by chance, but alike every time.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const here = (path) => new URL(`../../coursekit/${path}`, import.meta.url);
const code = await readFile(here("games/knitwit/table/static/string-geometry.js"), "utf8");
const NAMES =
  "apart, boxAt, crosses, holds, hung, nudged, outwardOf, overlap, placed, shapeOf, partPlaces, thinned";
const {
  apart,
  boxAt,
  crosses,
  holds,
  hung,
  nudged,
  outwardOf,
  overlap,
  placed,
  shapeOf,
  partPlaces,
  thinned,
} = new Function(`${code}; return { ${NAMES} };`)();

const [heads, ...rows] = (await readFile(here("games/knitwit/rules/data/tags.csv"), "utf8"))
  .trim()
  .split("\n")
  .map((row) => row.split(","));
const words = (column) => rows.map((row) => row[heads.indexOf(column)]);
const LANGUAGES = { zh: words("zh"), en: words("en"), "zh-Hans": words("zh_hans") };

/** Numbers from 0 to 1 by chance, the same ones for the same `seed`. */
function chance(seed) {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Eight loops, each around the spool before it, their pins as the kernel puts them: far out. */
function design(seed) {
  const rng = chance(seed);
  const loops = [];
  const spools = [[60 + rng() * 120, 40 + rng() * 70]];
  while (loops.length < 8) {
    const [x, y] = spools[Math.floor(rng() * spools.length)];
    const [long, broad, turn, aside] = [13 + rng() * 40, 13 + rng() * 16, rng() * 7, rng() * 10];
    const points = Array.from({ length: 12 }, (_, at) => {
      const [u, v] = [
        Math.cos((at * Math.PI) / 6) * long + aside,
        Math.sin((at * Math.PI) / 6) * broad,
      ];
      return [
        x + u * Math.cos(turn) - v * Math.sin(turn),
        y + u * Math.sin(turn) + v * Math.cos(turn),
      ].map(Math.round);
    });
    if (points.some(([u, v]) => u < 0 || v < 0 || u > 240 || v > 150)) continue;
    const pin = points.reduce((best, point) =>
      Math.hypot(point[0] - 120, point[1] - 75) > Math.hypot(best[0] - 120, best[1] - 75)
        ? point
        : best,
    );
    loops.push({ points, pin });
    spools.push(
      points
        .map((point) => point)
        .reduce(([u, v], point) => [u + point[0] / 12, v + point[1] / 12], [0, 0]),
    );
  }
  return { loops, spools: spools.slice(1) };
}

for (const width of [340, 800]) {
  for (const [language, all] of Object.entries(LANGUAGES)) {
    test(`eight tags hang apart, and no leader crosses another, on ${width} px, in ${language}`, () => {
      const size = [width, (width * 150) / 240];
      const letters = Math.max(12, width / 46);
      const wide = (word) =>
        [...word].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : 0.66), 0) * letters +
        letters;
      let shortened = 0;
      for (let seed = 1; seed <= 60; seed += 1) {
        const { loops, spools } = design(seed);
        const rng = chance(seed + 1000);
        const px = (point) => point.map((value) => (value * width) / 240);
        // The longest words of the language are among them.
        const longest = [...all].sort((a, b) => b.length - a.length).slice(0, 3);
        const tags = loops.map(({ points, pin }, at) => {
          const angle = outwardOf(points, pin);
          const [x, y] = px(pin);
          return {
            end: [x + Math.cos(angle) * 13, y + Math.sin(angle) * 13],
            angle,
            height: letters * 1.5,
            width: wide(longest[at] ?? all[Math.floor(rng() * all.length)]),
          };
        });
        const radius = Math.max(8.5, (width * 4.8) / 240);
        const blocks = spools.map((at) => boxAt(px(at), { width: radius * 2, height: radius * 2 }));
        const places = hung(tags, blocks, size);
        places.forEach((place, at) => {
          assert.ok(place, `seed ${seed}: tag ${at} hangs nowhere`);
          shortened += place.short;
          const { box } = place;
          assert.ok(
            box.left >= 0 && box.top >= 0 && box.right <= size[0] && box.bottom <= size[1],
            `seed ${seed}: tag ${at} leaves the table`,
          );
          for (const other of [...blocks, ...places.slice(0, at).map((each) => each.box)]) {
            assert.ok(!overlap(box, other, 0), `seed ${seed}: tag ${at} covers something`);
          }
          const leader = [tags[at].end, place.tie];
          assert.ok(
            places.slice(0, at).every(({ tie }, other) => !crosses(leader, [tags[other].end, tie])),
            `seed ${seed}: leaders cross`,
          );
        });
        if (seed % 50 === 0) assert.deepEqual(hung(tags, blocks, size), places); // the same every time
      }
      assert.equal(shortened, 0);
    });
  }
}

test("a tag without room becomes a letter, and one that has not even room for that is left to the list", () => {
  const tag = { end: [30, 20], angle: 0, width: 50, height: 18 };
  const places = hung([tag, tag, tag, tag], [], [60, 40]);
  assert.deepEqual(
    places
      .filter(Boolean)
      .map(({ short }) => short)
      .includes(true),
    true,
  );
  const boxes = places.filter(Boolean).map(({ box }) => box);
  boxes.forEach((box, at) =>
    assert.ok(boxes.slice(0, at).every((other) => !overlap(box, other, 0))),
  );
  assert.deepEqual(hung([tag], [{ left: 0, top: 0, right: 60, bottom: 40 }], [60, 40]), [null]);
});

test("tags keep off the places where a spool can be put", () => {
  const tag = { end: [100, 100], angle: 0, width: 50, height: 18 };
  const covers = ({ box }) =>
    box.left < 125 && box.right > 125 && box.top < 100 && box.bottom > 100;
  assert.ok(covers(hung([tag], [], [200, 200])[0]));
  assert.ok(!covers(hung([tag], [], [200, 200], { spots: [[125, 100]] })[0]));
});

test("a stroke becomes at most 500 whole points on the table, none twice in a row", () => {
  const rng = chance(7);
  for (const length of [1, 2, 499, 500, 501, 5000]) {
    const points = thinned(
      Array.from({ length }, () => [rng() * 300 - 30, rng() * 200 - 30]),
      [240, 150],
    );
    assert.ok(points.length <= 500 && points.length >= Math.min(length, 200));
    points.forEach(([x, y], at) => {
      assert.ok(
        Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x <= 240 && y <= 150,
      );
      assert.notDeepEqual(points[at - 1], [x, y]);
    });
  }
  assert.deepEqual(
    thinned(
      [
        [1.2, 1],
        [1.4, 1.1],
        [5, 5],
        [1, 1],
      ],
      [240, 150],
    ),
    [
      [1, 1],
      [5, 5],
      [1, 1],
    ],
  );
});

test("a nudged loop moves, grows and turns about its own middle, however often", () => {
  const square = [
    [10, 10],
    [30, 10],
    [30, 30],
    [10, 30],
  ];
  assert.deepEqual(placed(nudged(shapeOf(square), { x: 3, y: -2 })), [
    [13, 8],
    [33, 8],
    [33, 28],
    [13, 28],
  ]);
  assert.deepEqual(placed(nudged(shapeOf(square), { size: 2 })), [
    [0, 0],
    [40, 0],
    [40, 40],
    [0, 40],
  ]);
  assert.deepEqual(placed(nudged(shapeOf(square), { turn: Math.PI / 2 })), [
    [30, 10],
    [30, 30],
    [10, 30],
    [10, 10],
  ]);
  let shape = shapeOf(square);
  for (let turns = 0; turns < 24; turns += 1) shape = nudged(shape, { turn: Math.PI / 12 });
  for (const size of [1.08, 1.08, 1 / 1.08, 1 / 1.08]) shape = nudged(shape, { size });
  assert.deepEqual(placed(shape), square); // nothing is rounded away on the way
});

test("a pin points out of its loop, at a corner and between two", () => {
  const square = [
    [10, 10],
    [30, 10],
    [30, 30],
    [10, 30],
  ];
  for (const pin of [
    [10, 10],
    [30, 30],
    [20, 10],
    [30, 22],
    [10, 13],
  ]) {
    const angle = outwardOf(square, pin);
    assert.ok(!holds(square, [pin[0] + 2 * Math.cos(angle), pin[1] + 2 * Math.sin(angle)]));
    assert.ok(holds(square, [pin[0] - 2 * Math.cos(angle), pin[1] - 2 * Math.sin(angle)]));
  }
});

test("places for fingers part from each other and from spools, and go no farther than they have to", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const number = chance(seed);
    const box = [280 + 400 * number(), 250 + 400 * number()];
    const point = () => box.map((side) => 80 + (side - 160) * number());
    const spools = Array.from({ length: 5 }, () => ({ at: point(), radius: 8 + 6 * number() }));
    const homes = Array.from({ length: 1 + Math.floor(9 * number()) }, point);
    if (seed % 4 === 0) homes.push([...homes[0]]); // two at the same point
    const places = partPlaces(homes, 22, spools, box);
    places.forEach((place, n) => {
      for (const other of places.slice(n + 1)) assert.ok(apart(place, other) >= 44, `seed ${seed}`);
      for (const { at, radius } of spools)
        assert.ok(apart(place, at) >= 22 + radius, `seed ${seed}`);
      place.forEach((value, axis) => assert.ok(value >= 22 && value <= box[axis] - 22));
      assert.ok(apart(place, homes[n]) < 160, `seed ${seed}`);
    });
  }
  const free = [
    [60, 60],
    [160, 60],
  ];
  assert.deepEqual(partPlaces(free, 22, [], [300, 200]), free);
});
