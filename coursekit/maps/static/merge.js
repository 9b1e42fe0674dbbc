// The panel "merge a class": what many maps have, how many have it, and where they disagree. It is read on a projector.

const FEW = 4; // at first, what one in this number of maps has is drawn
const CLASHES = 5; // disagreements that show at first
const ROWS = 200; // sentences that show at first, at most

function mergePanel({ button, drop, editor, field, fold, form, listOf, save, say, status }) {
  const note = status();
  const names = el("ul.ck-rows.ck-columns", { role: "list" });
  const count = el("summary");
  const chosen = el("details.ck-more", { hidden: true }, count, names);
  const size = el("p.ck-status", { role: "status" });
  const place = el("div.ck-class-map");
  const clashes = el("section.ck-against");
  const sentences = el("section");
  const slider = el("input", {
    id: newId(),
    type: "range",
    min: "1",
    oninput: () => choose(Number(slider.value)),
  });
  const shown = el("output.ck-at", { for: slider.getAttribute("id") });
  const words = el("datalist", { id: newId() });
  let list = []; // {name, content}
  let same = []; // pairs of words
  let least = 0; // 0 until the number of maps is known
  let told = null; // the last answer of the kernel
  let drawing = null;

  const zone = drop(
    say("panel.merge.choose"),
    (more) => {
      list = [...list.filter((file) => !more.some(({ name }) => name === file.name)), ...more];
      return ask();
    },
    note.bad,
    true,
  );
  const saves = FORMS.map((kind) =>
    button(say(`panel.files.${kind}`), () => save(kind, note, { of: "class", least }), {
      "data-form": kind,
    }),
  );
  const result = el(
    "div.ck-merged",
    { hidden: true },
    clashes,
    el(
      "section",
      el("h3", say("panel.merge.map")),
      el(
        "div.ck-slider",
        el("label", { for: slider.getAttribute("id") }, say("panel.merge.least")),
        el("div.ck-slide", slider, shown),
      ),
      size,
      place,
      el("div.ck-row", el("span.ck-soft", say("panel.merge.save")), ...saves),
    ),
    sentences,
    sameForm(),
  );
  const root = el("div", zone, chosen, note.root, result);

  function drawChosen() {
    count.textContent = say("panel.merge.files", { count: list.length });
    names.replaceChildren(
      ...list.map((file) => {
        const leaveOut = () => {
          list = list.filter((other) => other !== file);
          ask();
        };
        const more = { "aria-label": `${say("panel.merge.leave_out")} ${file.name}` };
        return el(
          "li",
          el("span", file.name),
          button(say("panel.merge.leave_out"), leaveOut, more),
        );
      }),
    );
    chosen.hidden = !list.length;
  }

  async function ask() {
    drawChosen();
    result.hidden = !list.length;
    note.tell(list.length ? say("panel.working") : "");
    if (!list.length) return;
    const files = list;
    const reply = await editor.ask({ type: "merge", files, same });
    if (files !== list) return; // others have been chosen meanwhile
    if (isRefused(reply)) return note.bad(reply.text);
    told = reply;
    const news = [say("panel.merge.told", { count: told.maps }), ...told.broken];
    note.tell(news.join(" "), told.broken.length > 0);
    slider.setAttribute("max", Math.max(1, told.maps));
    words.replaceChildren(
      ...Object.values(told.things)
        .filter(({ label }) => label)
        .map(({ label }) => el("option", { value: label })),
    );
    drawClashes();
    choose(Math.min(least || Math.max(1, Math.round(told.maps / FEW)), told.maps));
  }

  const weight = (number) =>
    el(
      "span.ck-weight",
      el("span.ck-bar", { "--share": String(number / told.maps), "aria-hidden": "true" }),
      say("panel.merge.drawn_by", { count: number, all: told.maps }),
    );
  const row = (counted) => el("li", el("span", counted.text), weight(counted.weight));

  function drawClashes() {
    const boxes = told.disagreements.map((pair) => listOf(pair.map(row), "ck-clash"));
    const more = boxes.slice(CLASHES);
    clashes.replaceChildren(
      el("h3", say("panel.merge.disagreements")),
      el("p.ck-asked", say(boxes.length ? "panel.merge.ask" : "panel.merge.agree")),
      el("div.ck-clashes", ...boxes.slice(0, CLASHES)),
      ...(more.length
        ? [fold(say("panel.more", { count: more.length }), el("div.ck-clashes", ...more))]
        : []),
    );
  }

  /** Draw what at least `number` maps have. */
  function choose(number) {
    least = number;
    slider.value = String(number);
    shown.textContent = String(number);
    const things = Object.fromEntries(
      Object.entries(told.things).filter(([id]) => id === HEAD || told.weights[id] >= number),
    );
    const { concepts, relations } = mapOf(things);
    const counts = { concepts: concepts.size, relations: relations.size };
    size.textContent = say(concepts.size ? "panel.merge.picture" : "panel.merge.nothing", counts);
    place.hidden = !concepts.size;
    const share = (id) => [id, told.maps > 1 ? told.weights[id] / told.maps : 0];
    drawing ??= showMap(place, {
      setting: editor.setting,
      model: editor.model,
      ask: () => editor.ask({ type: "library" }),
    });
    drawing.show(things, Object.fromEntries([...relations.keys()].map(share)));
    const often = told.propositions.filter((counted) => counted.weight >= number).slice(0, ROWS);
    const rest = told.propositions.slice(often.length);
    const below = listOf([], "ck-columns");
    const more = el(
      "details.ck-more",
      { hidden: !rest.length, ontoggle: () => below.append(...rest.splice(0).map(row)) },
      el("summary", say("panel.more", { count: rest.length })),
      below,
    );
    sentences.replaceChildren(
      el("h3", say("panel.merge.propositions")),
      listOf(often.map(row), "ck-columns"),
      more,
    );
  }

  /** What lets a class say that two words mean the same. */
  function sameForm() {
    const boxes = ["one_word", "other_word"].map((name) =>
      field(say(`panel.merge.${name}`), {
        list: words.getAttribute("id"),
        maxlength: editor.limits.label,
      }),
    );
    const pairs = listOf([]);
    const change = (changed) => {
      same = changed;
      const apart = (pair) =>
        button(say("panel.merge.undo_same"), () => change(same.filter((other) => other !== pair)));
      pairs.replaceChildren(
        ...same.map((pair) => el("li", el("span", pair.join(" = ")), apart(pair))),
      );
      return ask();
    };
    const add = form(
      [el("div.ck-two", ...boxes.map((one) => one.root)), words],
      say("panel.compare.treat_same"),
      () => {
        const pair = boxes.map(({ box }) => box.value.trim());
        if (!pair.every(Boolean)) return say("panel.merge.two_words");
        boxes.forEach(({ box }) => (box.value = ""));
        return change([...same, pair]);
      },
    );
    return fold(say("panel.merge.same"), add, pairs);
  }

  return { root, leave: () => drawing?.close() };
}
