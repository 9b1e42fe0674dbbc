// Consent to keep matches, their number, and a way to delete them. No match itself comes here.

function render({ model, el: place }) {
  const words = model.get("words");
  const question = el("p.ck-ask", { hidden: true }, words.ask);
  const choices = el("div.ck-row");
  const line = el("p.ck-line", { role: "status" }, words.opening);
  const count = el("p.ck-status.ck-count");
  const notice = el("p.ck-status.ck-told", { role: "status" });
  const forget = careful(words.forget, { yes: words.forget_yes, no: words.forget_no }, () =>
    ask({ type: "forget" }),
  );
  const root = el(
    "div.ck-cell.ck-journal.ck-keep",
    { lang: model.get("language") },
    el("p.ck-over", words.heading),
    question,
    line,
    count,
    el("div.ck-row", choices, forget.root),
    notice,
  );
  place.replaceChildren(root);

  let patience = 0;
  let shown; // the shown state: whether matches are kept

  function ask(message) {
    clearTimeout(patience);
    patience = setTimeout(() => {
      fail(words.offline);
      if (shown === undefined) patience = setTimeout(() => ask(message), PATIENCE); // the kernel may only be busy
    }, PATIENCE);
    model.send(message);
  }
  const choice = (label, yes) => button(label, () => choose(yes));
  const busy = (yes) =>
    [...choices.children].forEach((button) => button.setAttribute("aria-disabled", yes));
  /** Agree or not; ignore further presses until the kernel has answered. */
  function choose(yes) {
    if (choices.firstChild.getAttribute("aria-disabled") === "true") return;
    busy(true);
    ask({ type: "agree", yes });
  }

  function show(agreed, asks) {
    choices.hidden = agreed === null && !asks;
    if (agreed === shown) return;
    const focused = choices.contains(choices.getRootNode().activeElement);
    shown = agreed;
    if (agreed === null) choices.replaceChildren(choice(words.yes, true), choice(words.no, false));
    else choices.replaceChildren(choice(agreed ? words.stop : words.start, !agreed));
    if (focused) choices.firstChild.focus();
  }
  function fail(text) {
    busy(false);
    notice.textContent = text;
    notice.classList.add("ck-bad");
    if (shown === undefined) line.textContent = "";
  }
  function onMessage(message) {
    clearTimeout(patience);
    busy(false);
    if (message.type === "refused") {
      fail(message.text);
    } else if (message.type === "state") {
      const { agreed, asks } = message;
      show(agreed, asks);
      question.hidden = !asks;
      line.hidden = asks;
      if (line.textContent !== message.line) line.textContent = message.line;
      count.textContent = message.agreed === null && !message.sure ? "" : message.count;
      forget.root.hidden = !message.sure;
      forget.tell(message.sure);
      notice.textContent = message.notice;
      notice.classList.remove("ck-bad");
    }
  }

  model.on("msg:custom", onMessage);
  ask({ type: "open" });
  return () => {
    clearTimeout(patience);
    model.off("msg:custom", onMessage);
  };
}

export default withStyles({ render });
