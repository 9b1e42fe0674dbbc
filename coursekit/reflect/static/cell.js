// What the cells of the journal have in common. It stands before the file of each.

const PATIENCE = 5000; // milliseconds without an answer from the kernel before the reader is told
const FOCUSABLE = ["button", "input", "select", "summary", "textarea"];

/** An element; attributes that are null are left out, and those called "on…" are listeners. */
function make(tag, more = {}, ...children) {
  const element = document.createElement(tag);
  // Without this, keys pressed here would edit the notebook around the cell.
  if (FOCUSABLE.includes(tag)) element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [key, value] of Object.entries(more)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** What *action* returns; null if it fails, as storage does in some browsers. */
function attempt(action) {
  try {
    return action() ?? null;
  } catch {
    return null;
  }
}

/** Let the browser save a file. */
function download(name, text, mime = "text/markdown") {
  const url = URL.createObjectURL(new Blob([text], { type: `${mime};charset=utf-8` }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A button that asks before it does something: it makes way for a question, with *words.again* for two of them. */
function careful(label, words, action) {
  let about = ""; // what would go
  const button = make("button", { type: "button", class: "ck-button", onclick: () => ask(about) }, label);
  const question = make("p", { class: "ck-sure-text" });
  const yes = make("button", { type: "button", class: "ck-button ck-danger", onclick: answer }, words.yes);
  const no = make("button", { type: "button", class: "ck-button", onclick: () => ask("") }, words.no);
  const sure = make("div", { class: "ck-sure", role: "group", hidden: "", onkeydown: (event) => event.key === "Escape" && ask("") },
    question, make("div", { class: "ck-row" }, yes, no));
  const root = make("div", { class: "ck-careful" }, button, sure);

  function ask(text) {
    question.textContent = text;
    sure.setAttribute("aria-label", text);
    sure.hidden = !text;
    button.hidden = Boolean(text);
    (text ? no : button).focus();
  }
  function answer() {
    if (words.again && question.textContent !== words.again) {
      ask(words.again);
    } else {
      ask("");
      action();
    }
  }
  /** Say what would go; an empty *text* means that there is nothing to ask about. */
  function tell(text) {
    about = text;
    button.disabled = !text;
    if (text) return;
    sure.hidden = true;
    button.hidden = false;
  }
  return { root, tell };
}
