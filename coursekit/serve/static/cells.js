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

  // Resolves when the front end knows all that the kernel has said so far: its answer comes after that.
  // On a busy machine a widget may have been missed while the front end was starting; it is asked for again.
  async function heard(manager, models) {
    if (!manager.restoredStatus) await new Promise((done) => manager.restored.connect(done));
    const { content } = await manager.kernel.requestCommInfo({ target_name: "jupyter.widget" });
    const missed = (model) => model in (content.comms ?? {}) && !manager.has_model(model);
    if (models.some(missed)) await manager.restoreWidgets();
  }

  // The ids of the widgets that these descriptions of outputs show.
  function shown(descriptions) {
    const view = "application/vnd.jupyter.widget-view+json";
    return descriptions.flatMap(({ textContent }) => JSON.parse(textContent).data?.[view]?.model_id ?? []);
  }

  async function extension() {
    const needed = ["@jupyterlab/rendermime", "@lumino/widgets"];
    const [{ IRenderMimeRegistry }, { Widget }] = await Promise.all(needed.map(module));
    const plugin = {
      id: "coursekit:cells",
      autoStart: true,
      requires: [IRenderMimeRegistry],
      activate(app, rendermime) {
        app.started.then(() => window.coursekit_draws(async (descriptions) => {
          await heard(await app.widgetManagerPromise.promise, shown(descriptions));
          descriptions.forEach((description) => draw(rendermime, Widget.attach, description));
        }));
      },
    };
    return () => ({ __esModule: true, default: plugin });
  }

  return { init: (scope) => { shared = scope; }, get: extension };
})();
