// Cards move from where they were to where they are, dice tumble, and a hand is fanned.

const LEAST = { touch: 44, mouse: 32 }; // pixels of a card that stay uncovered in a fan
const RAISED = { touch: 14, mouse: 24 }; // pixels by which a lit card is raised, under the mouse too
const NAME = 0.15; // how high the name on a card is there, in widths of it
const WRITTEN = 12; // pixels by which a card set in type is raised
const GAP = 6; // pixels between two of them
const APART = 8; // pixels between two places of a row
const CAPTION = 1.25; // the line below such a place, in letters
const ROW = 0.7; // from row to row of a hand, in widths of a card

/** How wide a drawing is laid out, however it is turned. */
const widthOf = (drawing) => parseFloat(getComputedStyle(drawing).width);

function places(cloth) {
  const at = new Map();
  for (const element of cloth.querySelectorAll("[data-piece]")) {
    const { left, top } = element.getBoundingClientRect();
    at.set(element.dataset.piece, { element, left, top, width: widthOf(element.firstChild) });
  }
  return at;
}

/** Let the pieces of `cloth` come from where they were in `before`, or from their owner's plate, or (dealt to
 *  the hand) from the pile; those that are gone go to the plate of the owner of the marked one, or to the pile that takes them. */
function fly(cloth, before, time) {
  const options = { duration: time, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" };
  const after = places(cloth);
  const flights = [];
  const spot = (selector) => {
    const box = cloth.querySelector(selector)?.getBoundingClientRect();
    return box?.width ? { left: box.left + 20, top: box.top + 10, width: 24 } : null;
  };
  const home = (owner) => spot(`.ck-plate[data-seat="${owner}"]`);
  let dealt = 0;
  for (const [id, { element, left, top, width }] of after) {
    const isDealt = !before.has(id) && before.size && element.closest(".ck-hand");
    const from =
      before.get(id) ??
      (isDealt
        ? spot(".ck-pile")
        : element.closest(".ck-row, .ck-square") && home(element.dataset.owner));
    if (!from || Math.abs(from.left - left) + Math.abs(from.top - top) < 3) continue;
    const way = `translate(${from.left - left}px, ${from.top - top}px) scale(${from.width / width})`;
    const frames = [
      { transform: way, transformOrigin: "0 0", zIndex: 9 },
      { transform: "none", transformOrigin: "0 0", zIndex: 9 },
    ];
    flights.push(element.animate(frames, { ...options, delay: isDealt ? 25 * dealt++ : 0 }));
  }
  const taken = [...before].filter(
    ([id, { element }]) => !after.has(id) && element.dataset.owner !== undefined,
  );
  const taker = taken.find(([, { element }]) => element.matches(".ck-marked"))?.[1].element.dataset
    .owner;
  const goal = taker !== undefined ? home(taker) : spot(".ck-takes");
  if (!goal) return flights;
  const { left, top } = cloth.getBoundingClientRect();
  for (const [, { element, ...from }] of taken) {
    const ghost = el(
      "div.ck-ghost",
      { "aria-hidden": "true", "--card": `${from.width}px` },
      element.firstChild,
    );
    ghost.style.left = `${from.left - left}px`;
    ghost.style.top = `${from.top - top}px`;
    cloth.append(ghost);
    const way = `translate(${goal.left - from.left}px, ${goal.top - from.top}px) scale(.3)`;
    flights.push(
      ghost.animate([{ transform: "none" }, { transform: way, opacity: 0.2 }], {
        ...options,
        fill: "forwards",
      }),
    );
  }
  return flights;
}

const TURNS = 90; // milliseconds that each face of a tumbling die is seen

/** Let a die tumble and show its faces in turn, always the same, whatever it will show when it lies. */
function tumble(die, faces, time) {
  const seen = faces.map((face) => svg("g", ...face));
  die.replaceChildren(...seen);
  seen.forEach((face, at) => {
    const share = 1 / seen.length;
    const frames = [
      { opacity: 1 },
      { opacity: 1, offset: share },
      { opacity: 0, offset: share },
      { opacity: 0 },
    ];
    face.animate(frames, {
      duration: TURNS * seen.length,
      delay: TURNS * (at - seen.length),
      iterations: Math.ceil(time / TURNS),
    });
  });
  return die.animate(
    [
      { transform: "translate(-30px, -60px) rotate(-540deg) scale(.7)", opacity: 0.4 },
      { transform: "translateY(0) rotate(-110deg)", offset: 0.65 },
      { transform: "translateY(-14px) rotate(-50deg)", offset: 0.85 },
      { transform: "none" },
    ],
    { duration: time, easing: "ease-out" },
  );
}

const motions = {
  fly: ({ cloth }, _stage, before, time) => fly(cloth, before, time),

  tumble({ cloth, art }, { thrown }, _before, time) {
    const symbols = [...art]
      .filter(([name]) => name.startsWith("die-") && name !== "die-0")
      .map(([, symbol]) => symbol);
    const faces = () =>
      symbols.map(({ childNodes }) => [...childNodes].map((node) => node.cloneNode(true)));
    return thrown.map((at) =>
      tumble(cloth.querySelectorAll(".ck-dice .ck-die")[at], faces(), time),
    );
  },

  settle: ({ cloth }, { thrown }, _before, time) =>
    thrown.map((at) => {
      const die = cloth.querySelectorAll(".ck-dice .ck-die")[at];
      const frames = [{ transform: "translateY(-5px)" }, { transform: "none" }];
      return die.animate(frames, { duration: time, easing: "ease-in" });
    }),
};

function largest(height, width, count, least) {
  for (let rows = 1; ; rows += 1) {
    const size = height / (1.4 + (rows - 1) * ROW);
    const columns = Math.ceil(count / rows);
    if (rows === 4 || (width - size) / Math.max(1, columns - 1) >= least) return { size, rows };
  }
}

/** Let the places of a row on the cloth stand in as many lines as make its cards largest. */
function fillRow(row) {
  const fitted = row.closest(".ck-fitted");
  const count = row.children.length;
  const width = row.parentElement.clientWidth;
  if (!fitted || !count || !width) return;
  const line = parseFloat(getComputedStyle(fitted).fontSize) * CAPTION;
  let best = { size: 1, columns: count };
  for (let lines = 1; lines <= count; lines += 1) {
    const columns = Math.ceil(count / lines);
    const height = (row.clientHeight - GAP * (lines - 1)) / lines - line;
    const size = Math.min((width - APART * columns) / columns, height / 1.4);
    if (size > best.size) best = { size, columns };
  }
  row.style.setProperty("--size", `${best.size}px`);
  row.style.setProperty("--columns", best.columns);
}

function fan(hand) {
  const count = hand.children.length;
  const width = hand.clientWidth;
  if (!count || !width) return;
  const by = width < 600 || matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
  const least = LEAST[by];
  const fitted = hand.closest(".ck-cards") && hand.closest(".ck-fitted");
  const laid = widthOf(hand.firstChild.firstChild);
  const written = hand.closest(".ck-fitted") && hand.querySelector(".ck-print");
  const { size, rows } = written
    ? { size: Math.min((hand.clientHeight - WRITTEN) / 1.4, width / count - GAP), rows: 1 } // nothing over what is written
    : fitted
      ? largest(hand.clientHeight - RAISED[by], width, count, least)
      : {
          size: laid,
          rows: Math.ceil(count / Math.max(1, Math.floor((width - laid) / least) + 1)),
        };
  const columns = Math.ceil(count / rows);
  const flat = fitted || hand.querySelector(".ck-print") !== null; // what is written on a card has to be seen
  const step = Math.min(
    size * (flat ? 1.06 : rows > 1 ? 1 : 0.84),
    columns > 1 ? (width - size) / (columns - 1) : size,
  );
  const bend = rows === 1 && width >= 600 && !flat ? Math.min(2.4, 20 / count) : 0; // degrees from card to card
  const drop = (off) => off * off * bend * step * 0.0087; // half a degree in radians
  const named =
    fitted && step >= size && size * NAME >= parseFloat(getComputedStyle(fitted).fontSize) * 0.8; // smaller than that nobody reads it
  hand.classList.toggle("ck-named", Boolean(named));
  hand.classList.toggle("ck-lapped", step < size);
  hand.style.setProperty("--columns", columns);
  hand.style.setProperty("--step", `${step}px`);
  hand.style.setProperty("--size", `${size}px`);
  hand.style.setProperty("--pitch", `${size * (rows > 1 ? ROW : 1.4)}px`);
  hand.style.setProperty("--sag", `${drop((count - 1) / 2)}px`);
  [...hand.children].forEach((card, at) => {
    const off = at - (count - 1) / 2;
    card.style.setProperty("--turn", `${off * bend}deg`);
    card.style.setProperty("--drop", `${drop(off)}px`);
  });
}

/** Let the cards on `shelves` stand like spines with their titles, if all of these have room. */
function title(shelves) {
  shelves.classList.add("ck-titled");
  const outer = shelves.getBoundingClientRect();
  const { bottom } = shelves.closest(".ck-plate").getBoundingClientRect();
  const isCut = (words) => {
    const box = words.getBoundingClientRect();
    const narrower = [outer, words.closest(".ck-print").getBoundingClientRect()];
    return (
      box.bottom > bottom + 1 ||
      narrower.some(({ left, right }) => box.left < left - 1 || box.right > right + 1) ||
      words.scrollHeight > words.clientHeight + 1
    );
  };
  const titles = [...shelves.querySelectorAll(".ck-print-title")];
  shelves.classList.toggle("ck-titled", !titles.some(isCut));
}
