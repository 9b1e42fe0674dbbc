// Beside the map: tabs to look at it again, compare it, merge a class, and for files.

const WAIT = 500; // milliseconds without an edit until a panel asks again
const TOGETHER = 7e6; // bytes of all files sent at once, the most that a connection to the kernel carries
const FILE_KINDS = ".json,.graphml,.csv,.tsv,.txt,.mm,.opml"; // that can be opened
const FORMS = ["json", "graphml", "csv", "outline", "svg"]; // that the kernel writes

function panels(editor) {
  const kit = { ...formParts(editor), ...fileTransfer(editor) };
  const { say } = kit;
  const makers = { look: studyPanel, compare: comparePanel, merge: mergePanel, files: filesPanel };
  const names = editor.model.get("panels").filter((name) => name in makers);
  const made = Object.fromEntries(names.map((name) => [name, makers[name](kit)]));
  let [shown] = names;
  let isSeen = false;
  let pause = 0;
  const stale = new Set(names);

  const tabs = new Map();
  for (const name of names) {
    const tab = el(
      "button.ck-tab",
      { role: "tab", id: newId(), "data-tab": name, "aria-controls": newId() },
      say(`panel.${name}.tab`),
    );
    tab.addEventListener("click", () => show(name));
    tab.addEventListener("focus", () => show(name));
    const panel = el(
      `div.ck-panel ck-panel-${name}`,
      {
        id: tab.getAttribute("aria-controls"),
        role: "tabpanel",
        "aria-labelledby": tab.getAttribute("id"),
      },
      el("p.ck-about", say(`panel.${name}.about`)),
      made[name].root,
    );
    tabs.set(name, { tab, panel });
  }
  const buttons = [...tabs.values()].map(({ tab }) => tab);
  const list = el("div.ck-tabs", { role: "tablist", "aria-label": say("panel.name") }, ...buttons);
  const root = el(
    "section.ck-panels",
    { "aria-label": say("panel.name") },
    list,
    ...[...tabs.values()].map(({ panel }) => panel),
  );
  const stop = rove(list, () => buttons);

  function show(name) {
    shown = name;
    for (const [key, { tab, panel }] of tabs) {
      tab.setAttribute("aria-selected", key === name);
      panel.hidden = key !== name;
    }
    stop(tabs.get(name).tab);
    freshen();
  }

  function freshen() {
    if (!isSeen || !stale.has(shown)) return;
    stale.delete(shown);
    made[shown].show?.();
  }

  const ends = [
    editor.on("map", () => {
      names.forEach((name) => stale.add(name));
      clearTimeout(pause);
      pause = setTimeout(freshen, WAIT);
    }),
    editor.on("select", () => made.look?.mark()),
    editor.on("panel", (name) => tabs.has(name) && show(name)),
  ];
  const eye = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1).isIntersecting;
    freshen();
  });
  eye.observe(root);
  show(shown);
  const leave = () => {
    eye.disconnect();
    clearTimeout(pause);
    made.merge?.leave();
    ends.forEach((end) => end());
  };
  return { root, leave };
}

function filesPanel({ button, drop, editor, listOf, save, say, status }) {
  const note = status();
  async function savePicture() {
    const picture = await editor.png();
    if (!picture) return note.bad(say("panel.files.no_picture"));
    giveFile(`${say("file")}.png`, "image/png", picture.split(",")[1], true);
    note.tell(say("panel.files.written", { name: `${say("file")}.png` }));
  }
  const rows = [...FORMS, "png"].map((form) =>
    el(
      "li",
      button(
        say(`panel.files.${form}`),
        () => (form === "png" ? savePicture() : save(form, note)),
        {
          "data-form": form,
        },
      ),
      el("span.ck-soft", say(`panel.files.${form}_for`)),
    ),
  );
  async function open([file]) {
    note.tell(say("panel.working"));
    const reply = await editor.ask({ type: "load", ...file });
    if (isRefused(reply)) note.bad(`${reply.text} ${say("panel.files.nothing_lost")}`);
    else note.tell([say("panel.files.loaded"), reply.notice].filter(Boolean).join(" "));
  }
  const root = el(
    "div",
    el("h3", say("panel.files.save")),
    listOf(rows, "ck-forms"),
    el("h3", say("panel.files.open")),
    drop(say("panel.files.choose"), open, note.bad),
    note.root,
  );
  return { root };
}

/** Files to and from the kernel, which travel as base64. */
function fileTransfer(editor) {
  const { word: say } = editor;
  const size = (bytes) => String(Math.floor(bytes / 1e6));

  async function contentOf(file) {
    return { name: file.name, content: base64(new Uint8Array(await file.arrayBuffer())) };
  }

  /** A field to choose or drop files; `take` gets [{name, content}], `tell` the reason why a file was not read. */
  function drop(text, take, tell, isMany = false) {
    const id = newId();
    const input = el("input.ck-hidden", {
      type: "file",
      id,
      accept: FILE_KINDS,
      multiple: isMany,
      onchange: () => read(input.files),
    });
    const limit = say(isMany ? "panel.files.limits" : "panel.files.limit", {
      size: size(editor.limits.file),
      together: size(TOGETHER),
    });
    const label = el("label.ck-button", { for: id }, text);
    const zone = el(
      "div.ck-drop",
      input,
      label,
      el("p.ck-status", say("panel.files.drop"), " ", limit),
    );
    async function read(list) {
      const files = [...list].slice(0, isMany ? undefined : 1);
      const large = files.find((file) => file.size > editor.limits.file);
      if (large)
        tell(say("panel.files.too_large", { name: large.name, size: size(editor.limits.file) }));
      else if (files.reduce((sum, file) => sum + file.size, 0) > TOGETHER)
        tell(say("panel.files.too_many", { size: size(TOGETHER) }));
      else if (files.length) await take(await Promise.all(files.map(contentOf)));
      input.value = ""; // or the same file could not be chosen again
    }
    for (const name of ["dragover", "dragleave", "drop"])
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        event.stopPropagation();
        zone.classList.toggle("ck-over-drop", name === "dragover");
        if (name === "drop") read(event.dataTransfer.files);
      });
    return zone;
  }

  /** Save as a file the map, or with `more` that of a class. */
  async function save(form, note, more = {}) {
    const reply = await editor.ask({ type: "export", form, ...more });
    if (isRefused(reply)) return note.bad(reply.text);
    giveFile(reply.name, reply.mime, reply.content, true);
    note.tell(say("panel.files.written", { name: reply.name }));
  }

  return { drop, save };
}
