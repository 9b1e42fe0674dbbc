// Draws the faces on the pages with the table's own renderer, and lets the reader choose the paper.

const NAME = 60, BESIDE = 50; // room for a name in units of a card's drawing, and beside an index

{
  const { art, faces, papers } = JSON.parse(document.getElementById("data").textContent);
  const symbols = new DOMParser().parseFromString(art, "image/svg+xml").querySelectorAll("symbol");
  const table = { art: new Map([...symbols].map((each) => [each.id.replace(/^ck-/, ""), each])) };
  for (const each of document.querySelectorAll("[data-face]")) each.append(card(faces[each.dataset.face], table));
  for (const each of document.querySelectorAll("[data-art]")) each.append(picture(each.dataset.art, table, { "aria-hidden": "true" }));
  for (const each of document.querySelectorAll(".pp-card .ck-name")) { // a long name ends before what is behind it
    const room = each.parentNode.querySelector(".ck-index") ? BESIDE : NAME, long = each.getComputedTextLength();
    if (long > room) each.style.fontSize = `${(parseFloat(getComputedStyle(each).fontSize) * room) / long}px`;
  }

  const choice = document.querySelector("select");
  const lay = () => {
    const [wide, high] = papers[choice.value];
    document.getElementById("paper").textContent = `@page { size: ${wide}mm ${high}mm; margin: 0 } .pp { --page: ${wide}mm; --long: ${high}mm }`;
  };
  choice.addEventListener("change", lay);
  document.querySelector(".pp-print").addEventListener("click", () => print());
  lay();
  document.documentElement.dataset.drawn = "yes";
}
