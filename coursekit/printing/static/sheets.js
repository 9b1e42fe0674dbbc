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
  choice.addEventListener("change", lay);
  document.querySelector(".pp-print").addEventListener("click", () => print());
  lay();
  document.documentElement.dataset.drawn = "yes";
}
