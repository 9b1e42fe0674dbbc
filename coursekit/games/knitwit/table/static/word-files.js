// The cell for own words: what is pasted, chosen or dropped here goes to the kernel, which plays with it or says what is wrong.

const PATIENCE = 60000; // milliseconds that a file may be on its way before the reader is told
const KINDS = ".csv,text/csv,text/comma-separated-values,text/plain";

function render({ model, el: place }) {
  const words = model.get("words");
  const id = newId();
  const button = (label, onclick, kind = "") => el(`button.ck-button ${kind}`, { onclick }, label);
  const parts = { tags: part("tags"), lexicon: part("lexicon") };
  const notice = el("p.ck-notice", { role: "status" });
  const back = button(words.back, () =>
    ask({ type: "back" }, (text) => notice.replaceChildren(text)),
  );
  back.hidden = true;
  place.replaceChildren(
    el(
      "div.ck-cell.ck-wordfiles",
      { role: "group", lang: model.get("language"), "aria-label": words.heading },
      el("p.ck-over", words.heading),
      parts.tags.root,
      parts.lexicon.root,
      notice,
      back,
      el("p.ck-status", words.forgotten),
    ),
  );

  let patience = 0;

  function ask(message, without, buffers = []) {
    clearTimeout(patience);
    patience = setTimeout(() => without(words.offline), PATIENCE);
    model.send({ ...message, from: id }, undefined, buffers);
  }

  function part(what) {
    const inUse = el("p.ck-use");
    const answer = el("div.ck-answer", { role: "status" });
    const file = el("input", {
      type: "file",
      accept: KINDS,
      hidden: "",
      tabindex: "-1",
      "aria-hidden": "true",
      onchange: () => take(file.files[0]),
    });
    const example = button(
      words[`example_${what}`],
      () => ask({ type: "example", what }, refuse),
      "ck-quiet",
    );
    const root = el(
      "section.ck-file",
      {
        "aria-labelledby": `${id}-${what}`,
        ondragover: (event) => over(event, true),
        ondragleave: (event) => over(event, false),
        ondrop: (event) => {
          over(event, false);
          take(event.dataTransfer.files[0]);
        },
      },
      el("h3", { id: `${id}-${what}` }, words[what]),
      inUse,
      ...(what === "tags" ? [...pasting(), answer] : []),
      el("p.ck-status", words[`${what}_hint`], el("span.ck-pointer", words.drop)),
      el(
        "div.ck-row",
        button(words[`choose_${what}`], () => file.click()),
        example,
      ),
      file,
      ...(what === "tags" ? [] : [answer]),
    );

    function over(event, on) {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      root.classList.toggle("ck-drop", on);
    }
    function pasting() {
      const box = el("textarea.ck-paste", {
        id: `${id}-paste`,
        rows: "6",
        maxlength: model.get("largest"),
        spellcheck: "false",
      });
      const use = () => {
        const text = box.value.trim();
        // Words that stand on one line have commas between them.
        const lines = /[\r\n]/.test(text) ? text : text.replace(/\s*[、，,;；\t]\s*/g, "\n");
        if (text) take(new File([lines], words.pasted));
        else refuse(words.nothing);
      };
      return [
        el("label", { for: box.id }, words.paste),
        box,
        el("div.ck-row", button(words.use, use)),
      ];
    }
    async function take(chosen) {
      file.value = ""; // so that the same file can be chosen again once it is mended
      if (!chosen) return;
      say(words.reading);
      notice.textContent = "";
      // One byte too many is enough for the kernel to say that there are too many.
      const bytes = await chosen
        .slice(0, model.get("largest") + 1)
        .arrayBuffer()
        .catch(() => null);
      if (bytes) ask({ type: "take", what, name: chosen.name }, refuse, [bytes]);
      else refuse(words.unreadable);
    }
    const say = (text) => answer.replaceChildren(text);
    function refuse(text) {
      const [first, ...lines] = text.split("\n");
      answer.replaceChildren(
        el("p.ck-bad", first),
        ...(lines.length ? [el("ul", ...lines.map((line) => el("li", line)))] : []),
      );
    }
    function show(text) {
      inUse.textContent = text;
      say("");
    }
    return { root, show, refuse };
  }

  function receive(message) {
    const { type, to, what, name, text, left } = message;
    if (to !== undefined && to !== id) return; // another view has asked
    clearTimeout(patience);
    if (type === "state") {
      parts.tags.show(message.tags);
      parts.lexicon.show(message.lexicon);
      if (!message.own && back.contains(back.getRootNode().activeElement))
        place.querySelector("button").focus();
      back.hidden = !message.own;
    } else if (type === "notice") {
      notice.textContent = text;
      if (left) parts.lexicon.refuse(left);
    } else if (type === "file") {
      download(name, text, "text/csv");
    } else if (type === "refused") {
      (parts[what] ?? parts.tags).refuse(text);
    }
  }

  model.on("msg:custom", receive);
  ask({ type: "open" }, parts.tags.refuse);
  return () => {
    clearTimeout(patience);
    model.off("msg:custom", receive);
  };
}

export default withStyles({ render });
