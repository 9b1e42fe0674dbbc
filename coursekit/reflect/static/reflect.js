// A question and a box for the answer. What is typed is sent to the kernel a moment later and when the box
// is left; until the kernel says that it is saved, a copy stays in this browser. Below the question stands what
// the reader did at the table; the kernel is asked for it when the cell is on the screen and the table has moved on,
// and where something is to be predicted, not before it is.
// What the kernel says is heard by every view of the cell: a message says whom it is `to`, or all `but` whom.

const PAUSE = 800; // milliseconds without a key before it is saved
const page = (window.coursekitAnswers ??= new Map()); // key -> {question, text}: what to download if there is no kernel

/** Which card the reader has drawn for a question: the same after a reload. */
const draws = {
  name: (key) => `coursekit/draw/${key}`,
  get: (key) => attempt(() => JSON.parse(sessionStorage.getItem(draws.name(key)))) ?? Math.floor(Math.random() * 1e6) * 7,
  set: (key, draw) => attempt(() => sessionStorage.setItem(draws.name(key), JSON.stringify(draw))),
};

/** The copy in this browser; some browsers have no storage, and then there is none. */
const copy = {
  name: (key) => `coursekit/reflect/${key}`,
  get: (key) => attempt(() => JSON.parse(localStorage.getItem(copy.name(key)))),
  set: (key, value) => attempt(() => localStorage.setItem(copy.name(key), JSON.stringify(value))),
  remove: (key) => attempt(() => localStorage.removeItem(copy.name(key))),
};

/** The prediction that was put down for a question: the same after a reload. */
const predictions = {
  name: (key) => `coursekit/predicted/${key}`,
  get: (key) => attempt(() => localStorage.getItem(predictions.name(key))),
  set: (key, text) => attempt(() => localStorage.setItem(predictions.name(key), text)),
  remove: (key) => attempt(() => localStorage.removeItem(predictions.name(key))),
};

/** What the reader did: a box that asks the kernel while it is on the screen. */
function evidence(model, send) {
  const words = model.get("words");
  const key = model.get("key");
  const parts = make("div", { class: "ck-parts" });
  const status = make("p", { class: "ck-status" }, words.looking);
  const again = make("button", { type: "button", class: "ck-button" }, model.get("again"));
  const root = make("div", { class: "ck-seen", role: "group", "aria-label": words.seen },
    make("p", { class: "ck-seen-head" }, words.seen), status, parts, ...(model.get("again") ? [again] : []));
  let draw = draws.get(key);
  let old = true; // the table has moved on since the kernel was asked
  let visible = false;

  function look() {
    if (!old || !visible) return;
    old = false;
    draws.set(key, draw);
    status.textContent = words.looking;
    send({ type: "look", draw });
  }

  again.addEventListener("click", () => {
    draw += 1;
    old = visible = true;
    parts.setAttribute("aria-live", "polite"); // only what was asked for is read aloud
    look();
  });
  const eye = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    look();
  });
  eye.observe(root);

  const shown = ({ html, text }) => {
    const part = make(html === undefined ? "p" : "div", {}, text ?? "");
    if (html !== undefined) part.innerHTML = html;
    return part;
  };
  function onMessage(message) {
    if (message.type === "moved") {
      old = true;
      parts.removeAttribute("aria-live");
      look();
    } else if (message.type === "seen") {
      status.textContent = "";
      parts.replaceChildren(...message.parts.map(shown));
    }
  }
  return { root, onMessage, leave: () => eye.disconnect() };
}

