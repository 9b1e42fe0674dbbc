// A question and a box for the answer. A moment after typing, and when the box loses the focus, the text goes to the
// kernel; until the kernel confirms, a copy stays in this browser. Beside or below the box is what the reader did at the
// table, but not before a prediction is locked, if there is one to make.
// Every view of the cell hears all messages: a message says whom it is `to`, or whom it is not for, `but`.

const PAUSE = 800; // milliseconds without a key before saving
const page = (window.coursekitAnswers ??= new Map()); // key -> {question, text}: to download without a kernel

/**
 * Unsaved answers: {text, seen, at}, kept in this browser under the question and the view of typing.
 * So no window overwrites another's copy, and the next view of this question finds all copies.
 * In a browser without storage there are none.
 */
const copies = {
  name: (key, view) => `coursekit/reflect/${key}/${view}`,
  set: (key, view, value) =>
    remember("localStorage", copies.name(key, view), JSON.stringify({ ...value, at: Date.now() })),
  remove: (key, view) => forget("localStorage", copies.name(key, view)),
  all(key) {
    const names = keysIn("localStorage").filter((name) => name.startsWith(copies.name(key, "")));
    return names.flatMap((name) => copies.read(name)).sort((one, other) => one.at - other.at);
  },
  read(name) {
    const words = recall("localStorage", name);
    const { text, seen, at } = attempt(() => JSON.parse(words)) ?? {};
    return typeof text === "string" && typeof seen === "string" && Number.isInteger(at)
      ? [{ name, words, text, seen, at }]
      : [];
  },
  /** Delete the copies *found*, which are in the journal now, unless their view has replaced them since. */
  settle(found) {
    for (const { name, words } of found)
      if (recall("localStorage", name) === words) forget("localStorage", name);
  },
};

/** The locked prediction for a question: the same after a reload. */
const predictionKey = (key) => `coursekit/predicted/${key}`;

