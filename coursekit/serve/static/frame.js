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
function coursekit_frame({ says, base, home, idle_limit, server_limit }) {
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
  const MISSED = 3; // in a row, before it says so
  const watching = setInterval(() => ask(), 5000);
  const asked = () => document.hidden || ask(); // one that is being left has just told its kernel to stop
  document.addEventListener("visibilitychange", asked);

  async function ask(more = "") {
    if (!kernel()) return undefined;
    let signed_out = false;
    try {
      const answer = await fetch(`${base}coursekit/here/${kernel()}${more}`, {
        cache: "no-store",
        redirect: "manual", // to where one signs in
        signal: AbortSignal.timeout?.(10000),
      });
      signed_out = answer.type === "opaqueredirect" || [401, 403].includes(answer.status);
      const said = answer.ok ? await answer.json() : {};
      if (said.gone) lose(says.gone);
      if ("gone" in said) {
        if (missed >= MISSED) window.coursekit_reconnect?.();
        missed = 0;
        unsay("away");
        return said;
      }
    } catch {
      // no answer, or none of the kit's: a proxy, or a page where one signs in
    }
    missed += 1;
    if (missed < MISSED) return undefined;
    if (signed_out) say("away", says.sign_in, home && link(says.sign_in_go));
    else say("away", says.lost, home && link(says.lost_go));
    return undefined;
  }

  function lose(why) {
    clearInterval(watching);
    document.removeEventListener("visibilitychange", asked);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = says.reload;
    button.addEventListener("click", () => location.reload());
    const until = new Date(Date.now() + 1000 * server_limit);
    const time = until.toLocaleTimeString(document.documentElement.lang, {
      hour: "numeric",
      minute: "numeric",
    });
    say("lost", why.replace("{time}", time), button);
  }

  /** The start page in another tab: there one signs in, or sees what the hub says. */
  function link(words) {
    const way = document.createElement("a");
    way.href = home;
    way.target = "_blank";
    way.textContent = words;
    return way;
  }

  /** Show the notice of *kind*: what is lost stays, the others go when they are no longer true. */
  function say(kind, words, /** @type {HTMLElement | ""} */ way = "") {
    const old = element("site-lost");
    if (old?.dataset.kind === "lost" || old?.firstChild.textContent === words) return;
    old?.remove();
    const notice = document.createElement("div");
    notice.id = "site-lost";
    notice.dataset.kind = kind;
    notice.className = "site-notice";
    notice.setAttribute("role", "alert");
    notice.append(document.createElement("p"));
    notice.firstChild.textContent = words;
    if (way) {
      way.className = "site-button";
      notice.append(way);
    }
    document.body.append(notice);
  }

  function unsay(kind) {
    const notice = element("site-lost");
    if (notice?.dataset.kind === kind) notice.remove();
  }

  // A server may stop a kernel that nothing is said to (mybinder.org after ten minutes). So the page speaks to it while
  // somebody reads or writes here, for an hour after the last touch, and tells before it is too late.
  const EVERY = Math.min(180, idle_limit / 3 || 180) * 1000;
  const HOUR = 3600000;
  let touched = Date.now(),
    spoken = touched;
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"])
    addEventListener(kind, touch, { capture: true, passive: true });

  document.addEventListener("visibilitychange", () => document.hidden || touch());

  function touch() {
    touched = Date.now();
    if (element("site-lost")?.dataset.kind === "idle") keep();
  }

  function keep() {
    const now = Date.now(),
      silent = now - spoken,
      warned = element("site-lost")?.dataset.kind === "idle";
    const used = !document.hidden && now - touched < (warned ? EVERY : HOUR);
    if (used && (silent >= EVERY || warned)) {
      spoken = now;
      window.coursekit_keep?.();
      unsay("idle");
    } else if (idle_limit && silent >= idle_limit * 1000 - EVERY) {
      const minutes = Math.max(1, Math.round((idle_limit - silent / 1000) / 60));
      say("idle", says.idle.replace("{minutes}", minutes));
    }
  }
  if (home) setInterval(keep, 5000);

  window.coursekit_lost = () => lose(says.gone);
  window.coursekit_incomplete = () => lose(says.incomplete);
}
