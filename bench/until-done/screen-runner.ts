// node screen-runner.ts <screen>: a program in a terminal of its own, which tmux draws. SIGINT presses the key that stops a turn there;
// ten seconds later, in which a person would see what goes on, it ends with 130. Otherwise it ends with the program.
import { execFileSync } from "node:child_process";
import type { Screen } from "./on-screen.ts";

const LOOK_MS = 200;
const BEFORE_TYPING_MS = 4000;
const BEFORE_KEY_MS = 1000;
const BETWEEN_KEYS_MS = 300;
const AFTER_KEY_MS = 10_000;

const { line, asks, types, stop } = JSON.parse(process.argv[2] ?? "") as Screen;
const tmux = (...words: readonly string[]): string =>
  execFileSync("tmux", ["-L", `until-done-${process.pid}`, "-f", "/dev/null", ...words], { encoding: "utf8" });
const pressed = Promise.withResolvers<void>();
process.on("SIGINT", () => pressed.resolve());
process.on("exit", () => {
  console.log(tmux("capture-pane", "-p", "-t", "s"));
  tmux("kill-server");
});

const command = line.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
tmux("new-session", "-d", "-s", "s", "-x", "140", "-y", "50", command, ";", "set-option", "remain-on-exit", "on");
if (asks) {
  await shows(asks.shows);
  await press(asks.keys);
}
if (types) {
  await shows(types.shows);
  await passed(BEFORE_TYPING_MS);
  tmux("send-keys", "-t", "s", "-l", types.text);
  await shows(types.text.slice(0, 20));
  await press(["Enter"]);
}
await Promise.race([pressed.promise, ended()]);
await passed(BEFORE_KEY_MS);
await press(stop);
await passed(AFTER_KEY_MS);
process.exit(130);

async function shows(words: string): Promise<void> {
  while (!tmux("capture-pane", "-p", "-t", "s").includes(words)) await passed(LOOK_MS);
}

async function ended(): Promise<void> {
  while (tmux("display-message", "-p", "-t", "s", "#{pane_dead}").trim() !== "1") await passed(LOOK_MS);
  process.exit(Number(tmux("display-message", "-p", "-t", "s", "#{pane_dead_status}")));
}

/** One after the other: two at once would be taken for a third. */
async function press(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    tmux("send-keys", "-t", "s", key);
    await passed(BETWEEN_KEYS_MS);
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((over) => setTimeout(over, ms));
}
