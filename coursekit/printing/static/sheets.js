// Draws the faces on the pages with the table's own renderer, and lets the reader choose the paper.

/** Room for the name on a card, and beside an index, in units of its drawing. */
const ROOM = 60;
const BESIDE = 50;
/** Of the letters of the rules, in points. */
const SIZES = [10.5, 11, 11.5, 12, 12.5, 13, 13.5, 14, 14.5, 15];

{
  const { art, faces, papers } = JSON.parse(document.getElementById("data").textContent);
  const symbols = new DOMParser().parseFromString(art, "image/svg+xml").querySelectorAll("symbol");
  const table = {
    art: new Map([...symbols].map((symbol) => [symbol.id.replace(/^ck-/, ""), symbol])),
  };
  const all = (name) => document.querySelectorAll(`[data-${name}]`);
  for (const place of all("face"))
    place.append(card(faces[place.getAttribute("data-face")], table));
  for (const place of all("art"))
    place.append(picture(place.getAttribute("data-art"), table, { "aria-hidden": "true" }));
  for (const label of document.querySelectorAll("text.ck-name")) {
    // A long name ends before what is behind it.
    const name = /** @type {SVGTextElement} */ (label);
    const long = name.getComputedTextLength();
    const room = name.parentNode.querySelector(".ck-index") ? BESIDE : ROOM;
    if (long > room)
      name.style.fontSize = `${(parseFloat(getComputedStyle(name).fontSize) * room) / long}px`;
  }

  const choice = document.querySelector("select");
  const lay = () => {
    const [wide, high] = papers[choice.value];
    document.getElementById("paper").textContent =
      `@page { size: ${wide}mm ${high}mm; margin: 0 } .pp { --page: ${wide}mm; --long: ${high}mm }`;
  };
  /** Lays the rules on pages of two columns, in letters of *size* points; returns the pages. */
  const flow = (blocks, size) => {
    const pages = [];
    /** @type {HTMLElement} */
    let place = null;
    const turn = () => {
      const page = /** @type {DocumentFragment} */ (
        document.querySelector("template").content.cloneNode(true)
      ).querySelector("section");
      place = page.querySelector("article");
      place.style.fontSize = `${size}pt`;
      document.querySelector("main").append(page);
      pages.push(page);
    };
    turn();
    for (const block of blocks) {
      place.append(block);
      if (place.scrollWidth <= place.clientWidth + 1 || place.children.length === 1) continue;
      const moved = [block];
      const before = () => place.children[place.children.length - moved.length - 1];
      while (before() && /^H[23]$/.test(before().tagName)) moved.unshift(before());
      if (!before()) continue;
      turn();
      place.append(...moved);
    }
    return pages;
  };
  const rules = document.querySelector("article");
  const blocks = [...rules.children];
  let pages = flow(blocks, SIZES[0]);
  const fewest = pages.length;
  let best = SIZES[0];
  const again = (size) => {
    for (const page of pages) page.remove();
    pages = flow(blocks, size);
  };
  for (const size of SIZES) {
    again(size);
    if (pages.length === fewest) best = size;
  }
  again(best);
  rules.remove();
  for (const text of document.querySelectorAll(".pp-before, .pp-rules")) {
    const sheet = /** @type {HTMLElement} */ (text);
    let size = 15;
    do sheet.style.fontSize = `${size}pt`;
    while (sheet.offsetHeight > sheet.parentElement.clientHeight && (size -= 0.5) > 10);
  }

  const backs = /** @type {HTMLInputElement} */ (document.querySelector(".pp-want-backs"));
  const sheets = [
    .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pp-page")),
  ];
  /** Leaves out what is not wanted, and counts the pages anew. */
  const count = () => {
    let last = 0;
    for (const tick of all("part")) {
      const part = tick.getAttribute("data-part");
      const wanted = /** @type {HTMLInputElement} */ (tick).checked;
      const first = last + 1;
      for (const sheet of sheets.filter((sheet) => sheet.dataset.of === part)) {
        sheet.hidden = !wanted || (!backs.checked && sheet.querySelector(".pp-backs") !== null);
        if (!sheet.hidden) sheet.querySelector(".pp-number").textContent = String(++last);
      }
      const place = /** @type {HTMLElement} */ (tick.closest("tr").querySelector("[data-says]"));
      const [one, more] = place.dataset.says.split("|");
      place.textContent = (first === last ? one : more)
        .replace("##", String(last))
        .replace("#", String(first));
      if (first > last) place.textContent = "–";
    }
    for (const mark of document.querySelectorAll(".pp-both"))
      mark.toggleAttribute("hidden", !backs.checked);
    const sum = document.querySelector("output");
    sum.textContent = sum.dataset.says.replace("#", String(last));
  };
  document.querySelector(".pp-about").addEventListener("change", count);
  count();
  choice.addEventListener("change", lay);
  document.querySelector(".pp-print").addEventListener("click", () => print());
  lay();
  document.documentElement.dataset.drawn = "yes";
}
