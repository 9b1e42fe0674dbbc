// The frame of the mind-map editor: question, tools, views, saving. canvas.js draws the map, outline.js lists it, details.js
// has fields and forms, panels.js looks at it again (static_files.py names all parts); they share the `editor` of editor.js.

const LEAVE = 3000; // milliseconds that a sentence stays in the live region
const WIDE = 760; // pixels of its own width from which the details fit at the side
const EDGE = 20; // pixels around the parts of the editor
const PHONE = 600; // pixels up to which the screen counts as a phone

function addNotices(editor) {
  const live = el("p.ck-map-unseen", { role: "status", "aria-live": "polite" });
  const notice = el("p.ck-map-notice", { hidden: true });
  let silence = 0;
  editor.say = (text) => {
    live.textContent = "";
    clearTimeout(silence);
    setTimeout(() => {
      live.textContent = text;
    }, 60);
    silence = setTimeout(() => {
      live.textContent = "";
    }, LEAVE + 60);
  };
  editor.tell = (text, bad = false) => {
    notice.textContent = text;
    notice.hidden = !text;
    notice.classList.toggle("ck-bad", bad);
    if (text) editor.say(text);
  };
  return { live, notice };
}

function addActions(editor, canvas, list, details) {
  const { word } = editor;
  editor.forms = {
    concept: (given) => details.conceptForm(given),
    relation: (given) => details.relationForm(given),
    card: () => details.cardForm(),
    starter: () => details.starterForm(),
    keys: () => details.keysForm(),
    close: () => details.close(),
  };
  editor.art = (card, high) => canvas.drawing?.art(card, high);
  editor.png = () => canvas.drawing?.png();
  editor.wake = () => canvas.wake(true);
  editor.linking = () => Boolean(canvas.linking);
  editor.startLink = (id) => canvas.startLink(id);
  editor.stopLink = () => canvas.stopLink();
  /** Give the keyboard back to the map, or to the list. */
  editor.home = () =>
    editor.view === "map" ? canvas.board.focus({ preventScroll: true }) : list.focus();
  editor.back = (isAgain = false) => {
    const [did, never] = isAgain ? ["redone", "nothing_redone"] : ["undone", "nothing_undone"];
    editor.tell("");
    editor.say(word((isAgain ? editor.redo() : editor.undo()) ? did : never));
  };
  editor.remove = (id) => {
    const { concepts, relations } = editor.map;
    const relation = relations.get(id);
    const label = concepts.get(id)?.label ?? (relation && editor.sentence(relation));
    if (!label) return;
    const links = relation ? [] : editor.linksOf(id);
    const beside = links.map(([, { start, end }]) => (start === id ? end : start));
    const next = relation?.start ?? beside[0] ?? null;
    editor.edit(removeThings(editor.map, [id]));
    editor.select(next, { show: true });
    editor.tell(word(links.length ? "removed_linked" : "removed", { label, number: links.length }));
  };
  editor.begins = (about) => {
    editor.forms.close();
    editor
      .ask({ type: "starter", about })
      .then((answer) => answer.type === "refused" && editor.tell(answer.text, true));
  };
}

function questionField(editor) {
  const { word } = editor;
  const field = el("textarea.ck-map-question", {
    id: `${editor.uid}-focus`,
    rows: "1",
    lang: editor.language,
    spellcheck: "false",
    maxlength: "2000",
    placeholder: editor.setting.focus || word("focus_hint"),
    "aria-label": word("focus"),
    onchange: () => ask(),
    oninput: () => grow(),
  });
  const grow = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  };
  const ask = () => {
    if (field.value.trim() === editor.map.head.focus) return;
    const wrong = editor.edit({ [HEAD]: { ...editor.map.head, focus: field.value } });
    if (wrong) editor.tell(wrong, true);
  };
  onEnter(field, () => field.blur());
  const show = () => {
    if (field.getRootNode().activeElement === field || field.value === editor.map.head.focus)
      return;
    field.value = editor.map.head.focus;
    grow();
  };
  return {
    root: el("div.ck-map-head", el("label.ck-map-over", { for: field.id }, word("focus")), field),
    grow,
    show,
    ask,
  };
}