function asking({ model, el: place, who = null }) {
  const words = model.get("words");
  const key = owned(model);
  const id = newId();
  const box = el("textarea.ck-field", {
    id,
    rows: "4",
    maxlength: model.get("limit"),
    "aria-describedby": `${id}-status`,
    lang: model.get("language"),
    spellcheck: "false",
  });
  const status = el("p.ck-status", { id: `${id}-status`, role: "status" }, words.opening);
  const send = (message) => model.send({ ...message, from: id });
  const did = model.get("shows") ? evidence(model, send) : null;
  const notice = el("p.ck-notice", { role: "status", hidden: "" });
  const saver = button(words.download, () => {
    save();
    send({ type: "download", text: box.value });
    clearTimeout(downloading);
    downloading = setTimeout(() => {
      say(words.offline, true);
      download(`${words.file}.md`, answersHere(words.title) || `# ${words.title}\n`);
    }, PATIENCE);
  });
  const timing = model.get("timing");
  const strip = timing ? timer(model.get("strip")) : null;
  const predicts = timing === "predict";
  const hint = el(
    "p.ck-hint",
    { role: "status" },
    { predict: words.first, exit: words.nameless }[timing] ?? "",
  );
  const lock = button(words.lock, press, { class: "ck-button ck-lock", "aria-pressed": "false" });
  const root = el(
    "div.ck-cell.ck-reflect",
    { lang: model.get("language") },
    el(
      "div.ck-head",
      el("p.ck-over", words.heading, el("span.ck-source", model.get("source"))),
      ...(who ? [who.root] : []),
    ),
    el("label.ck-question", { for: id }, model.get("question")),
    ...(strip ? [strip.root, hint] : []),
    el(
      "div.ck-sides",
      el(
        "div.ck-writing",
        box,
        el("div.ck-foot", status, ...(predicts ? [lock] : []), saver),
        notice,
      ),
      ...(did ? [did.root] : []),
    ),
  );
  place.replaceChildren(root);

  let seen = ""; // time of saving of the answer that the text in the box was edited from
  let kept = null; // the journal's text; null until the kernel has answered
  let came = false; // whether the kernel has answered with it
  let found = []; // the copies sent to the kernel with the request for the answer
  let filled = ""; // the copy in the box until the kernel answers
  let sent = 0; // number of the last request to save
  const asked = new Map(); // number of a request to save without an answer yet -> its text
  let underway = false; // whether the answer to the last request is awaited
  let pause = 0;
  let patience = 0; // for the answer, and then for a save
  let downloading = 0; // patience for a download
  let composing = false; // an input method has begun a character
  let late = null; // an answer that came during composition

  const say = (text, bad = false) => {
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("ck-bad", bad);
  };
  const tell = (text) => {
    notice.textContent = text;
    notice.hidden = !text;
  };
  const sayKept = () => {
    const time =
      seen &&
      new Date(seen).toLocaleTimeString(model.get("language"), {
        hour: "2-digit",
        minute: "2-digit",
        hour12: false,
      });
    say(seen && box.value ? words.saved.replace("{time}", time) : words.empty);
  };
  const grow = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 4}px`;
  };
  /** Ask *again* until the kernel answers: it may be busy, or a message may be lost. */
  const wait = (again) => {
    clearTimeout(patience);
    patience = setTimeout(() => {
      underway = false;
      if (kept === null) refill();
      say(words.offline, true);
      patience = setTimeout(again, PATIENCE);
    }, PATIENCE);
  };

  /** Lock or unlock the prediction: what happened is only shown while it is locked. */
  function put(down) {
    if (!predicts) return;
    box.readOnly = down;
    lock.disabled = !down && !box.value.trim();
    lock.setAttribute("aria-pressed", down);
    const label = down ? words.unlock : words.lock;
    if (lock.textContent !== label) lock.textContent = label;
    const said = !down ? words.first : did ? words.locked : words.locked_alone;
    if (hint.textContent !== said) hint.textContent = said;
    if (did) did.root.hidden = !down;
  }
  const lies = () =>
    box.value.trim() !== "" && recall("localStorage", predictionKey(key)) === box.value;
  /** Put *text* into the box; the caret keeps its place in the typed text, which now begins *by* letters later. */
  function fill(text, by = 0) {
    if (box.value === text) return;
    const { selectionStart, selectionEnd } = box;
    box.value = text;
    if (root.getRootNode().activeElement === box)
      box.setSelectionRange(selectionStart + by, selectionEnd + by);
  }
  function press() {
    const down = !box.readOnly;
    if (down) remember("localStorage", predictionKey(key), box.value);
    else forget("localStorage", predictionKey(key));
    if (down) save();
    put(down);
    if (!down) box.focus();
  }

  function keepCopy() {
    page.set(key, { question: model.get("question"), text: box.value });
    if (box.value !== (kept ?? filled)) copies.set(key, id, { text: box.value, seen });
    else copies.remove(key, id);
  }

  function open() {
    found = copies.all(key).filter(({ name }) => name !== copies.name(key, id));
    send({
      type: "open",
      unsaved: found.map(({ text, seen, at }) => ({
        text,
        seen,
        typed: new Date(at).toISOString(),
      })),
    });
    wait(open);
  }
  function refill() {
    if (box.value !== filled || !found.length) return;
    filled = box.value = found.at(-1).text;
    keepCopy();
    grow();
    put(lies());
  }

  function save(again = false) {
    if (kept === null || underway || composing || box.value === kept) return;
    clearTimeout(pause);
    sent += 1;
    underway = true;
    asked.set(sent, box.value);
    if (!again) say(words.saving);
    send({ type: "save", text: box.value, seen, n: sent });
    wait(() => save(true));
  }

  box.addEventListener("input", () => {
    grow();
    put(false);
    keepCopy();
    clearTimeout(pause);
    pause = setTimeout(save, PAUSE);
  });
  box.addEventListener("compositionstart", () => {
    composing = true;
  });
  box.addEventListener("compositionend", () => {
    composing = false;
    clearTimeout(pause);
    pause = setTimeout(save, PAUSE);
    setTimeout(() => late && !composing && onAnswer(late)); // some browsers insert the character only now
  });
  box.addEventListener("blur", () => save());

  function onAnswer(message) {
    const first = kept === null;
    if (first) clearTimeout(patience);
    late = composing ? message : null;
    if (late) return;
    const { text, saved } = message;
    const own = box.value; // typed before the kernel answered, or after its last answer
    const typing = own !== text && own !== (first ? filled : kept);
    kept = text;
    if (!came) copies.settle(found);
    came = true;
    if (!typing) {
      seen = saved;
      fill(text);
      sayKept();
    } else if (first) {
      // typed into a box that was still empty: it goes below the journal's text
      seen = saved;
      if (text && !own.startsWith(text)) fill(`${text}\n${own}`, text.length + 1);
    }
    keepCopy();
    grow();
    save();
    put(lies());
  }

  function onSaved({ n, saved }) {
    if (!asked.has(n)) return;
    kept = asked.get(n);
    seen = saved;
    for (const earlier of asked.keys()) if (earlier <= n) asked.delete(earlier);
    const done = box.value === kept;
    if (done || n === sent) {
      underway = false;
      clearTimeout(patience);
    }
    keepCopy();
    if (done) sayKept();
    else save();
  }

  function onRefused(message) {
    clearTimeout(patience);
    underway = false;
    asked.delete(message.n);
    if (kept === null) {
      refill();
      kept = "";
    }
    say(message.text, true);
    patience = setTimeout(() => (came ? save(true) : open()), PATIENCE); // it may be only for a while
  }

  function onMessage(message) {
    if (message.but === id || (message.to !== undefined && message.to !== id)) return;
    did?.onMessage(message);
    if (message.type === "answer") {
      onAnswer(message);
    } else if (message.type === "saved") {
      onSaved(message);
    } else if (message.type === "refused") {
      onRefused(message);
    } else if (message.type === "download") {
      clearTimeout(downloading);
      download(`${words.file}.md`, message.text);
    }
    if (message.notice) tell(message.notice);
  }

  filled = box.value = (predicts && recall("localStorage", predictionKey(key))) || ""; // it is there before the kernel has answered
  if (filled) {
    keepCopy();
    grow();
  }
  put(lies());
  model.on("msg:custom", onMessage);
  open();
  return () => {
    composing = false;
    save();
    did?.leave();
    strip?.leave();
    clearTimeout(pause);
    clearTimeout(patience);
    clearTimeout(downloading);
    model.off("msg:custom", onMessage);
  };
}
