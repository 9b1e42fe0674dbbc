// What is wrong with how a page looks, as a list of sentences; it knows nothing of how a table is laid out.
() => {
  const found = new Set();
  const modal = document.querySelector("dialog:modal"); // what lies below it cannot be pressed
  const seen = (node) =>
    (!modal || modal.contains(node)) &&
    node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !node.closest(".ck-hidden");
  const name = (node) => {
    const words = (node.getAttribute("aria-label") || node.textContent || "").trim();
    const kind = (node.closest("[class]")?.getAttribute("class") ?? node.tagName).split(" ")[0];
    return `${kind} “${words.replace(/\s+/g, " ").slice(0, 30)}”`;
  };
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const wide = (box) => Math.max(0, box.right - box.left);
  const high = (box) => Math.max(0, box.bottom - box.top);
  // Of a control: where its letters stand; a mark may lie in the rest of a line to write in.
  const written = (node, box) =>
    node.matches("input")
      ? { ...box, right: box.right - parseFloat(getComputedStyle(node).paddingRight) }
      : box;
  const parents = (node) => {
    const all = [];
    for (let at = node.parentElement; at; at = at.parentElement) all.push(at);
    return all;
  };
  const whole = document.documentElement;
  // Of a box: what can be seen of it now, and how much of it is lost for good: what scrolls can be reached.
  const clipped = (node, box, within = false) => {
    let shown = box;
    let now = box;
    let lost = { wide: 0, high: 0 };
    let fixed = false;
    for (const parent of [node, ...parents(node)]) {
      if (parent === whole || parent === document.body) break;
      const style = getComputedStyle(parent);
      if ((within || parent !== node) && style.overflowX !== "visible") {
        const rect = parent.getBoundingClientRect();
        shown = meet(shown, rect);
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        const left = rect.left - parent.scrollLeft;
        const top = rect.top - parent.scrollTop;
        const inside = {
          left,
          top,
          right: left + parent.scrollWidth,
          bottom: top + parent.scrollHeight,
        };
        const kept = meet(now, scrolls ? inside : rect);
        lost = {
          wide: lost.wide + wide(now) - wide(kept),
          high: lost.high + high(now) - high(kept),
        };
        now = scrolls ? rect : kept;
      }
      fixed ||= style.position === "fixed";
    }
    const page = fixed
      ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      : { left: 0, top: 0, right: whole.scrollWidth, bottom: whole.scrollHeight };
    const kept = meet(now, page);
    lost = { wide: lost.wide + wide(now) - wide(kept), high: lost.high + high(now) - high(kept) };
    return { shown: meet(shown, page), lost };
  };

  // 1. Sideways scroll
  if (whole.scrollWidth > innerWidth + 1)
    found.add(`sideways scroll by ${whole.scrollWidth - innerWidth} px`);

  // 2. Texts
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || /STYLE|SCRIPT|OPTION|TITLE/i.test(parent.tagName))
      continue;
    if (!seen(parent)) continue;
    const hides = [parent, ...parents(parent)].some((each) =>
      /inset|rect/.test(getComputedStyle(each).clipPath),
    );
    if (hides || parent.closest("main > h1")) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const rect of range.getClientRects()) {
      if (rect.width < 2 || rect.height < 2) continue;
      // The line box is higher than the letters.
      const size = Math.min(
        rect.height,
        parseFloat(getComputedStyle(parent).fontSize) || rect.height,
      );
      const middle = (rect.top + rect.bottom) / 2;
      const inSvg = parent instanceof SVGElement;
      const letters = inSvg
        ? {
            left: rect.left,
            right: rect.right,
            top: rect.top + rect.height * 0.2,
            bottom: rect.bottom - rect.height * 0.2,
          }
        : {
            left: rect.left,
            right: rect.right,
            top: middle - size * 0.42,
            bottom: middle + size * 0.42,
          };
      texts.push({
        parent,
        box: letters,
        words: walk.currentNode.data.trim().slice(0, 30),
        ...clipped(parent, letters, true),
      });
    }
  }
  const shortened = (node) =>
    [node, ...parents(node)].some(
      (each) =>
        getComputedStyle(each).textOverflow === "ellipsis" &&
        getComputedStyle(each).overflowX !== "visible",
    );
  const clamped = (node) =>
    [node, ...parents(node)].some((each) => getComputedStyle(each).webkitLineClamp !== "none");
  for (const { parent, box, lost, words } of texts) {
    if (parent.closest(".ck-card, .ck-print, svg")) continue;
    const below = lost.high > Math.max(2, high(box) * 0.2) && !clamped(parent);
    const beside = lost.wide > 3 && !shortened(parent);
    if (below || beside) found.add(`text cut: ${name(parent)} (${words})`);
  }
  const fans = ".ck-hand, .ck-open-hand, .ck-tricks, .ck-covered-cards, .ck-shelves";
  const sticks = (node) =>
    [node, ...parents(node)].some((each) => getComputedStyle(each).position === "sticky");
  const bodies = texts.filter((each) => wide(each.shown) > 1 && high(each.shown) > 1);
  bodies.sort((one, two) => one.shown.left - two.shown.left);
  for (let at = 0; at < bodies.length; at += 1) {
    const one = bodies[at];
    for (
      let next = at + 1;
      next < bodies.length && bodies[next].shown.left < one.shown.right - 1;
      next += 1
    ) {
      const two = bodies[next];
      const both = meet(one.shown, two.shown);
      if (wide(both) < 2 || high(both) < 2.5) continue;
      if (one.parent === two.parent) continue;
      if (one.parent.closest(".ck-card") && two.parent.closest(".ck-card")) continue; // one card on another
      const fan = one.parent.closest(fans);
      if (fan && fan === two.parent.closest(fans)) continue;
      if (sticks(one.parent) || sticks(two.parent)) continue; // the head of a list that scrolls
      found.add(`text over text: ${name(one.parent)} and ${name(two.parent)}`);
    }
  }

  // 3. Controls over controls, and out of reach
  const controls = [
    ...document.querySelectorAll("button, select, input, a[href], summary, [tabindex='0']"),
  ].filter(
    (node) =>
      seen(node) &&
      !node.closest("[inert]") &&
      !node.matches("[type=file]") &&
      wide(node.getBoundingClientRect()) > 1,
  );
  // Discs whose boxes meet at a corner alone do not lie over each other.
  const areRoundApart = (one, two) => {
    if ([one, two].some((node) => getComputedStyle(node).borderRadius !== "50%")) return false;
    const [a, b] = [one, two].map((node) => node.getBoundingClientRect());
    const far = Math.hypot(
      a.left + a.right - b.left - b.right,
      a.top + a.bottom - b.top - b.bottom,
    );
    return far / 2 >= (a.width + b.width) / 2 - 1;
  };
  const placed = controls.map((node) => ({
    node,
    box: node.getBoundingClientRect(),
    ...clipped(node, node.getBoundingClientRect()),
  }));
  for (let at = 0; at < placed.length; at += 1) {
    const { node, box, shown, lost } = placed[at];
    const scrolls = /auto|scroll/.test(
      getComputedStyle(node).overflowY + getComputedStyle(node).overflowX,
    );
    if (!node.matches("[tabindex='0']") || node.matches("button")) {
      const least = node.closest(fans) ? 0.2 : 0.85;
      const kept = (wide(box) - lost.wide) * (high(box) - lost.high);
      if (kept < least * wide(box) * high(box)) found.add(`out of reach: ${name(node)}`);
    }
    if (scrolls) continue;
    for (const other of placed.slice(at + 1)) {
      if (node.contains(other.node) || other.node.contains(node)) continue;
      const fan = node.closest(fans);
      if (fan && fan === other.node.closest(fans)) continue;
      if (/auto|scroll/.test(getComputedStyle(other.node).overflowY)) continue;
      if (areRoundApart(node, other.node)) continue;
      const both = meet(shown, other.shown);
      if (wide(both) > 3 && high(both) > 3)
        found.add(`control over control: ${name(node)} and ${name(other.node)}`);
    }
  }

  for (const { node, shown } of placed) {
    if (node.closest(fans) || /auto|scroll/.test(getComputedStyle(node).overflowY)) continue;
    for (const text of bodies) {
      if (node.contains(text.parent) || text.parent.closest("label")?.contains(node)) continue;
      if (text.parent.closest(fans) || sticks(node) || sticks(text.parent)) continue;
      if (node.closest(".ck-space")) continue; // all of a space can be pressed
      const both = meet(written(node, shown), text.shown);
      if (wide(both) > 2 && high(both) > 2.5)
        found.add(`control over text: ${name(node)} and ${name(text.parent)}`);
    }
  }

  // 4. The index of a card
  for (const index of document.querySelectorAll(".ck-index text")) {
    if (!seen(index) || index.closest(".ck-choices")) continue;
    const matrix = index.getScreenCTM();
    const size = parseFloat(getComputedStyle(index).fontSize) * Math.hypot(matrix.c, matrix.d);
    if (size < 9)
      found.add(
        `index of ${size.toFixed(1)} px: ${index.textContent} in ${index.closest("[class*=zone], .ck-plate")?.getAttribute("class").split(" ").slice(0, 2).join(" ")}`,
      );
  }
  return [...found].slice(0, 14);
};
