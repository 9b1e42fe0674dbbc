// anywidget gives a widget's module two seconds to load.  On a busy machine it takes longer, and from then on
// the widget hears nothing from its kernel.  So it gets ten minutes: on the page of a dashboard, where this is
// the first script, and in JupyterLab, of which it is an extension without plugins.
"use strict";

(() => {
  const timeout = AbortSignal.timeout;
  AbortSignal.timeout = (milliseconds) =>
    timeout.call(AbortSignal, milliseconds === 2000 ? 600000 : milliseconds);
  const nothing = () => ({ __esModule: true, default: [] });
  (self._JUPYTERLAB ??= {})["coursekit-patience"] = { init() {}, get: async () => nothing };
})();
