// Cards, pieces and dice, what can be decided, and the plates of the players.

/** One of the game's own drawings. It is copied, not referred to by id, so that several tables on a page
 *  cannot get each other's. */
function picture(name, table, more, style = "") {
  const symbol = table.art.get(name);
  const parts = symbol ? [...symbol.childNodes].map((node) => node.cloneNode(true)) : [];
  return svg(`svg.${style}`, { viewBox: symbol?.getAttribute("viewBox"), ...more }, ...parts);
}

/** A card set in type; its sizes follow the number of its letters (--n) and of those in its longest word (--w). */
function printed({ art, tone, print: { form, title, text, head, foot, off } }, table) {
  const line = (name, words) =>
    words &&
    el(
      `span.ck-print-${name}`,
      {
        "--n": [...words].length,
        "--w": Math.max(...words.split(/[\s-]+/).map((word) => [...word].length)),
      },
      words,
    );
  return el(
    `span.ck-card ck-print ck-print-as-${form} ck-tone-${tone ?? "plain"}${off ? " ck-off" : ""}`,
    { "aria-hidden": "true" },
    line("head", head),
    el(
      "span.ck-print-body",
      art && picture(art, table, {}, "ck-print-art"),
      line("title", title),
      line("text", text),
    ),
    line("foot", foot),
  );
}

function card(face, table) {
  if (face.print) return printed(face, table);
  const index = (more) =>
    svg(
      "g.ck-index",
      more,
      svg(
        `text.${face.corner.length > 1 ? "ck-long" : face.corner > "\u2e7f" ? "ck-wide" : ""}`,
        { x: 18, y: 32, "text-anchor": "middle" },
        face.corner,
      ),
      svg("g.ck-sign", picture(`${face.art}-pip`, table, { x: 9.5, y: 36, width: 17, height: 17 })),
    );
  const parts = [svg("rect.ck-paper", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 9 })];
  if (face.corner) parts.push(svg("rect.ck-ground", { x: 5, y: 5, width: 90, height: 130, rx: 6 }));
  const art = picture(face.art ?? "back", table, { width: 100, height: 140 });
  parts.push(svg("g.ck-art", art));
  if (face.corner) parts.push(index({}), index({ transform: "rotate(180 50 70)" }));
  if (face.name) parts.push(svg("text.ck-name", { x: 12, y: 129 }, face.name));
  return svg(
    `svg.ck-card ck-tone-${face.tone ?? "plain"}${face.corner ? " ck-indexed" : ""}`,
    { viewBox: "0 0 100 140", "aria-hidden": "true" },
    ...parts,
  );
}

const die = (value, table) =>
  picture(`die-${value}`, table, { "data-value": value, "aria-hidden": "true" }, "ck-die");

function pieceOf(piece, table) {
  table.pieces.set(piece.id, piece);
  const decides = piece.action !== undefined ? [piece] : (piece.choices ?? []);
  const legal = decides.filter((choice) => choice.legal);
  const acts = piece.action !== undefined;
  const asks = acts || decides.length > 0 || piece.about !== undefined;
  const signs = {
    "ck-faded": piece.faded,
    "ck-marked": piece.mark,
    "ck-legal": legal.length,
    "ck-unlit": decides.length && !legal.length,
    "ck-quiet": !acts && legal.length && !legal.some((choice) => choice.primary), // it can only be given away
  };
  const state = Object.keys(signs).filter((sign) => signs[sign]);
  return el(
    `${asks ? "button" : "div"}.${["ck-piece", ...state].join(" ")}`,
    {
      role: !asks && "img",
      "aria-label": [piece.label, piece.caption, piece.mark].filter(Boolean).join(", "),
      "aria-disabled": acts && !piece.legal ? "true" : null,
      "aria-haspopup": asks && !acts && "dialog",
      "data-key": piece.id,
      "data-piece": piece.id,
      "data-owner": piece.owner,
      onclick: asks && ((event) => table.touch(piece, event)),
    },
    card(piece.face, table),
    piece.mark && el("span.ck-mark", piece.mark),
    piece.caption && el("span.ck-caption", piece.caption),
  );
}

