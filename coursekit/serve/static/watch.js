// Says in a sentence that a page does not start, and takes it back when it does (trouble.html.j2).  Written for browsers
// of any age, since the other scripts may be what fails: nothing changes it on its way to them.
"use strict";

/* eslint no-var: "off" -- older browsers know nothing else */

(function () {
  var SILENCE = 20000; // milliseconds without a byte or a step
  var timer, observer, why;

  function notice() {
    return document.getElementById("trouble");
  }

  function waits() {
    return notice() && document.querySelector(notice().getAttribute("data-waits"));
  }

  function tell(reason) {
    if (why !== "frame") why = reason || why; // in which nothing else runs
    if (!notice()) return; // not yet
    var told = false,
      link = notice().querySelector("a"),
      sentences = /** @type {NodeListOf<HTMLElement>} */ (notice().querySelectorAll("[data-why]"));
    for (var i = 0; i < sentences.length; i += 1) {
      sentences[i].hidden = sentences[i].getAttribute("data-why") !== why;
      told = told || !sentences[i].hidden;
    }
    if (link) link.href = location.href;
    notice().hidden = !told || !waits();
  }

  function listen() {
    clearTimeout(timer);
    if (why === "silent") why = "";
    tell();
    if (!waits()) return observer.disconnect();
    timer = setTimeout(function () {
      tell(why || "silent");
    }, SILENCE);
  }

  /** Whether the page itself moves, not the clock in its head or our own notice. */
  function moves(change) {
    var place = change.target;
    while (place && place.id !== "trouble" && place.tagName !== "HEADER") place = place.parentNode;
    return !place;
  }

  function begin() {
    if (!notice()) return;
    observer = new MutationObserver(function (changes) {
      if (changes.some(moves)) listen();
    });
    // All of it, since the one file puts another body in place of its own.
    observer.observe(document.documentElement, {
      attributeFilter: ["value"],
      childList: true,
      subtree: true,
    });
    listen();
    var sandboxed = self !== top && self.origin === "null" && /^http/.test(location.protocol); // what it loads is refused
    if (sandboxed && notice().querySelector("[data-why=frame]")) tell("frame");
  }

  if (document.documentElement.hasAttribute("data-watched")) return; // in the one file, for all its pages
  document.documentElement.setAttribute("data-watched", "");
  addEventListener("click", function (event) {
    var button = /** @type {Element} */ (event.target);
    if (button.id === "trouble-reload") location.reload();
  });
  addEventListener(
    "error",
    function (event) {
      var part = /** @type {Element} */ (event.target);
      var threw = event instanceof ErrorEvent && Boolean(event.filename); // an extension's script may have none
      if (threw || part.tagName === "SCRIPT" || part.tagName === "LINK") tell("broken");
    },
    true,
  );
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
