// The pictures of a manual: the table's own script draws each view, and nothing can be done with it.

const { script, art, zone_css, words, views } = JSON.parse(
  document.getElementById("stills").textContent,
);
const { default: table } = await import(script);

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll("[data-still]");
for (const el of places) {
  const state = {
    view: views[el.dataset.still],
    art,
    zone_css,
    words,
    setup: {},
    languages: [],
    handbook: {},
  };
  const model = { get: (name) => state[name], on() {}, off() {}, send() {} };
  table.render({ model, el });
}
document.documentElement.dataset.drawn = "yes";
