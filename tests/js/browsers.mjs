// A rule for ESLint: scripts and styles use nothing that the oldest browsers lack for which pages are made (BROWSERS in
// coursekit/site/build.py), as MDN's data has it. What TypeScript calls JavaScript's own is held by tsconfig.json.
//
// In a script, a name is told unless the program gives it to something of its own, or asks for it first (`?.`, `in`,
// `typeof`, a condition). A name of one word (`share`, `turn`) may be anything's, and is told of what the browser
// itself gives (`navigator.share`). In a style sheet, what `@supports` asks for may be used, and what stands behind a
// declaration of the same property that all browsers have.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { api, css, javascript } = createRequire(import.meta.url)("@mdn/browser-compat-data");

const BUILD = new URL("../../coursekit/site/build.py", import.meta.url);
const [, named] = /^BROWSERS = "(.*)"$/m.exec(readFileSync(BUILD, "utf8"));
const OLDEST = Object.fromEntries(
  named.split(",").map((each) => /^([a-z]+)([\d.]+)$/.exec(each).slice(1)),
);
OLDEST.safari_ios = OLDEST.safari;

/** What style sheets may use all the same, and what is missed without it. */
const SPARED = {
  ":has": "Firefox 115: tables do not fill the window (fullscreen.js), pages have more air",
  cursor: "a pointer has its usual shape; tablets have none",
  resize: "a box to write in keeps its size",
  "text-wrap": "lines are less even",
  "scrollbar-width": "scroll bars are wider",
  "overflow-anchor": "what is read may move when something comes above it",
  "text-size-adjust": "phones on their side may enlarge letters",
  "forced-color-adjust": "a browser without it forces no colours",
  "break-after": "paper: a heading may end a page",
  orphans: "paper: a line may stand alone",
  widows: "paper: a line may stand alone",
  zoom: "paper: pictures are larger",
  "@page": "paper: the reader chooses its size",
};

const number = (version) => version.replace("≤", "").split(".").map(Number);
const older = ([a, b = 0], [c, d = 0]) => a < c || (a === c && b <= d);

/** The browser that lacks what `feature` tells of, `undefined` if none does. What it has in part, it has. */
const lacking = (feature) =>
  Object.keys(OLDEST).find((browser) => {
    const ways = [feature.__compat.support[browser] ?? []].flat();
    return !ways.some(
      ({ version_added: from, version_removed: until, flags, alternative_name }) =>
        !flags &&
        !alternative_name &&
        /\d/.test(from) &&
        older(number(from), number(OLDEST[browser])) &&
        !(/\d/.test(until) && older(number(until), number(OLDEST[browser]))),
    );
  });

/** The features below the trees by their names, those of one name together. */
const byName = (...trees) => {
  const found = new Map();
  for (const [name, feature] of trees.flatMap(Object.entries)) {
    if (name === "__compat" || !feature.__compat) continue;
    const word = name.replace("_static", "");
    found.set(word, [...(found.get(word) ?? []), feature]);
  }
  return found;
};

const globals = byName(api, api.Window, api.WorkerGlobalScope, javascript.builtins);
const members = byName(...Object.values({ ...api, ...javascript.builtins })); // of what is lacking itself, the global is told as well
const selectors = byName(css.selectors);
const functions = byName(css.types, ...Object.values(css.types));

/** The browser that lacks everything of this name; what MDN does not know is our own. */
const lacks = (found, name) => {
  const features = found.get(name) ?? [];
  return features.length && features.every(lacking) ? lacking(features[0]) : undefined;
};

const meta = { schema: [], messages: { lacking: "{{browser}} has no {{what}}" } };
const reporter = (context) => (node, what, name) => {
  const browser = name && `${name} ${OLDEST[name]}`;
  if (browser) context.report({ node, messageId: "lacking", data: { browser, what } });
};

