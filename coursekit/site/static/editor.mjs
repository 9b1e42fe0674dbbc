// The code of a cell in an editor: CodeMirror.  build.py joins it with its library into one script.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";

/** Put an editor with `code` into `parent`; `changed` hears what it holds, `run` of Shift+Enter. */
globalThis.coursekit_editor = (parent, { code, label, changed, run }) => {
  const runs = { key: "Shift-Enter", run: () => (run(), true) };
  const view = new EditorView({
    doc: code,
    parent,
    extensions: [
      Prec.highest(keymap.of([runs, { ...runs, key: "Mod-Enter" }])),
      basicSetup,
      keymap.of([indentWithTab]), // after Escape the Tab key leaves the editor
      python(),
      syntaxHighlighting(classHighlighter), // its colours stand in site.css, light and dark
      indentUnit.of("    "),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        "aria-label": label,
        "data-lm-suppress-shortcuts": "true",
      }),
      EditorView.updateListener.of(
        (update) => update.docChanged && changed(view.state.doc.toString()),
      ),
    ],
  });
  return {
    put: (words) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: words } }),
  };
};
