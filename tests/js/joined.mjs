// The module of a game's tables as the widget has it: the same Python function joins its parts.

import { execFileSync } from "node:child_process";

const ask =
  "import sys; from coursekit.kit import GAMES; from coursekit.table.static_files import table_script; " +
  "sys.stdout.buffer.write(table_script(GAMES[sys.argv[1]]).encode())";

/** The table of `game`, loaded as one string without an address, the way anywidget does. */
export async function tableOf(game) {
  const code = execFileSync(process.env.PYTHON ?? "python", ["-c", ask, game], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).default;
}
