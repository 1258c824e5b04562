// Runs after `npm ci` and `npm install` in a checkout, and nowhere else: as `prepare` it would be named to people who install the
// package. npm leaves out optional packages whose `engines` refuse the
// machine's own node, without a word; this script already runs on the node of node_modules, so it asks once more.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";

if (!existsSync("node_modules/@earendil-works/pi-coding-agent") && process.env.npm_config_omit !== "optional")
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]);
run("node", ["tools/build.ts"]);
sayReady();

function run(command: string, args: readonly string[]) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** npm hides what this script prints: the one line goes to the terminal itself, where there is one. */
function sayReady() {
  const line = "tildone is built. Try it: npx tildone demo   On your PATH: npm link\n";
  try {
    appendFileSync("/dev/tty", line);
  } catch {
    process.stdout.write(line); // no terminal: an installer that shows output shows this
  }
}