function render({ model, el }) {
  const words = model.get("words");
  const key = model.get("key");
  const id = `ck-reflect-${Math.random().toString(36).slice(2)}`;
  const box = make("textarea", {
    id, class: "ck-field", rows: "4", maxlength: String(model.get("limit")), "aria-describedby": `${id}-status`,
    lang: model.get("language"), spellcheck: "false",
  });
  const status = make("p", { id: `${id}-status`, class: "ck-status", role: "status" }, words.opening);
  const send = (message) => model.send({ ...message, from: id });
  const did = model.get("shows") ? evidence(model, send) : null;
  const notice = make("p", { class: "ck-notice", role: "status", hidden: "" });
  const button = make("button", { type: "button", class: "ck-button" }, words.download);
  const timing = model.get("timing");
  const strip = timing ? timer(model.get("strip")) : null;
  const predicts = timing === "predict";
  const hint = make("p", { class: "ck-hint", role: "status" }, { predict: words.first, exit: words.nameless }[timing] ?? "");
  const lock = make("button", { type: "button", class: "ck-button ck-lock", "aria-pressed": "false" }, words.lock);
  const root = make("div", { class: "ck-cell ck-reflect", lang: model.get("language") },
    make("p", { class: "ck-over" }, words.heading, make("span", { class: "ck-source" }, model.get("source"))),
    make("label", { for: id, class: "ck-question" }, model.get("question")),
    ...(strip ? [strip.root, hint] : []),
    ...(did && !predicts ? [did.root] : []),
    box, make("div", { class: "ck-foot" }, status, ...(predicts ? [lock] : []), button), notice,
    ...(did && predicts ? [did.root] : []));
  el.replaceChildren(root);

  let seen = ""; // when the answer was saved that the text in the box was made from
  let kept = null; // the text that the journal has; null until the kernel has told
  let sent = 0; // number of the last message that asked to save
  let underway = null; // the text it holds, until the kernel has answered
  let pause = 0;
  let patience = 0;

  const say = (text, bad = false) => {
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  };
  const tell = (text) => {
    notice.textContent = text;
    notice.hidden = !text;
  };
  const sayKept = () => {
    const time = seen && new Date(seen).toLocaleTimeString(model.get("language"), { hour: "2-digit", minute: "2-digit", hour12: false });
    say(seen && box.value ? words.saved.replace("{time}", time) : words.empty);
  };
  const grow = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 4}px`;
  };
  const wait = (otherwise) => {
    clearTimeout(patience);
    patience = setTimeout(otherwise, PATIENCE);
  };
  const offline = () => say(words.offline, true);

  /** Put the prediction down, or take it up again: what happened is only shown while it lies. */
  function put(down) {
    if (!predicts) return;
    box.readOnly = down;
    lock.disabled = !down && !box.value.trim();
    lock.setAttribute("aria-pressed", String(down));
    const label = down ? words.unlock : words.lock;
    if (lock.textContent !== label) lock.textContent = label;
    const said = down ? words.locked : words.first;
    if (hint.textContent !== said) hint.textContent = said;
    if (did) did.root.hidden = !down;
  }
  const lies = () => box.value.trim() !== "" && predictions.get(key) === box.value;
  lock.addEventListener("click", () => {
    const down = !box.readOnly;
    if (down) predictions.set(key, box.value);
    else predictions.remove(key);
    if (down) save();
    put(down);
    if (!down) box.focus();
  });
  put(false);

  function remember() {
    page.set(key, { question: model.get("question"), text: box.value });
    if (box.value !== kept) copy.set(key, { text: box.value, seen });
    else copy.remove(key);
  }

  function save(again = false) {
    clearTimeout(pause);
    if (kept === null || underway !== null || box.value === kept) return;
    sent += 1;
    underway = box.value;
    if (!again) say(words.saving);
    send({ type: "save", text: underway, seen, number: sent });
    wait(() => { // the program may only be busy: it is asked again
      underway = null;
      offline();
      pause = setTimeout(() => save(true), PATIENCE);
    });
  }

  box.addEventListener("input", () => {
    grow();
    put(false);
    remember();
    clearTimeout(pause);
    pause = setTimeout(save, PAUSE);
  });
  box.addEventListener("blur", () => save());
  button.addEventListener("click", () => {
    save();
    send({ type: "download", text: box.value });
    wait(() => {
      offline();
      give([...page.values()].filter(({ text }) => text.trim()).map((each) => `## ${each.question}\n\n${each.text}\n`));
    });
  });
  const give = (parts) => download(`${words.file}.md`, [`# ${words.title}\n`, ...parts].join("\n"));

  function onAnswer({ text, saved }) {
    const first = kept === null;
    const unsaved = first ? copy.get(key) : null;
    const own = box.value; // typed before the kernel answered, or after its last word
    const typing = own !== text && own !== (first ? "" : kept);
    kept = text;
    if (typing) {
      if (first) seen = saved;
      remember();
      save();
      put(lies());
      return;
    }
    seen = saved;
    box.value = text;
    if (unsaved && unsaved.text !== text) {
      box.value = unsaved.text;
      seen = unsaved.seen;
      save();
    } else {
      sayKept();
    }
    remember();
    grow();
    put(lies());
  }

  function onMessage(message) {
    if (message.but === id || (message.to !== undefined && message.to !== id)) return;
    did?.onMessage(message);
    if (message.type === "moved" || message.type === "seen") return;
    if (underway === null || message.to === id) clearTimeout(patience);
    if (message.type === "answer") {
      onAnswer(message);
    } else if (message.type === "saved") {
      seen = message.saved;
      if (message.number === sent && underway !== null) kept = underway;
      underway = null;
      remember();
      if (box.value === kept) sayKept();
      else save();
    } else if (message.type === "failed") {
      underway = null;
      if (kept === null) {
        kept = "";
        box.value ||= copy.get(key)?.text ?? "";
        grow();
      }
      say(message.text, true);
    } else if (message.type === "download") {
      download(`${words.file}.md`, message.text);
    }
    if (message.notice) tell(message.notice);
  }

  model.on("msg:custom", onMessage);
  send({ type: "open" });
  wait(offline);
  return () => {
    save();
    did?.leave();
    strip?.leave();
    clearTimeout(pause);
    clearTimeout(patience);
    model.off("msg:custom", onMessage);
  };
}

export default { render };
