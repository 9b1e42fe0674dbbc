// Draws the faces on the pages with the table's own renderer, and lets the reader choose the paper.

/** Room for the name on a card, and beside an index, in units of its drawing. */
const ROOM = 60;
const BESIDE = 50;

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
  const backs = document.querySelector(".pp-want-backs");
  const sheets = [...document.querySelectorAll(".pp-page")];
  /** Leaves out what is not wanted, and counts the pages anew. */
  const count = () => {
    let last = 0;
    for (const tick of all("part")) {
      const part = tick.getAttribute("data-part");
      const wanted = /** @type {HTMLInputElement} */ (tick).checked;
      if (part === "rules") {
        document.querySelector("article").hidden = !wanted;
        continue;
      }
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
    for (const mark of document.querySelectorAll(".pp-both")) mark.hidden = !backs.checked;
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