function toolbar(editor, canvas, full) {
  const { word } = editor;
  const tool = (sign, name, title, onclick, attributes = {}) =>
    press(sign, word(name), { "data-tool": name, title: word(title), onclick, ...attributes });
  const undo = tool("undo", "undo", "undo_title", () => editor.back(), { class: "ck-map-sign" });
  const redo = tool("redo", "redo", "redo_title", () => editor.back(true), {
    class: "ck-map-sign",
  });
  const link = tool("link", "link", "link_title", () => {
    editor.startLink(editor.selected);
  });
  const tidy = tool("tidy", "tidy", "tidy_title", () => canvas.tidy());
  const views = ["map", "outline"].map((name) =>
    tool(name, `view_${name}`, `view_${name}_title`, () => editor.show(name)),
  );
  const hasPanels = editor.model.get("panels")?.length > 0;
  const more = tool(
    "more",
    "more",
    "more_title",
    () => editor.open(editor.panel ? null : "panels"),
    { "aria-expanded": "false" },
  );
  const root = el(
    "div.ck-map-tools",
    { role: "toolbar", "aria-label": word("tools") },
    el(
      "span.ck-map-group",
      tool("add", "add", "add_title", () => editor.forms.concept({}), { class: "ck-map-main" }),
      editor.cards.length > 0 && tool("card", "draw", "draw_title", () => editor.forms.card()),
      link,
    ),
    el(
      "span.ck-map-group",
      undo,
      redo,
      tidy,
      document.fullscreenEnabled &&
        tool("full", "full", "full_title", full, { class: "ck-map-sign ck-map-wide" }),
      tool("keys", "help", "help_title", () => editor.forms.keys(), {
        class: "ck-map-sign ck-map-wide",
      }),
    ),
    el("span.ck-map-group.ck-map-views", { role: "group", "aria-label": word("views") }, ...views),
    hasPanels && more,
  );
  const stop = rove(root, () =>
    [...root.querySelectorAll("button")].filter(
      (button) => !button.disabled && button.getClientRects?.().length !== 0,
    ),
  );
  root.addEventListener("focusin", (event) => stop(event.target));
  const show = () => {
    undo.disabled = !editor.can.undo;
    redo.disabled = !editor.can.redo;
    if (
      [undo, redo].some((button) => button.disabled && button === root.getRootNode().activeElement)
    )
      editor.home(); // a disabled button hears no keys
    link.disabled = editor.map.concepts.size < 2;
    tidy.disabled = !canvas.drawing || editor.map.concepts.size < 2;
    views.forEach((view) =>
      view.setAttribute("aria-pressed", view.dataset.tool === `view_${editor.view}`),
    );
    more.setAttribute("aria-expanded", Boolean(editor.panel));
  };
  return { root, show };
}

function beginPanel(editor) {
  const { word } = editor;
  const step = (sign, name, rest, onclick) =>
    el("button.ck-map-step", { onclick }, icon(sign), el("b", word(name)), el("span", word(rest)));
  const [one, phrase, other] = word("begin_example").split("|");
  return el(
    "div.ck-map-begin",
    { hidden: true },
    el("p.ck-map-begin-head", word("begin")),
    el(
      "p.ck-map-begin-what",
      word("begin_what"),
      " ",
      el("span.ck-map-example-line", el("b", one), el("i", phrase), el("b", other)),
    ),
    el(
      "div",
      step("add", "begin_write", "begin_write_more", () => editor.forms.concept({})),
      editor.cards.length > 0 &&
        step("card", "begin_draw", "begin_draw_more", () => editor.forms.card()),
      editor.setting.starter &&
        editor.model.get("panels")?.length > 0 &&
        step("map", "begin_starter", "begin_starter_more", () =>
          editor.topics.length ? editor.forms.starter() : editor.begins(""),
        ),
    ),
  );
}

function savePanel(editor) {
  const { word } = editor;
  const line = el("p.ck-status.ck-map-status");
  const rescue = press("down", word("rescue"), {
    hidden: true,
    onclick: () => giveFile(`${word("file")}.json`, "application/json", editor.asFile()),
  });
  const offer = el(
    "div.ck-map-offer",
    { role: "group", hidden: true },
    el("p"),
    press("tick", word("offer_take"), { onclick: () => editor.take(true) }),
    press("close", word("offer_drop"), { onclick: () => editor.take(false) }),
  );
  const both = el(
    "div.ck-map-offer",
    { role: "group", "aria-label": word("other"), hidden: true },
    el("p"),
    ...["mine", "other", "both"].map((which) =>
      press("", word(`keep_${which}`), {
        "data-keep": which,
        onclick: () => editor.ask({ type: "keep", which }),
      }),
    ),
  );
  const clock = (time) => clockTime(editor, time);
  const stateText = ({ saved, saving, offline, failed }) => {
    if (offline) return word("offline");
    if (failed) return failed;
    if (saving) return word("saving");
    if (saved) return word("saved", { time: clock(saved) });
    return word(editor.ready ? "unsaved" : "opening");
  };
  const show = () => {
    const { offline, failed, other } = editor.status;
    const text = stateText(editor.status);
    const bad = offline || Boolean(failed);
    if (line.textContent !== text) {
      line.textContent = text;
      if (bad) editor.say(text);
    }
    line.classList.toggle("ck-bad", bad);
    rescue.hidden = !bad;
    const asked = other && word("other_saved", { time: clock(other) });
    if (asked && both.hidden) editor.say(asked);
    both.hidden = !other;
    both.firstChild.textContent = asked;
    offer.hidden = !editor.offer;
    if (editor.offer)
      offer.firstChild.textContent = word("offer", { time: clock(editor.offer.when) });
  };
  return { offers: [offer, both], foot: el("div.ck-map-foot", line, rescue), show };
}

