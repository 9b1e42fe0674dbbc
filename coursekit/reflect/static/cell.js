// The common part of the journal's cells. The file of each cell begins with it.

const PATIENCE = 5000; // milliseconds that an answer may take

const button = (label, onclick, more = {}) =>
  el("button", { class: "ck-button", onclick, ...more }, ...[label].flat());

/** Return typed text escaped so that Markdown shows it as it is, line by line; `escape_prose` in journal_export.py does the same. */
function escapeProse(words) {
  const plain = (line) =>
    line
      .trim()
      .replace(/\s+/g, " ")
      .replace(/[\\`*_{}[\]<>#+|~&$!]/g, "\\$&")
      .replace(/^(\d*)([-=.):])/, "$1\\$2");
  const lines = words
    .trim()
    .split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
    .map(plain)
    .join("\n");
  return lines
    .split(/\n{2,}/)
    .map((part) => part.replaceAll("\n", "  \n"))
    .join("\n\n");
}

function answersHere(title, name = "") {
  const there = [...(window.coursekitAnswers?.values() ?? [])].filter(({ text }) => text.trim());
  const parts = there.map(
    ({ question, text }) => `## ${escapeProse(question)}\n\n${escapeProse(text)}\n`,
  );
  return parts.length
    ? [`# ${title}\n`, ...(name.trim() ? [`${escapeProse(name)}\n`] : []), ...parts].join("\n")
    : "";
}

/**
 * A button that asks for confirmation: a question replaces it, and a second one if there is *words.again*.
 * The first question can have further controls, *more*.
 */
function careful(label, words, action, more = []) {
  let about = ""; // what would be deleted
  const opener = button(label, () => ask(about));
  const question = el("p.ck-sure-text");
  const yes = button(words.yes, answer, { class: "ck-button ck-danger" });
  const no = button(words.no, () => ask(""));
  const sure = el(
    "div.ck-sure",
    { role: "group", hidden: "", onkeydown: (event) => event.key === "Escape" && ask("") },
    question,
    ...more,
    el("div.ck-row", yes, no),
  );
  const root = el("div.ck-careful", opener, sure);

  function say(text) {
    question.textContent = text;
    sure.setAttribute("aria-label", text);
  }
  function ask(text) {
    say(text);
    sure.hidden = !text;
    opener.hidden = Boolean(text);
    for (const control of more) control.hidden = text === words.again;
    (text ? no : opener).focus();
  }
  function answer() {
    if (words.again && question.textContent !== words.again) {
      ask(words.again);
    } else {
      ask("");
      action();
    }
  }
  function tell(text) {
    if (!sure.hidden && question.textContent === about && text) say(text);
    about = text;
    opener.disabled = !text;
    if (text) return;
    sure.hidden = true;
    opener.hidden = false;
  }
  return { root, tell };
}
