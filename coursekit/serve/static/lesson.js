// A lesson, one step at a time: which section of the page is in sight, the bar above it, and the minutes.
// The address says where one is (`#play`), so links, the back button and a reload work as on any page.
// The sections may come later than this runs, one by one.
"use strict";

// eslint-disable-next-line no-unused-vars -- the page calls it
function coursekit_lesson({ steps, says, home }) {
  const LAB = "lab",
    EVERYTHING = "everything",
    BEAT = 5000;
  const lesson = steps.filter(({ name }) => name !== LAB);
  const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  const all = (selector) =>
    /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(selector)]);
  const step = (name) => steps.find((one) => one.name === name);
  const key = `coursekit:lesson:${location.pathname}:${document.title}`; // all lessons of the one file have one path
  const now = { on: lesson[0].name, since: Date.now(), spent: {}, everything: false, ...kept() };
  if (!step(now.on)) now.on = lesson[0].name; // a notebook that was changed may have other steps
  const ZOOMED = 1.2; // less is the frame of a window
  const POPS = "popover" in HTMLElement.prototype; // not in Firefox 115, Safari 16 and Chrome 112
  const letters = () => {
    const set = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const zoom = Math.min(outerWidth / innerWidth, outerHeight / innerHeight); // no browser tells it
    const style = document.documentElement.style;
    style.setProperty("--ck-letters", String(set * (zoom < ZOOMED ? 1 : zoom)));
  };
  letters();
  addEventListener("resize", letters);
  addEventListener("resize", fitNames);
  const sight = document.head.appendChild(document.createElement("style"));
  const narrow = matchMedia("(max-width: 60rem)");
  let shown = "";

  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem(key) || "{}");
    } catch {
      return {};
    }
  }

  function keep() {
    try {
      sessionStorage.setItem(key, JSON.stringify(now));
    } catch {
      // the minutes begin anew after a reload
    }
  }

  /** Return the part of the address that names a place, without its "#"; one-file.js says it where there is no address. */
  const asked = () => (globalThis.coursekit_place ?? location.hash).slice(1);

  function fragment() {
    try {
      return decodeURIComponent(asked());
    } catch {
      return asked();
    }
  }

  function go(moved) {
    const id = fragment(),
      byId = (name) => document.getElementById(name);
    const place = step(id) ? null : (byId(asked()) ?? byId(id)); // a Chinese heading's id is written as in an address
    if (!id || step(id)) now.everything = false;
    if (id === EVERYTHING) now.everything = true;
    const holds = /** @type {HTMLElement | null} */ (place?.closest("section[data-step]"));
    const name = step(id)?.name ?? holds?.dataset.step ?? (shown || (id ? now.on : lesson[0].name));
    if (name !== LAB && name !== now.on) {
      now.spent[now.on] = spent();
      Object.assign(now, { on: name, since: Date.now() });
    }
    keep();
    shown = name;
    const { everything } = now;
    document.body.toggleAttribute("data-everything", everything);
    if (everything) delete document.body.dataset.step;
    else document.body.dataset.step = name;
    sight.textContent = everything
      ? ""
      : `section[data-step]:not([data-step="${CSS.escape(name)}"]) { display: none }`;
    bar(name);
    if (!moved) return;
    const section = find(`section[data-step="${CSS.escape(name)}"]`);
    const heading =
      place ??
      (everything ? find("h1") : /** @type {HTMLElement} */ (section?.querySelector("h1, h2, h3")));
    if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
    if (place) place.scrollIntoView();
    else scrollTo(0, 0);
  }

  function bar(name) {
    for (const link of all(".site-lesson a"))
      mark(link, link.getAttribute("href") === `#${name}`, "step");
    const [first, second] = all(".site-tab");
    if (first) {
      first.href = `#${now.on}`;
      mark(first, name !== LAB, "page");
      mark(second, name === LAB, "page");
    }
    const at = lesson.findIndex((one) => one.name === name),
      next = lesson[at + 1];
    find(".site-now-at").textContent = at < 0 ? "" : `${at + 1}/${lesson.length} `;
    find(".site-now-name").textContent = step(name).label;
    const onward = /** @type {HTMLAnchorElement} */ (find(".site-onward"));
    const [where, words] =
      at < 0
        ? [`#${now.on}`, says.back_to.replace("{step}", step(now.on).label)]
        : next
          ? [
              `#${next.name}`,
              narrow.matches ? next.label : says.onward.replace("{step}", next.label),
            ]
          : step(LAB)
            ? [`#${LAB}`, says.to_lab]
            : [home, says.home];
    onward.href = where;
    onward.textContent = words;
    all(".site-stepwise").forEach((link) => {
      link.href = `#${name}`;
    });
    all(".site-nav a[hreflang]").forEach((link) => {
      const [page] = link.getAttribute("href").split("#");
      link.setAttribute("href", `${page}#${now.everything ? EVERYTHING : name}`); // in words: a frame may have no address
    });
    const below = find(`section[data-step="${CSS.escape(name)}"] :is(h1, h2, h3)[id]`);
    if (below) /** @type {HTMLAnchorElement} */ (find(".site-below")).href = `#${below.id}`;
    tick();
    fold();
    fitNames(); // another step's name is written whole
  }

  /** Write the steps' names so that none is cut, whatever the language, the window and the size of the letters. */
  function fitNames() {
    const list = find(".site-lesson ol");
    const cut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight;
    for (const names of narrow.matches ? ["whole"] : ["whole", "lines", "numbers"]) {
      list.dataset.names = names;
      if (![list, ...all(".site-lesson a")].some(cut)) return;
    }
  }

  function mark(link, on, kind) {
    if (on) link.setAttribute("aria-current", kind);
    else link.removeAttribute("aria-current");
  }

  // The minutes of the step that is on run while the lab or everything is looked at, too.
  const spent = () => (now.spent[now.on] ?? 0) + Math.max(0, Date.now() - now.since);

  function tick() {
    const planned = step(now.on)?.minutes ?? 0,
      minutes = Math.floor(spent() / 60000),
      over = minutes - planned;
    const clock = find(".site-clock");
    clock.hidden = !planned || shown === LAB;
    clock.classList.toggle("site-over", over >= 0);
    const words = (over > 0 ? says.minutes_over : says.minutes)
      .replace("{spent}", minutes)
      .replace("{planned}", planned)
      .replace("{over}", over);
    if (clock.textContent !== words) {
      clock.textContent = words;
      fitNames(); // it takes another width
    }
    find(".site-lesson").style.setProperty(
      "--spent",
      String(planned ? Math.min(1, spent() / 60000 / planned) : 0),
    );
  }

  /** Keep what has no room in the bar in a panel below it; where everything is shown, the links stand in the open. */
  function fold() {
    for (const [selector, folded] of /** @type {[string, boolean][]} */ ([
      ["#site-nav", true],
      ["#site-ways", narrow.matches],
    ])) {
      const panel = find(selector);
      if (!POPS) panel.classList.remove("site-open");
      // eslint-disable-next-line kit/script -- where there are popovers
      else if (panel.matches(":popover-open")) panel.hidePopover();
      if (folded && !now.everything) panel.setAttribute("popover", "auto");
      else panel.removeAttribute("popover");
    }
  }

  /** Open the panel of the button that was clicked, and close the others, where the browser does not do it itself. */
  function open({ target }) {
    const asked = target.closest("[popovertarget]")?.getAttribute("popovertarget");
    for (const panel of all("#site-nav, #site-ways")) {
      const opens = panel.id === asked && !panel.classList.contains("site-open");
      panel.classList.toggle("site-open", opens);
    }
  }

  /** A cell that failed has stopped the page: each step that did not come says so, with the way to the place. */
  function tellMissing() {
    const sections = /** @type {HTMLElement[]} */ ([
      ...document.querySelectorAll("section[data-step]"),
    ]);
    const last = sections.at(-1);
    const failed = last?.querySelector(".site-notice");
    if (!failed) return;
    failed.id = "cell-failed";
    const { label } = step(last.dataset.step);
    const came = sections.map((section) => section.dataset.step);
    for (const { name } of steps.filter((one) => !came.includes(one.name))) {
      const section = document.createElement("section");
      section.dataset.step = name;
      const notice = document.createElement("p");
      notice.className = "site-notice";
      notice.textContent = `${says.step_missing.replace("{step}", label)} `;
      const way = document.createElement("a");
      way.href = "#cell-failed";
      way.textContent = says.step_missing_go;
      notice.append(way);
      section.append(notice);
      last.parentElement.append(section);
    }
  }

  /** What there is besides the lesson, in a list that stays in sight. */
  function listActivities() {
    const section = document.querySelector(`section[data-step="${LAB}"]`);
    const headings = [...(section?.querySelectorAll("h2[id]") ?? [])];
    if (headings.length < 3 || section.querySelector(".site-activities")) return;
    const list = document.createElement("nav");
    list.className = "site-activities";
    list.setAttribute("aria-label", step(LAB).label);
    for (const heading of headings) {
      const link = document.createElement("a");
      link.href = `#${heading.id}`;
      link.textContent = heading.firstChild.textContent;
      list.append(link);
    }
    section.prepend(list);
  }

  if (!POPS) document.addEventListener("click", open);
  addEventListener("coursekit-complete", tellMissing);
  addEventListener("coursekit-complete", listActivities);
  addEventListener("DOMContentLoaded", listActivities); // where all of the page comes at once
  find(".site-clock").addEventListener("click", () => {
    now.spent[now.on] = 0;
    now.since = Date.now();
    keep();
    tick();
  });
  narrow.addEventListener("change", () => bar(shown));
  addEventListener("hashchange", () => go(true));
  addEventListener("DOMContentLoaded", () => go(Boolean(asked()) && !step(fragment())));
  setInterval(tick, BEAT);
  go(false);
}