/** Undo and redo by key from anywhere but a field, which undoes its own typing. */
function shortcut(event, editor) {
  if (
    !(event.ctrlKey || event.metaKey) ||
    event.altKey ||
    /^(input|textarea)$/.test(event.target.localName)
  )
    return;
  const back = event.key.toLowerCase() === "z";
  if (!back && event.key.toLowerCase() !== "y") return;
  event.preventDefault();
  event.stopPropagation();
  editor.back(!back || event.shiftKey);
}

/** Pixels of height in which the editor is seen: JupyterLab shows a notebook in a part of the window. */
function heightAround(root) {
  const notebook =
    document.fullscreenElement === root ? null : root.closest(".jp-NotebookPanel-notebook");
  return notebook?.clientHeight ?? innerHeight;
}

function render({ model, el: place }) {
  const editor = newEditor(model);
  editor.uid = newId();
  const { word } = editor;
  const { live, notice } = addNotices(editor);
  const canvas = new Canvas(editor);
  const list = outline(editor);
  const hasPanels = model.get("panels")?.length > 0;
  const more = hasPanels ? panels(editor) : null;
  const details = new Details(editor);
  addActions(editor, canvas, list, details);
  const question = questionField(editor);
  const tools = toolbar(editor, canvas, () =>
    document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(),
  );
  const empty = beginPanel(editor);
  canvas.floor.append(empty);
  const saved = savePanel(editor);
  const drawer = el(
    "section.ck-map-drawer",
    { "aria-label": word("more"), hidden: true },
    more?.root,
  );
  const stage = el(
    "div.ck-map-stage",
    el("div.ck-map-main-view", canvas.root, list.root),
    details.root,
  );
  const root = el(
    "div.ck-cell.ck-map",
    { lang: editor.language, tabindex: "-1", onkeydown: (event) => shortcut(event, editor) },
    question.root,
    tools.root,
    ...saved.offers,
    notice,
    stage,
    drawer,
    saved.foot,
    live,
  );
  Object.defineProperty(editor, "covered", {
    get: () =>
      root.classList.contains("ck-narrow") && editor.view === "map" ? details.root.offsetHeight : 0,
  });

  editor.panel = null;
  editor.open = (name) => {
    editor.panel = name;
    drawer.hidden = !name;
    tools.show();
    editor.tells("panel", name);
    if (name) drawer.scrollIntoView?.({ block: "nearest" });
  };
  editor.show = (name) => {
    editor.view = name;
    root.setAttribute("data-view", name);
    canvas.root.hidden = name !== "map";
    list.root.hidden = name !== "outline";
    tools.show();
    editor.tells("view");
  };

  const onMap = () => {
    const { size } = editor.map.concepts;
    tools.show();
    question.show();
    empty.hidden = !editor.ready || size > 0 || Boolean(details.form);
    root.classList.toggle("ck-map-blank", size === 0 && !details.form);
  };
  const ends = [editor.on("map", onMap), editor.on("form", onMap), editor.on("status", saved.show)];
  const measure = () => {
    root.classList.toggle("ck-narrow", root.clientWidth < WIDE);
    root.classList.toggle("ck-phone", root.clientWidth < PHONE);
    question.grow();
    root.style.setProperty(
      "--map-high",
      `${heightAround(root) - stage.offsetTop - saved.foot.offsetHeight - EDGE}px`,
    );
  };
  const watch = new ResizeObserver(() => requestAnimationFrame(measure));
  place.replaceChildren(root);
  measure();
  watch.observe(root);
  const uncover = new ResizeObserver(
    () => editor.covered && editor.selected && canvas.reveal(editor.selected),
  );
  uncover.observe(details.root);
  editor.show("map");
  saved.show();
  onMap();
  editor.begin();
  const away = () => {
    question.ask();
    details.commit();
    editor.save();
  };
  const hidden = () => document.hidden && away(); // a phone sends no other event
  addEventListener("pagehide", away, true); // before the page's own listener, which stops the kernel
  document.addEventListener("visibilitychange", hidden);
  return () => {
    removeEventListener("pagehide", away, true);
    document.removeEventListener("visibilitychange", hidden);
    watch.disconnect();
    uncover.disconnect();
    for (const part of [details, list, more, canvas, editor]) part?.leave();
    ends.forEach((end) => end());
  };
}

export default withStyles({ render, showMap });
