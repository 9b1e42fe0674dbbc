// The map as a list: nested buttons rather than an ARIA tree, since every screen reader reads them. A line chooses what it
// names, and the details beside it do the rest.

function outline(editor) {
  const { word, labelOf: label } = editor;
  const lines = new Map(); // by key, "c1" for a concept and "r8@c1" for a relation listed under it
  let order = []; // keys, from top to bottom
  let stop = ""; // key of the line at which Tab stops

  const help = el(
    "p.ck-status.ck-help",
    word("outline.help"),
    " ",
    el("span.ck-keys", word("outline.keys")),
  );
  const empty = el("p.ck-empty", word("outline.empty"));
  const tree = el("ul.ck-tree", { role: "list", "aria-label": word("outline.name") });
  const looseHead = el("p.ck-over", word("outline.loose"));
  const loose = el("ul.ck-tree", { role: "list", "aria-label": word("outline.loose") });
  const root = el(
    "section.ck-outline",
    { "aria-label": word("outline.name") },
    help,
    empty,
    el("div.ck-lines", tree, looseHead, loose),
  );

  const idOf = (key) => key.split("@")[0];

  function lineAt(key) {
    if (lines.has(key)) return lines.get(key);
    const press = el("button.ck-line", {
      tabindex: "-1",
      "data-key": key,
      onclick: () => editor.select(idOf(key), { open: true }),
      onfocus: () => stopAt(key),
      onkeydown: (event) => onKey(event, key),
    });
    const line = {
      press,
      below: el("ul.ck-below", { role: "list" }),
      item: el("li", press),
      under: "",
    };
    lines.set(key, line);
    return line;
  }

  function stopAt(key) {
    lines.get(stop)?.press.setAttribute("tabindex", "-1");
    stop = key;
    lines.get(stop)?.press.setAttribute("tabindex", "0");
  }

  /** The words of a line as [style, words]; together they are the whole sentence, without a look at the line above. */
  function wordsOf(key, hung) {
    const [id, at] = key.split("@");
    const relation = editor.map.relations.get(at ? id : hung[id]);
    if (!relation) return [["strong", label(id)]];
    const { start, phrase, end } = relation;
    const words = [
      ["phrase", phrase || "–"],
      ["arrow", "→"],
    ];
    const isDown = at ? start === at : end === id;
    const ends = isDown ? ["hidden", "strong"] : ["strong", "soft"];
    const sentence = [[ends[0], label(start)], ...words, [ends[1], label(end)]];
    return at ? [["also", word("outline.also")], ...sentence] : sentence;
  }

  function draw() {
    if (root.hidden) return;
    const active = root.getRootNode().activeElement;
    const { concepts, relations } = editor.map;
    const { top, hung, cross } = hierarchyOf(editor.map);
    const below = new Map([...concepts.keys()].map((id) => [id, []]));
    const across = new Map([...concepts.keys()].map((id) => [id, []]));
    const carries = new Map(Object.entries(hung).map(([id, relation]) => [relation, id]));
    for (const [id, { start, end }] of relations) {
      const lower = carries.get(id);
      if (lower) below.get(lower === start ? end : start).push(lower);
      else for (const concept of [start, end]) across.get(concept).push(`${id}@${concept}`);
    }
    order = [];
    const show = (key, under) => {
      order.push(key); // a concept hangs on one relation only, so this ends
      const line = lineAt(key);
      const parts = wordsOf(key, hung).flatMap(([style, words]) => [
        el(
          `${style === "strong" ? "b" : "span"}.ck-${style}`,
          { "aria-hidden": style === "arrow" && "true" },
          words,
        ),
        " ",
      ]);
      line.press.replaceChildren(...parts);
      line.press.classList.toggle("ck-cross", cross.has(idOf(key)));
      line.press.classList.toggle("ck-top", key === top);
      line.under = under;
      const links = [...(across.get(key) ?? []), ...(below.get(key) ?? [])];
      arrange(
        line.below,
        links.map((link) => show(link, key)),
      );
      arrange(line.item, links.length ? [line.press, line.below] : [line.press]);
      return line.item;
    };
    arrange(tree, top ? [show(top, "")] : []);
    const rest = [...concepts.keys()].filter((id) => !order.includes(id));
    arrange(
      loose,
      rest.map((id) => show(id, "")),
    );
    for (const key of [...lines.keys()]) if (!order.includes(key)) lines.delete(key);
    tree.hidden = !top;
    loose.hidden = looseHead.hidden = rest.length === 0;
    help.hidden = !top;
    empty.hidden = Boolean(top);
    stopAt(lines.has(stop) ? stop : (order[0] ?? ""));
    mark();
    if (active?.isConnected && root.contains(active)) active.focus(); // it moved with its line
  }

  function mark() {
    for (const [key, { press }] of lines) {
      if (idOf(key) === editor.selected) press.setAttribute("aria-current", "true");
      else press.removeAttribute("aria-current");
    }
  }

  function onKey(event, key) {
    const at = order.indexOf(key);
    const to = {
      ArrowDown: order[at + 1],
      ArrowUp: order[at - 1],
      Home: order[0],
      End: order.at(-1),
      ArrowLeft: lines.get(key).under,
      ArrowRight: order.find((other) => lines.get(other).under === key),
    };
    const acts = {
      Delete: () => {
        const next = lines.get(key).under || order[at + 1];
        editor.remove(idOf(key));
        (lines.get(next) ?? lines.get(order[0]))?.press.focus();
      },
      F2: () => editor.select(idOf(key), { open: true }),
      n: () => editor.forms.concept(key.includes("@") ? {} : { from: key }),
    };
    if (event.key in to) lines.get(to[event.key])?.press.focus();
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  /** Give the keyboard to the line of the selected thing. */
  const focus = () => (root.querySelector("[aria-current]") ?? lines.get(stop)?.press)?.focus();

  const ends = [
    editor.on("map", draw),
    editor.on("view", draw),
    editor.on("select", (_id, more) => {
      mark();
      if (more?.show) root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }),
  ];
  return { root, focus, leave: () => ends.forEach((end) => end()) };
}
