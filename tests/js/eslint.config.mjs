// The rules for the kit's scripts as browsers get them, each joined of its parts, and for the tests of them.

import js from "@eslint/js";
import css from "@eslint/css";
import globals from "globals";

import * as browsers from "./browsers.mjs";

const kit = { rules: { script: browsers.script, style: browsers.style } };

export default [
  {
    files: ["**/*.css"],
    language: "css/css",
    languageOptions: { tolerant: true }, // some conditions of @container are unknown to it
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { css, kit },
    rules: { "kit/style": "error" },
  },
  { files: ["**/*.js", "**/*.mjs"], ...js.configs.recommended },
  {
    files: ["**/*.js", "**/*.mjs"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-control-regex": "off", // Markdown ends lines at some of them
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  {
    files: ["**/*.js"],
    plugins: { kit },
    languageOptions: { ecmaVersion: 2022, globals: globals.browser }, // all of which the oldest browsers can read
    rules: { "kit/script": "error" },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