/** For scripts. */
export const script = {
  meta,
  create(context) {
    const report = reporter(context);
    const settled = new Set(), // names that the program gives to something of its own, or asks for
      used = [];
    const settle = (node) => {
      const name = node?.property ?? node?.key ?? node;
      if (name) settled.add(name.name ?? name.value);
    };
    const inWords = (node, words) => {
      if (node.parent.callee?.property?.name === "supports") return;
      for (const [, name] of words.matchAll(/::?([a-z]+-[a-z-]+|[a-z]+(?=\())/g))
        report(node, `:${name}`, lacks(selectors, name));
    };
    return {
      "Program:exit"() {
        const { through, variables } = context.sourceCode.scopeManager.globalScope;
        const references = [...through, ...variables.flatMap((each) => each.references)];
        const given = new Set(references.map(({ identifier }) => identifier)); // by the browser
        for (const { object, property } of used)
          if (!settled.has(property.name) && (/[A-Z]/.test(property.name) || given.has(object)))
            report(property, `.${property.name}`, lacks(members, property.name));
        for (const identifier of given)
          if (!settled.has(identifier.name))
            report(identifier, identifier.name, lacks(globals, identifier.name));
      },
      "PropertyDefinition, MethodDefinition, Property": settle,
      "AssignmentExpression > MemberExpression.left": settle,
      "MemberExpression[computed=false]": (node) => used.push(node),
      "CallExpression[optional=true] > MemberExpression.callee": settle,
      "MemberExpression[optional=true] > MemberExpression.object": settle,
      ":matches(IfStatement, ConditionalExpression) > .test": settle,
      "LogicalExpression > .left": settle,
      "UnaryExpression[operator=/^(typeof|!)$/] > .argument": settle,
      "BinaryExpression[operator='in'] > Literal.left": settle,
      Literal: (node) => typeof node.value === "string" && inWords(node, node.value),
      TemplateElement: (node) => inWords(node, node.value.raw),
    };
  },
};

/** For style sheets. */
export const style = {
  meta,
  create(context) {
    const report = reporter(context);
    const { sourceCode } = context;
    const above = (node, type) =>
      sourceCode.getAncestors(node).findLast((each) => each.type === type);
    const isAsked = (node) =>
      sourceCode
        .getAncestors(node)
        .some(({ type, name }) => type === "Atrule" && name === "supports");
    const faults = new Map(); // of each declaration
    const tell = (node, what, browser) => {
      const declaration = node.type === "Declaration" ? node : above(node, "Declaration");
      if (browser && !SPARED[declaration.property] && !declaration.property.startsWith("-"))
        faults.set(declaration, [what, browser]);
    };
    const features = ({ property }) => css.properties[property.toLowerCase()];
    return {
      Declaration(node) {
        const page = above(node, "Atrule")?.name === "page";
        if (!page && features(node)) tell(node, node.property, lacking(features(node)));
      },
      "Declaration Identifier"(node) {
        const declaration = above(node, "Declaration");
        if (["font-family", "font"].includes(declaration.property)) return; // a list of what may be had
        const known = features(declaration)?.[node.name];
        if (known?.__compat) tell(node, `${declaration.property}: ${node.name}`, lacking(known));
      },
      "Declaration Function": (node) => tell(node, `${node.name}()`, lacks(functions, node.name)),
      "Block:exit"(block) {
        block.children.forEach((node, at) => {
          const fallback = block.children.some(
            (other, i) =>
              other.property === `-webkit-${node.property}` ||
              (i < at && other.property === node.property && !faults.has(other)),
          );
          if (faults.has(node) && !fallback && !isAsked(node)) report(node, ...faults.get(node));
        });
      },
      "PseudoClassSelector, PseudoElementSelector"(node) {
        const list = above(node, "SelectorList");
        const forgiving = ["is", "where"].includes(above(list, "PseudoClassSelector")?.name);
        if (node.name.startsWith("-") || isAsked(node) || (forgiving && list.children.length > 1))
          return;
        const others = sourceCode
          .getAncestors(node)
          .find(({ type }) => type === "SelectorList")
          .children.filter((each) => !sourceCode.getText(each).includes(`:${node.name}`));
        const browser = lacks(selectors, node.name);
        if (others.length)
          report(node, `:${node.name}, and loses the other selectors here`, browser);
        else if (!SPARED[`:${node.name}`]) report(node, `:${node.name}`, browser);
      },
      NestingSelector: (node) => report(node, "&", lacking(css.selectors.nesting)),
      "Rule Rule": (node) => report(node, "nested rules", lacking(css.selectors.nesting)),
      Atrule(node) {
        const known = css["at-rules"][node.name];
        if (known?.__compat && !SPARED[`@${node.name}`])
          report(node, `@${node.name}`, lacking(known));
      },
    };
  },
};
