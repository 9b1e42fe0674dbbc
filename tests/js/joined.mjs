// The table's module as the widget has it: the same Python function joins its parts.

import { execFileSync } from "node:child_process";

const ask = "import sys; from coursekit.table.parts import one_file; sys.stdout.buffer.write(one_file('js').encode())";
const code = execFileSync(process.env.PYTHON ?? "python", ["-c", ask], { encoding: "utf8", maxBuffer: 1e8 });

// As one string without an address, the way anywidget loads it.
export const { default: table } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
