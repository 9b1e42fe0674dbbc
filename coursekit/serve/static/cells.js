// Draws the outputs of cells as they come: a plugin of Voilà's front end, which loads it like an
// extension of JupyterLab.
"use strict";

(self._JUPYTERLAB ??= {}).coursekit = (() => {
  let shared;

  async function module(name) {
    const versions = Object.values(shared[name]);
    const found = versions.find(({ from }) => from.includes("CORE_OUTPUT")) ?? versions[0];
    return (await found.get())();
  }

  // Replaces the description of an output by the output, as Voilà's own plugin does.
  function draw(rendermime, attach, description) {
    const model = JSON.parse(description.textContent);
    const kind = rendermime.preferredMimeType(model.data, "any");
    const place = description.parentElement;
    description.remove();
    if (!kind) return;
    const output = rendermime.createRenderer(kind);
    output.addClass("jp-OutputArea-output");
    attach(output, place);
    output.renderModel(model);
  }

  // Voilà's own plugin sets the formulas of a page once, and so misses those of cells that come later.
  const set = new WeakSet();
  const formulas = (rendermime) =>
    document.querySelectorAll("div.jp-MarkdownOutput").forEach((words) => {
      if (!set.has(words) && /[$\\]/.test(words.textContent))
        rendermime.latexTypesetter?.typeset(words);
      set.add(words);
    });

  // Resolves when the front end knows all widgets that there are.  While it asks the kernel for those it has not heard
  // of, the kernel may open more.  They are built of others that may be unknown yet, so they wait, with what is said to them.
  async function caughtUp(manager) {
    const { kernel } = manager,
      late = new Map();
    let behind = true;
    kernel.registerCommTarget("jupyter.widget", (comm, opening) => {
      if (!behind) return manager._handleCommOpen(comm, opening);
      late.set(comm.commId, { opening, said: [] });
      return comm.dispose();
    });
    const hear = (_, message) => {
      if (message.header.msg_type === "comm_msg")
        late.get(message.content.comm_id)?.said.push(message);
    };
    kernel.iopubMessage.connect(hear);
    if (!manager.restoredStatus) await new Promise((done) => manager.restored.connect(done));
    for (const [id, { opening, said }] of late) {
      if (!manager.has_model(id)) {
        const model = await manager.handle_comm_open(
          await manager._create_comm("jupyter.widget", id),
          opening,
        );
        late.delete(id); // from here on its own comm hears
        await Promise.all(said.map((message) => model._handle_comm_msg(message)));
      }
    }
    behind = false;
    kernel.iopubMessage.disconnect(hear);
  }

  async function extension() {
    const needed = ["@jupyterlab/rendermime", "@lumino/widgets"];
    const [{ IRenderMimeRegistry }, { Widget }] = await Promise.all(needed.map(module));
    const plugin = {
      id: "coursekit:cells",
      autoStart: true,
      requires: [IRenderMimeRegistry],
      activate(app, rendermime) {
        // Each script of a JupyterLab extension leaves its name there; without this one no widget is drawn.
        if (!self._JUPYTERLAB?.anywidget) window.coursekit_incomplete();
        const ready = app.widgetManagerPromise.promise.then(async (manager) => {
          await caughtUp(manager);
          const { kernel } = manager;
          window.coursekit_reconnect = () =>
            kernel.connectionStatus === "disconnected" && kernel.reconnect();
          window.coursekit_keep = () => kernel.requestIsComplete({ code: "" }).catch(() => {}); // most other questions do not count as use
          return manager;
        });
        app.started.then(() =>
          window.coursekit_draws(async (descriptions) => {
            formulas(rendermime);
            if (!descriptions.length) return;
            const manager = await ready;
            await manager.kernel.requestCommInfo({ target_name: "jupyter.widget" }); // its answer comes after all it has said
            descriptions.forEach((description) => draw(rendermime, Widget.attach, description));
          }),
        );
      },
    };
    return () => ({ __esModule: true, default: plugin });
  }

  return {
    init: (scope) => {
      shared = scope;
    },
    get: extension,
  };
})();
