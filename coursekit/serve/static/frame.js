// The frame around a dashboard: the functions Voilà calls while loading, light and dark, and the
// connection to the kernel.  A plain script that runs before everything else on the page.
"use strict";

// Voilà's front end waits until the page is complete, which is when the last cell has run.  It starts
// when there is a place for the cells instead, and loads while they run.
// eslint-disable-next-line no-unused-vars -- the page calls it
const coursekit_start = (() => {
  const listen = window.addEventListener;
  const waiting = [];
  let started = false;
  const start = (listener) => listener.call(window, new Event("load"));
  window.addEventListener = (kind, listener, ...how) => {
    if (kind !== "load") listen.call(window, kind, listener, ...how);
    else if (started) start(listener);
    else waiting.push(listener);
  };
  return () => {
    started = true;
    waiting.splice(0).forEach(start);
  };
})();

// eslint-disable-next-line no-unused-vars -- the page calls it
function coursekit_frame({ says, base }) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colours = () => {
    document.body.dataset.jpThemeLight = String(!dark.matches);
    document.body.dataset.jpThemeName = dark.matches ? "JupyterLab Dark" : "JupyterLab Light";
    document.body.classList.toggle("theme-dark", dark.matches);
    document.body.classList.toggle("theme-light", !dark.matches);
  };
  colours();
  dark.addEventListener("change", colours);

  const address = new URL(location.href);
  if (address.searchParams.has("turn")) {
    // its place in the line is history when the page is reloaded
    address.searchParams.delete("turn");
    history.replaceState(history.state, "", address);
  }

  const element = (id) => document.getElementById(id);
  const slow = setTimeout(() => element("loading_slow")?.removeAttribute("hidden"), 30000);

  window.voila_heartbeat = () => {};
  window.update_loading_text = window.voila_process = (done, all) => {
    const words = element("loading_text");
    if (!words) return;
    words.textContent = says.loading_step.replace("{done}", done).replace("{all}", all);
    /** @type {HTMLProgressElement} */ (element("loading_bar")).value = done / (all + 1);
  };
  window.display_cells = window.voila_finish = () => {};

  // Outputs come cell by cell; `draw` is there when the front end has started (cells.js).  The page shows itself
  // when the step stands that the address asks for, or else the lesson; what is out of sight is drawn after that.
  const OUTPUTS = 'script[type="application/vnd.coursekit.output+json"]';
  let draw = null,
    lesson_came = false,
    all_came = false,
    shown = false,
    drawing = Promise.resolve();
  window.coursekit_draws = (how) => {
    draw = how;
    drawn();
  };
  window.coursekit_cell = (ends) => {
    lesson_came ||= ends;
    drawn();
  };
  window.coursekit_complete = () => {
    lesson_came = all_came = true;
    dispatchEvent(new Event("coursekit-complete"));
    drawn();
  };

  /** @returns {HTMLElement[]} */
  function found(selector, /** @type {ParentNode | null} */ root = document) {
    return root ? [...root.querySelectorAll(selector)] : [];
  }
  const idle = () =>
    new Promise((done) => {
      if (self.requestIdleCallback) requestIdleCallback(done, { timeout: 1000 });
      else setTimeout(done); // Safari
    });

  /** Wait a second, for the first clicks, and a minute at most until no other page opens, or until another step is asked for. */
  async function breath(asked) {
    if (!document.body.dataset.step) return;
    let moved = false;
    const second = () =>
      new Promise((done) => {
        setTimeout(done, 1000);
        addEventListener("hashchange", () => done((moved = true)), { once: true });
      });
    await second();
    for (let left = 60; left && !moved && (await asked)?.busy; left -= 1) {
      await second();
      asked = ask();
    }
  }

  function inSight() {
    const { step } = document.body.dataset;
    return step
      ? document.querySelector(`section[data-step="${CSS.escape(step)}"]`)
      : element("rendered_cells");
  }

  function drawn() {
    if (draw) drawing = drawing.then(shown ? rest : first).catch(left);
  }

  /** What is asked of the kernel is cancelled when the page is left or has lost it, which it says by itself. */
  function left(why) {
    if (!String(why).includes("Canceled future")) throw why;
  }

  async function first() {
    if (shown) return rest();
    const place = inSight(),
      whole = lesson_came || place?.nextElementSibling; // before it is drawn: more comes meanwhile
    await draw(found(OUTPUTS, place));
    if (!whole) return undefined;
    shown = true;
    element("rendered_cells").style.display = "";
    await stand(place);
    clearTimeout(slow);
    element("loading")?.remove();
    await breath(ask("?shows=1"));
    return rest();
  }

  async function rest() {
    for (let left = found(OUTPUTS); left.length; left = found(OUTPUTS)) {
      await idle();
      await draw([found(OUTPUTS, inSight())[0] ?? left[0]]);
    }
    await draw([]);
    found(".jp-RenderedHTMLCommon table").forEach((table) => wide.observe(table));
    if (all_came) await stand(document);
  }

  /** Wait until every widget in *place* has replaced its English "Loading widget..."; tell if one cannot. */
  async function stand(place) {
    const texts = () => found(".jp-OutputArea-output", place).map((output) => output.textContent);
    const latest = performance.now() + 30000;
    while (texts().includes("Loading widget...") && performance.now() < latest) {
      await new Promise((done) => setTimeout(done, 20));
    }
    if (texts().some((text) => text.startsWith("Error displaying widget"))) lose(says.incomplete);
  }

  // A table that is wider than a phone scrolls: by keys, too, once it can be reached by them.
  const wide = new ResizeObserver((seen) =>
    seen.forEach(({ target }) => {
      const table = /** @type {HTMLElement} */ (target);
      if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
      else table.removeAttribute("tabindex");
    }),
  );

  const kernel = () => JSON.parse(element("jupyter-config-data")?.textContent || "{}").kernelId;

  // Voilà sends this too, but only after its widgets have loaded, and not from a phone.
  addEventListener("pagehide", () => {
    if (kernel()) navigator.sendBeacon(`${base}voila/api/shutdown/${kernel()}`, new FormData());
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // The kernel of a page that is neither heard nor connected stops, so it shows itself before its
  // scripts have connected, and when they have lost the connection.
  let missed = 0;
  const watching = setInterval(() => ask(), 5000);
  const asked = () => document.hidden || ask(); // one that is being left has just told its kernel to stop
  document.addEventListener("visibilitychange", asked);

  async function ask(more = "") {
    if (!kernel()) return undefined;
    try {
      const answer = await fetch(`${base}coursekit/here/${kernel()}${more}`, { cache: "no-store" });
      missed = 0;
      if (answer.ok) return await answer.json();
      lose(says.gone);
    } catch {
      missed += 1;
      if (missed > 2) lose(says.lost);
    }
    return undefined;
  }

  function lose(why) {
    clearInterval(watching);
    document.removeEventListener("visibilitychange", asked);
    if (element("site-lost")) return;
    const notice = document.createElement("div");
    notice.id = "site-lost";
    notice.className = "site-notice";
    notice.setAttribute("role", "alert");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "site-button";
    button.textContent = says.reload;
    button.addEventListener("click", () => location.reload());
    const words = document.createElement("p");
    words.textContent = why;
    notice.append(words, button);
    document.body.append(notice);
  }

  window.coursekit_lost = () => lose(says.gone);
}
