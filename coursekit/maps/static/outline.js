// The map as a list, with everything that the map can do. Nested lists of buttons rather than an ARIA tree: every screen
// reader reads them, on phones, too, and a line may hold the form that edits it.

/** The map of `editor` as a list. */
function outline(editor) {
  const { button, concept, field, form, label, phraseField, picker, say, sentence } =
    formParts(editor);
  const lines = new Map(); // by key, "c1" for a concept and "r8@c1" for a relation listed under it
  let order = []; // keys, from top to bottom
  let stop = ""; // key of the line at which Tab stops
  let open = ""; // key of the line whose tools are shown
  let top = ""; // id of the concept above all others
  let hung = {}; // by concept: the relation that it hangs on
  let late = false; // the map changed while the list was hidden, or during composition
  let busy = false; // a word is being composed

  const help = el(
    "p.ck-status.ck-help",
    say("outline.help"),
    " ",
    el("span.ck-keys", say("outline.keys")),
  );
  const empty = el("p.ck-empty", say("outline.empty"));
  const tree = el("ul.ck-tree", { role: "list", "aria-label": say("outline.name") });
  const looseHead = el("p.ck-over", say("outline.loose"));
  const loose = el("ul.ck-tree", { role: "list", "aria-label": say("outline.loose") });
  const tools = el("div.ck-tools");
  const foot = el("div.ck-outline-foot");
  const root = el(
    "section.ck-outline",
    { "aria-label": say("outline.name") },
    help,
    empty,
    el("div.ck-lines", tree, looseHead, loose),
    foot,
  );

  function lineAt(key) {
    if (!lines.has(key)) {
      const press = el("button.ck-line", {
        tabindex: "-1",
        "data-key": key,
        "aria-expanded": "false",
        onclick: () => toggle(line.key),
        onfocus: () => stopAt(line.key),
        onkeydown: (event) => onKey(event, line.key),
      });
      const line = {
        key,
        press,
        below: el("ul.ck-below", { role: "list" }),
        item: el("li", press),
      };
      lines.set(key, line);
    }
    return lines.get(key);
  }

  const idOf = (key) => key.split("@")[0];
  const isRelation = (key) => key.includes("@");

  function stopAt(key) {
    lines.get(stop)?.press.setAttribute("tabindex", "-1");
    stop = key;
    lines.get(stop)?.press.setAttribute("tabindex", "0");
  }

  /** The words of a line as [style, words]; together they are the whole sentence, without a look at the line above. */
  function told(key) {
    const id = idOf(key);
    const across = isRelation(key);
    const relation = editor.map.relations.get(across ? id : hung[id]);
    if (!relation) return [["strong", label(id)]];
    const { start, phrase, end } = relation;
    const words = [
      ["phrase", phrase || "–"],
      ["arrow", "→"],
    ];
    if (!across)
      return end === id
        ? [["hidden", label(start)], ...words, ["strong", label(end)]]
        : [["strong", label(start)], ...words, ["soft", label(end)]];
    const out = start === key.split("@")[1];
    return [
      ["also", say("outline.also")],
      ...(out
        ? [["hidden", label(start)], ...words, ["strong", label(end)]]
        : [["strong", label(start)], ...words, ["soft", label(end)]]),
    ];
  }

  function write(line, parts) {
    const now = JSON.stringify(parts);
    if (line.told === now) return;
    line.told = now;
    line.press.replaceChildren(
      ...parts.flatMap(([style, words]) => [
        el(
          `${style === "strong" ? "b" : "span"}.ck-${style}`,
          { "aria-hidden": style === "arrow" && "true" },
          words,
        ),
        " ",
      ]),
    );
  }

  /** The relation that each concept hangs on: as the kernel says; before it answers, the first one. */
  function hanging() {
    const { concepts, relations, tree: known } = editor.map;
    const kept = Object.entries(known?.hangs_on ?? {}).filter(
      ([id, relation]) => concepts.has(id) && relations.has(relation),
    );
    const found = Object.fromEntries(kept);
    for (const [relation, { start, end }] of relations) {
      if (end.startsWith("+") && !(end in found)) found[end] = relation;
      else if (start.startsWith("+") && !(start in found)) found[start] = relation;
    }
    return found;
  }

  function rename(ids) {
    const now = (key) =>
      key
        .split("@")
        .map((id) => ids.get(id) ?? id)
        .join("@");
    for (const [key, line] of [...lines]) {
      if (now(key) === key) continue;
      lines.delete(key);
      line.key = now(key);
      line.press.setAttribute("data-key", line.key);
      lines.set(line.key, line);
    }
    stop = now(stop);
    open = now(open);
  }

  /** @param {{ renamed?: Map<string, string> }} [what] */
  function draw({ renamed } = {}) {
    if (renamed?.size) rename(renamed);
    late = busy || root.hidden;
    if (late) return;
    const focused = root.getRootNode().activeElement;
    const { head, concepts } = editor.map;
    top = concepts.has(head.top) ? head.top : (concepts.keys().next().value ?? "");
    hung = hanging();
    const below = new Map([...editor.map.concepts.keys()].map((id) => [id, []]));
    const across = new Map([...editor.map.concepts.keys()].map((id) => [id, []]));
    const carries = new Map(Object.entries(hung).map(([id, relation]) => [relation, id]));
    for (const [id, { start, end }] of editor.map.relations) {
      const lower = carries.get(id);
      if (lower) below.get(lower === start ? end : start).push(lower);
      else for (const concept of [start, end]) across.get(concept).push(`${id}@${concept}`);
    }
    order = [];
    const show = (key, under) => {
      order.push(key); // a concept hangs on one relation only, so this ends
      const line = lineAt(key);
      write(line, told(key));
      line.press.setAttribute(
        "class",
        `ck-line${isRelation(key) ? " ck-cross" : ""}${key === top ? " ck-top" : ""}`,
      );
      if (!isRelation(key))
        arrange(
          line.below,
          [...across.get(key), ...below.get(key)].map((link) => show(link, key)),
        );
      line.under = under;
      const parts = [
        line.press,
        ...(key === open ? [tools] : []),
        ...(line.below.children.length ? [line.below] : []),
      ];
      arrange(line.item, parts);
      return line.item;
    };
    arrange(tree, top ? [show(top, "")] : []);
    arrange(
      loose,
      [...editor.map.concepts.keys()].filter((id) => !order.includes(id)).map((id) => show(id, "")),
    );
    for (const key of [...lines.keys()]) if (!order.includes(key)) lines.delete(key);
    if (open && !lines.has(open)) toggle("");
    tree.hidden = !top;
    loose.hidden = looseHead.hidden = loose.children.length === 0;
    help.hidden = !top;
    empty.hidden = Boolean(top);
    stopAt(lines.has(stop) ? stop : (order[0] ?? ""));
    mark();
    if (focused && root.contains(focused)) {
      if (root.getRootNode().activeElement !== focused) focused.focus(); // it moved with its line
    }
  }

  function mark() {
    for (const [key, { press }] of lines) {
      if (editor.selected && [idOf(key), hung[key]].includes(editor.selected))
        press.setAttribute("aria-current", "true");
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
    if (event.key in to) {
      event.preventDefault();
      lines.get(to[event.key])?.press.focus();
    } else if (event.key === "Delete") {
      event.preventDefault();
      remove(key);
    } else if (event.key === "F2") {
      event.preventDefault();
      toggle(key, true);
      use(isRelation(key) ? "words" : "rename");
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      toggle("");
    }
  }

  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || composingIn(event)) return;
    event.preventDefault();
    const { press } = lines.get(open);
    toggle("");
    press.focus();
  });
  root.addEventListener("compositionstart", () => (busy = true));
  root.addEventListener("compositionend", () => {
    busy = false;
    if (late) draw();
  });

  function toggle(key, stay = false) {
    const before = lines.get(open);
    open = key === open && !stay ? "" : key;
    if (before) {
      before.press.setAttribute("aria-expanded", "false");
      tools.remove();
    }
    const line = lines.get(open);
    if (!line) return;
    line.press.setAttribute("aria-expanded", "true");
    line.item.insertBefore(tools, line.item.children[1] ?? null);
    editor.select(idOf(open));
    use("");
  }

  function use(name) {
    const key = open;
    const id = idOf(key);
    const relation = relationOf(key);
    const made = name ? FORMS[name](id, relation) : null;
    const tool = (action, act) =>
      button(say(`outline.${action}`), act ?? (() => use(action === name ? "" : action)), {
        class: "ck-tool",
        "data-tool": action,
        ...(act ? {} : { "aria-expanded": String(action === name) }),
      });
    const first = isRelation(key)
      ? []
      : [tool("child"), tool("link"), tool("rename"), tool("note")];
    const words = relation ? [tool("words"), tool("turn", () => turn(relationOf(open)))] : [];
    const last = [];
    if (isRelation(key)) last.push(tool("go", () => go(open)));
    else if (id !== top) last.push(tool("make_top", () => editor.edit([["top", id]])));
    tools.replaceChildren(
      el(
        "div.ck-row",
        { role: "group", "aria-label": say("outline.tools", { name: nameOf(key) }) },
        ...first,
        ...words,
        ...last,
        tool("remove", () => remove(open)),
      ),
      ...(made ? [made.root] : []),
    );
    made?.first.focus();
  }

  const relationOf = (key) => (isRelation(key) ? idOf(key) : hung[idOf(key)]);

  const nameOf = (key) =>
    isRelation(key) ? sentence(editor.map.relations.get(idOf(key))) : label(idOf(key));

  function addBelow(start, words, name) {
    const end = concept(name);
    const added = end ? [] : [["add", { label: name }]];
    return editor.edit([...added, linkTo(start, words, end || "+0")], true);
  }

  const FORMS = {
    child(id) {
      const name = field(say("outline.concept"), { maxlength: editor.limits.label });
      const value = () => name.box.value.trim();
      return linking(
        id,
        name,
        value,
        ["add", "no_name"],
        (words) => addBelow(id, words, value()),
        "child",
      );
    },
    link(id) {
      const other = picker(say("outline.other"), () => [editor.now(id)]);
      return linking(id, other, other.value, ["add_link", "no_other"], (words) =>
        editor.edit([linkTo(id, words, other.value())], true),
      );
    },
    rename(id) {
      const { root, box } = field(say("outline.new_name"), { maxlength: editor.limits.label });
      box.value = label(id);
      return changing(id, [root], box, () => ({ label: box.value }));
    },
    note(id) {
      const box = el("textarea.ck-box", {
        id: newId(),
        rows: "3",
        maxlength: editor.limits.note,
        spellcheck: "false",
      });
      box.value = editor.map.concepts.get(id).note;
      const title = el("label", { for: box.id }, say("outline.note_of", { name: label(id) }));
      return changing(id, [el("p.ck-field", title, box)], box, () => ({ note: box.value }));
    },
    words(_id, relation) {
      const { phrase, kind } = editor.map.relations.get(relation);
      const words = phraseField(phrase, kind);
      return changing(relation, [words.root, words.group], words.box, words.value);
    },
  };

  const linkTo = (start, { phrase, kind }, end) => [
    "link",
    start,
    phrase,
    end,
    kind ? { kind } : {},
  ];

  /** A form for a relation from `id` to what is typed in `other`; `texts` are its button and what is said if that is missing. */
  function linking(id, other, value, [add, missing], send, next = "") {
    const words = phraseField();
    const root = form(
      [el("p.ck-begin", `${label(id)} …`), el("div.ck-two", words.root, other.root), words.group],
      say(`outline.${add}`),
      async () => {
        if (value()) return leave(send(words.value()), root, next);
        other.box.focus();
        return say(`outline.${missing}`);
      },
    );
    return { root, first: words.box };
  }

  function changing(id, parts, first, fields) {
    const root = form(parts, say("outline.save"), () =>
      leave(editor.edit([["change", id, fields()]], true), root),
    );
    return { root, first };
  }

  /** Close `form`, whose edit is `sent`, or begin with a fresh one called `next`; it comes back, with what was typed, if the
   *  kernel refuses and the keyboard is where it was left. */
  function leave(sent, form, next = "") {
    const line = lines.get(open);
    use(next);
    if (!next) line.press.focus();
    const left = root.getRootNode().activeElement;
    sent.then((reply) => {
      if (!isRefused(reply)) return;
      if (lines.get(open) === line && root.getRootNode().activeElement === left && !left.value) {
        tools.replaceChildren(tools.firstChild, form);
        form.querySelector("input, textarea").focus();
      } else editor.tell(reply.text, true);
    });
    return sent;
  }

  const turn = (relation) => {
    const { start, end } = editor.map.relations.get(relation);
    return editor.edit([["change", relation, { start: end, end: start }]]);
  };

  function go(key) {
    const { start, end } = editor.map.relations.get(idOf(key));
    const other = start === key.split("@")[1] ? end : start;
    lines.get(other).press.focus();
    editor.select(other);
  }

  async function remove(key) {
    const next = lines.get(key).under || order[order.indexOf(key) + 1];
    const name = nameOf(key);
    const sent = editor.edit([["remove", [idOf(key)]]]);
    const to = lines.get(next) ?? lines.get(order[0]);
    (to?.press ?? foot.querySelector("input"))?.focus();
    if (!isRefused(await sent)) editor.say(say("outline.removed", { name }));
  }

  function below() {
    const name = field(say("outline.alone"), { maxlength: editor.limits.label });
    const add = form([name.root], say("outline.add"), async () => {
      const { value } = name.box;
      const sent = editor.edit([["add", { label: value }]], true);
      name.box.value = "";
      name.box.focus();
      const reply = await sent;
      if (isRefused(reply)) name.box.value ||= value;
      return reply;
    });
    const place = el("div.ck-drawn");
    const parts = [add];
    if (editor.cards.length)
      parts.push(
        button(say("outline.draw"), () => drawCard(place), { "data-tool": "draw" }),
        place,
      );
    foot.replaceChildren(...parts);
  }

  /** Ask for a card and its place. */
  async function drawCard(place) {
    const reply = await editor.ask({ type: "draw" });
    if (isRefused(reply)) {
      place.replaceChildren(el("p.ck-bad", { role: "alert" }, reply.text));
      return;
    }
    const { card } = reply;
    const { label: name, kind, note, source } = card;
    const rest = { label: name, kind, note, card: card.card, source };
    const head = el(
      "p.ck-card-name",
      { tabindex: "-1" },
      el("b", card.label),
      " ",
      el("span.ck-soft", card.note),
    );
    const finish = async (sent) => {
      const parts = [...place.children];
      place.replaceChildren();
      foot.querySelector("[data-tool=draw]").focus();
      const reply = await sent;
      if (isRefused(reply) && !place.children.length) place.replaceChildren(...parts);
      return reply;
    };
    const words = phraseField();
    const other = picker(say("outline.hang_on"));
    other.box.value = label(stop && !isRelation(stop) ? stop : order[0]);
    const hang = form(
      [el("div.ck-two", other.root, words.root), words.group],
      say("outline.hang"),
      async () => {
        const start = other.value();
        if (!start) return say("outline.no_other");
        const ops = [["add", rest], linkTo(start, words.value(), "+0")];
        return finish(editor.edit(ops, true));
      },
    );
    place.replaceChildren(
      head,
      ...(editor.map.concepts.size ? [hang] : []),
      el(
        "div.ck-row",
        button(say("outline.put_alone"), () => finish(editor.edit([["add", rest]]))),
        button(say("outline.another"), () => drawCard(place)),
      ),
    );
    head.focus();
  }

  below();
  draw();
  const off = [
    editor.on("map", draw),
    editor.on("view", () => late && draw()),
    editor.on("select", (id, more) => {
      mark();
      if (more?.show) tree.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }),
  ];
  return { root, leave: () => off.forEach((end) => end?.()) };
}
