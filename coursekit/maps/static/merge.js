// The panel "merge a class": what many maps have, how many have it, and where they disagree. The merged map can be saved
// or taken over into the editor.

const FEW = 4; // at first, things show that one in this number of maps has
const FIRST = 5; // disagreements that show at first

function mergePanel(kit) {
  const {
    button,
    drop,
    editor,
    field,
    fold,
    form,
    pictureFrame,
    listOf,
    picture,
    save,
    say,
    status,
  } = kit;
  const note = status();
  const names = el("ul.ck-rows.ck-columns", { role: "list" });
  const count = el("summary");
  const chosen = el("details.ck-more", { hidden: true }, count, names);
  const result = el("div.ck-merged");
  const own = el("input", { type: "checkbox", id: newId() });
  let list = []; // {name, content}
  let same = []; // pairs of words
  let least = 0; // 0 until the number of maps is known
  let told = null;

  const zone = drop(
    say("panel.merge.choose"),
    (more) => {
      list = [...list.filter((file) => !more.some(({ name }) => name === file.name)), ...more];
      return ask();
    },
    note.bad,
    true,
  );
  own.addEventListener("change", ask);
  const root = el(
    "div",
    zone,
    el("p.ck-check", own, el("label", { for: own.getAttribute("id") }, say("panel.merge.own"))),
    chosen,
    note.root,
    result,
  );

  function drawChosen() {
    count.replaceChildren(say("panel.merge.files", { count: list.length }));
    names.replaceChildren(
      ...list.map((file) =>
        el(
          "li",
          el("span", file.name),
          button(
            say("panel.merge.leave_out"),
            () => {
              list = list.filter((other) => other !== file);
              ask();
            },
            { "aria-label": say("panel.merge.leave_out_this", { name: file.name }) },
          ),
        ),
      ),
    );
    chosen.hidden = list.length === 0;
  }

  async function ask() {
    drawChosen();
    const mine = own.checked ? [{ name: "my-map.json", content: encode(editor.asFile()) }] : [];
    const all = [...list, ...mine];
    if (!all.length) {
      result.replaceChildren();
      note.tell("");
      return;
    }
    note.tell(say("panel.merge.working"));
    const reply = await editor.ask({
      type: "merge",
      files: all,
      least: least || Math.max(1, Math.round(all.length / FEW)),
      same,
    });
    if (isRefused(reply)) {
      note.bad(reply.text);
      return;
    }
    told = reply;
    least = Math.min(least || Math.max(1, Math.round(told.maps / FEW)), told.maps);
    const news = [say("panel.merge.told", { count: told.maps }), ...told.broken];
    note.tell(news.join(" "), told.broken.length > 0);
    draw();
  }

  function weightsOf() {
    const weight = new Map(
      told.propositions.map((proposition) => [proposition.sentence, proposition.weight]),
    );
    const labels = (id) => told.map.concepts[id].label;
    return Object.fromEntries(
      Object.entries(told.map.relations).map(([id, { start, phrase, end }]) => [
        id,
        told.maps > 1
          ? (weight.get(relationWords(labels(start), phrase, labels(end))) ?? 1) / told.maps
          : 0,
      ]),
    );
  }

  const bar = (weight) =>
    el(
      "span.ck-weight",
      el("span.ck-bar", { "--share": String(weight / told.maps), "aria-hidden": "true" }),
      say("panel.merge.drawn_by", { count: weight, all: told.maps }),
    );
  const row = ({ sentence, weight }) => el("li.ck-said", el("span", sentence), bar(weight));
  const clash = ({ sentences, weights }) =>
    listOf(
      sentences.map((sentence, at) => row({ sentence, weight: weights[at] })),
      "ck-clash",
    );

  function draw() {
    const map = whole(told.map);
    const often = told.propositions.filter(({ weight }) => weight >= least);
    const seldom = told.propositions.filter(({ weight }) => weight < least);
    const clashes = told.disagreements.map(clash);
    const size = { concepts: map.concepts.size, relations: map.relations.size };
    result.replaceChildren(
      el(
        "section.ck-against",
        el("h3", say("panel.merge.disagreements")),
        el(
          "p",
          { class: clashes.length ? "ck-asked" : "ck-status" },
          say(clashes.length ? "panel.merge.ask" : "panel.merge.agree"),
        ),
        el("div.ck-clashes", ...clashes.slice(0, FIRST)),
        clashes.length > FIRST &&
          fold(
            say("panel.merge.more", { count: clashes.length - FIRST }),
            el("div.ck-clashes", ...clashes.slice(FIRST)),
          ),
      ),
      el(
        "section",
        el("h3", say("panel.merge.map")),
        leastSlider(),
        size.concepts
          ? pictureFrame(
              say("panel.merge.map"),
              picture(map, say("panel.merge.picture", size), { weights: weightsOf() }),
            )
          : el("p.ck-status", say("panel.merge.nothing")),
        takeRow(map),
      ),
      el(
        "section",
        el("h3", say("panel.merge.propositions")),
        listOf(often.map(row), "ck-columns"),
        seldom.length > 0 &&
          fold(
            say("panel.merge.seldom", { count: seldom.length }),
            listOf(seldom.map(row), "ck-columns"),
          ),
      ),
      sameForm(),
    );
  }

  function leastSlider() {
    const id = newId();
    const slider = el("input", {
      id,
      type: "range",
      min: "1",
      max: Math.max(1, told.maps),
      step: "1",
    });
    slider.value = String(least);
    const shown = el("output.ck-at", { for: id }, least);
    slider.addEventListener("input", () => (shown.textContent = slider.value));
    slider.addEventListener("change", async () => {
      least = Number(slider.value);
      await ask();
      result.querySelector("input[type=range]")?.focus();
    });
    return el(
      "div.ck-slider",
      el("label", { for: id }, say("panel.merge.least")),
      el("div.ck-slide", slider, shown),
    );
  }

  function sameForm() {
    const words = [...new Set(Object.values(told.map.concepts).map((concept) => concept.label))];
    const options = el(
      "datalist",
      { id: newId() },
      ...words.map((word) => el("option", { value: word })),
    );
    const box = (name) =>
      field(say(`panel.merge.${name}`), {
        list: options.getAttribute("id"),
        maxlength: editor.limits.label,
      });
    const [one, other] = [box("one_word"), box("other_word")];
    const made = form(
      [el("div.ck-two", one.root, other.root), options],
      say("panel.compare.treat_same"),
      async () => {
        const pair = [one, other].map((picker) => picker.box.value.trim());
        if (!pair.every(Boolean)) return say("panel.merge.two_words");
        same = [...same, pair];
        return ask();
      },
    );
    const apart = (pair) =>
      button(say("panel.merge.undo_same"), () => {
        same = same.filter((other) => other !== pair);
        ask();
      });
    return fold(
      say("panel.merge.same"),
      made,
      listOf(same.map((pair) => el("li", el("span", pair.join(" = ")), apart(pair)))),
    );
  }

  function takeRow(map) {
    const content = () => encode(nodeLink(map));
    const row = el("div.ck-row");
    const saves = FORMS.map((form) =>
      button(say(`panel.files.${form}`), () => save(form, note, "class"), { "data-form": form }),
    );
    const back = () => {
      row.replaceChildren(take, el("span.ck-soft", say("panel.merge.save")), ...saves);
      take.focus();
    };
    const take = button(say("panel.merge.take"), () => {
      const yes = button(
        say("panel.merge.take_yes"),
        async () => {
          const reply = await editor.ask({ type: "load", name: "class.json", content: content() });
          if (isRefused(reply)) note.bad(reply.text);
          else note.tell(say("panel.files.loaded"));
          back();
        },
        { class: "ck-go" },
      );
      row.replaceChildren(
        el("p.ck-asked", say("panel.merge.take_sure")),
        yes,
        button(say("panel.merge.take_no"), back),
      );
      yes.focus();
    });
    row.append(take, el("span.ck-soft", say("panel.merge.save")), ...saves);
    return row;
  }

  drawChosen();
  return { root, show: () => own.checked && ask() };
}