function choiceOf(choice, table, key = "choice") {
  const clock =
    choice.after !== undefined &&
    el("span.ck-clock", { "data-clock": choice.key }, clockOf(table.clocks.left(choice)));
  const ready = choice.legal && !table.clocks.isHeld(choice);
  return el(
    `button.ck-choice${choice.primary ? " ck-primary" : ""}${ready ? " ck-legal" : ""}${choice.held ? " ck-held" : ""}`,
    {
      "aria-label": choice.short && choice.label,
      "aria-disabled": ready ? null : "true",
      "data-key": `${key}-${choice.seat ?? ""}${JSON.stringify(choice.action)}`,
      onclick: (event) => table.act(choice, event.currentTarget),
    },
    choice.face && card(choice.face, table),
    choice.die !== undefined && die(choice.die, table),
    clock && icon("hourglass"),
    el("span.ck-text", choice.short ?? choice.label),
    choice.held && table.view.waiting > 1 && el("span.ck-shared-time", table.say("shared_time")),
    clock,
  );
}

/** The `buttons` of `choices`; those of one person stand in a row behind the name. */
function inRows(choices, buttons) {
  const rows = [];
  choices.forEach(({ of }, at) => {
    if (of === undefined) return rows.push(buttons[at]);
    if (of !== choices[at - 1]?.of)
      rows.push(el("div.ck-choice-row", el("b.ck-choice-of", { "aria-hidden": "true" }, of)));
    return rows.at(-1).append(buttons[at]);
  });
  return rows;
}

const squares = (list, table) =>
  el(
    "div.ck-squares",
    ...list.map(({ label, piece }) =>
      el(
        `div.ck-square${piece ? "" : " ck-empty"}`,
        piece && pieceOf(piece, table),
        el("span.ck-square-name", label),
      ),
    ),
  );

const spaceOf = ({ label, short, pieces, markers, state }, table, more = "") =>
  el(
    `div.ck-space${more}${state ? ` ck-space-${state}` : ""}`,
    ...pieces.map((piece) => pieceOf(piece, table)),
    el(
      "span.ck-space-name",
      el("span.ck-space-long", label),
      el("span.ck-space-short", { "aria-hidden": "true" }, short),
    ),
    markers.length > 0 &&
      el(
        "span.ck-markers",
        { "--n": markers.length },
        ...markers.map((marker) => pieceOf(marker, table)),
      ),
  );

/** What a player has and wants, as full and empty pips; too many are crossed. */
function pips({ have, want }) {
  const kind = (at) =>
    at >= have ? "ck-open" : want !== undefined && at >= want ? "ck-extra" : "ck-full";
  const count = Math.max(have, want ?? 0);
  const signs = Array.from({ length: count }, (_, at) => el(`i.ck-pip ${kind(at)}`));
  return el(`span.ck-pips${have === want ? " ck-even" : ""}`, { "aria-hidden": "true" }, ...signs);
}

function plate(place, table) {
  const counts = place.counts.map(({ label, value, title }) =>
    el("span.ck-count", { title }, el("span.ck-count-label", label), el("b", value)),
  );
  const backs = Array.from({ length: place.backs }, () => el("i.ck-back"));
  return el(
    `article.ck-plate${place.you ? " ck-you" : ""}${place.turn ? " ck-turn" : ""}${place.winner ? " ck-winner" : ""}`,
    { "data-seat": place.seat, "aria-label": place.name },
    el(
      "header.ck-who",
      place.team && el(`span.ck-team ck-tone-${place.team.tone}`, place.team.label),
      el("b.ck-player", place.name),
      el("span.ck-by", place.you ? table.say("you") : place.by),
      ...place.badges.map((badge) => el("span.ck-badge", badge)),
    ),
    place.sign && pieceOf(place.sign, table),
    place.turn &&
      el(
        "span.ck-flag",
        icon("turn"),
        table.say(table.view.looking_back ? "next" : place.you ? "your_turn" : "turn"),
      ),
    place.winner &&
      el(
        "span.ck-flag",
        !table.sober && icon("crown"),
        table.say(table.sober ? "most_points" : "winner"),
      ),
    el("p.ck-facts", ...counts, place.tokens && pips(place.tokens)),
    place.shelves?.length > 0 &&
      el(
        "div.ck-shelves",
        ...place.shelves.map(({ label, pieces }) =>
          el(
            "div.ck-shelf",
            { role: "group", "aria-label": label },
            ...pieces.map((piece) => pieceOf(piece, table)),
          ),
        ),
      ),
    place.backs > 0 &&
      el("p.ck-backs", ...backs, hidden(table.say("cards_held")), el("b", place.backs)),
    place.pieces.length > 0 &&
      el("div.ck-open-hand", ...place.pieces.map((piece) => pieceOf(piece, table))),
  );
}
