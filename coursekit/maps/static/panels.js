// Beside the map: tabs to look at it again, compare it, merge a class, replay its growth, and for files. The kernel
// counts, compares and writes; nothing here changes the map except by an edit that can be undone.

const WAIT = 500; // milliseconds without an edit until the panel asks for measures again
const TOGETHER = 7e6; // bytes of all files sent at once, the most that a connection to the kernel carries
const FORMS = ["json", "graphml", "csv", "outline", "png", "svg"];

function panels(editor) {
  const kit = { ...formParts(editor), ...fileTransfer(editor), ...mapPictures(), editor };
  const { say } = kit;
  const made = {
    look: studyPanel(kit),
    compare: comparePanel(kit),
    merge: mergePanel(kit),
    replay: replayPanel(kit),
    files: files(kit),
  };
  let shown = "look";
  let visible = false;
  let pause = 0;
  const stale = new Set(Object.keys(made));

  const tabs = new Map();
  for (const [name, { root }] of Object.entries(made)) {
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
      root,
    );
    tabs.set(name, { tab, panel });
  }
  const every = [...tabs.values()].map(({ tab }) => tab);
  const list = el("div.ck-tabs", { role: "tablist", "aria-label": say("panel.name") }, ...every);
  const root = el(
    "section.ck-panels",
    { "aria-label": say("panel.name") },
    list,
    ...[...tabs.values()].map(({ panel }) => panel),
  );
  const stop = rove(list, () => every);

  function show(name) {
    if (shown !== name) made[shown].leave?.();
    shown = name;
    for (const [key, { tab, panel }] of tabs) {
      tab.setAttribute("aria-selected", key === name);
      panel.hidden = key !== name;
    }
    stop(tabs.get(name).tab);
    fresh();
  }

  function fresh() {
    if (!visible || !stale.has(shown)) return;
    stale.delete(shown);
    made[shown].show?.();
  }

  const off = [
    editor.on("map", () => {
      Object.keys(made).forEach((name) => stale.add(name));
      clearTimeout(pause);
      pause = setTimeout(fresh, WAIT);
    }),
    editor.on("select", () => made.look.mark()),
    editor.on("panel", (name) => tabs.has(name) && show(name)),
  ];
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    fresh();
  });
  eye.observe(root);
  show(shown);
  const leave = () => {
    eye.disconnect();
    clearTimeout(pause);
    made[shown].leave?.();
    off.forEach((end) => end?.());
  };
  return { root, leave };
}

function files(kit) {
  const { button, drop, editor, save, say, status } = kit;
  const note = status();
  const zone = drop(
    say("panel.files.choose"),
    async ([file]) => {
      note.tell(say("panel.files.reading"));
      const reply = await editor.ask({ type: "load", ...file });
      if (isRefused(reply)) note.bad(`${reply.text} ${say("panel.files.nothing_lost")}`);
      else note.tell(say("panel.files.loaded"));
    },
    note.bad,
  );
  const root = el(
    "div",
    el("h3", say("panel.files.save")),
    el(
      "ul.ck-forms",
      { role: "list" },
      ...FORMS.map((form) =>
        el(
          "li",
          button(say(`panel.files.${form}`), () => save(form, note), { "data-form": form }),
          el("span.ck-soft", say(`panel.files.${form}_for`)),
        ),
      ),
    ),
    el("h3", say("panel.files.open")),
    el("p.ck-status", say("panel.files.open_about")),
    zone,
    note.root,
  );
  return { root };
}

/** Files to and from the kernel, which travel as base64. */
function fileTransfer(editor) {
  const { word: say } = editor;
  const size = (bytes) => String(Math.floor(bytes / 1e6));

  const contentOf = async (file) => base64(new Uint8Array(await file.arrayBuffer()));

  /** A field to choose or drop files; `take` gets [{name, content}], `tell` the reason why a file was not read. */
  function drop(text, take, tell, many = false) {
    const input = el("input", {
      type: "file",
      id: newId(),
      class: "ck-hidden",
      accept: ".json,.graphml,.csv",
      ...(many ? { multiple: "" } : {}),
    });
    const label = el("label.ck-button", { for: input.getAttribute("id") }, text);
    const limit = say(many ? "panel.files.limits" : "panel.files.limit", {
      size: size(editor.limits.file),
      together: size(TOGETHER),
    });
    const zone = el(
      "div.ck-drop",
      input,
      label,
      el("p.ck-status", say("panel.files.drop"), " ", limit),
    );
    async function read(list) {
      const files = [...list].slice(0, many ? undefined : 1);
      const large = files.find((file) => file.size > editor.limits.file);
      if (large) {
        tell(say("panel.files.too_large", { name: large.name, size: size(editor.limits.file) }));
      } else if (files.reduce((sum, file) => sum + file.size, 0) > TOGETHER) {
        tell(say("panel.files.too_many", { size: size(TOGETHER) }));
      } else if (files.length) {
        await take(
          await Promise.all(
            files.map(async (file) => ({ name: file.name, content: await contentOf(file) })),
          ),
        );
      }
      input.value = ""; // or the same file could not be chosen again
    }
    input.addEventListener("change", () => read(input.files));
    const over = (on) => (event) => {
      event.preventDefault();
      event.stopPropagation();
      zone.classList.toggle("ck-over-drop", on);
    };
    zone.addEventListener("dragover", over(true));
    zone.addEventListener("dragleave", over(false));
    zone.addEventListener("drop", (event) => {
      over(false)(event);
      read(event.dataTransfer.files);
    });
    return zone;
  }

  function status() {
    const root = el("p.ck-status", { role: "status" });
    const tell = (text, bad = false) => {
      root.textContent = text;
      root.classList.toggle("ck-bad", bad);
    };
    return { root, tell, bad: (text) => tell(text, true) };
  }

  async function save(form, note, of = "") {
    note.tell(say("panel.files.writing"));
    const reply = await editor.ask({ type: "export", form, of });
    if (isRefused(reply)) {
      note.bad(reply.text);
      return;
    }
    giveFile(reply.name, reply.mime, reply.content, true);
    note.tell(say("panel.files.written", { name: reply.name }));
  }

  return { drop, save, status };
}
