import type { DemoLine } from "../../agent/index.ts";
import { HOOK_HOSTS } from "../../config/index.ts";
import { type Command, Failure, has } from "../command.ts";
import { exampleLines } from "../help.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { type Style, styleOf } from "../style.ts";
import { clip, printable, wrap } from "../wrap.ts";

/** Long enough to read a line, short enough to stay: about fifteen seconds in all. */
const PACE_MS = 450;

const [HOST, ...OTHERS] = HOOK_HOSTS;
const NEXT = [
  [`tildone install ${HOST}`, `put it into your host (or ${OTHERS.join(", ")})`],
  ['tildone run "fix the tests" --check "npm test"', "let it work alone"],
  ["tildone doctor", "what is set up on this machine"],
] as const;

export const demo: Command = {
  name: "demo",
  takes: "",
  summary: "Shows tildone at work in a temporary folder: a real agent, a scripted model, no key, no network.",
  examples: [
    ["tildone demo", "paced, to watch it"],
    ["tildone demo --fast", "without pauses"],
    ["tildone demo --keep", "keep the folder, to look at what was done"],
  ],
  options: {
    fast: { type: "boolean", says: "No pauses; without a terminal there are none." },
    keep: { type: "boolean", says: "Keep the temporary folder." },
  },
  words: 0,
  run: async (given, io) => {
    const { runDemo } = await needsPi(() => import("../../agent/index.ts"));
    const paced = io.isTerminal && !has(given, "fast");
    const style = styleOf(io);
    const { outcome, folder } = await runDemo({
      env: io.env,
      out: (line) => {
        for (const part of painted(line, style, io)) io.out(part);
      },
      pause: () => (paced ? io.pause(PACE_MS) : Promise.resolve()),
      keep: has(given, "keep"),
    });
    if (folder !== undefined) io.out(`Kept: ${folder}`);
    if (outcome.exit !== 0) throw new Failure(`the demo did not end as it should: ${outcome.says}`, outcome.exit);
    io.out("");
    io.out("Next:");
    for (const line of exampleLines(NEXT, io.columns)) io.out(line);
    return 0;
  },
};

/** What tools do is cut to one line; sentences are broken between words. */
function painted({ who, text, tone }: DemoLine, style: Style, io: Io): readonly string[] {
  const columns = io.isTerminal ? io.columns : 200;
  const margin = who === "" ? 0 : 8;
  const room = columns - margin;
  const lines = who === "tool" ? [clip(text, room)] : wrap(printable(text), room).split("\n");
  const label = (at: number) => (at === 0 ? who : "").padEnd(margin);
  return lines.map(
    (line, at) => `${style.role(who === "tildone" ? "accent" : "dim", label(at))}${paint(tone, line, style)}`,
  );
}

function paint(tone: DemoLine["tone"], text: string, style: Style): string {
  switch (tone) {
    case "bad":
      return style.role("error", text);
    case "good":
      return style.role("success", text);
    case "nudge":
      return style.role("warning", text);
    case "dim":
      return style.role("dim", text);
    case "strong":
      return style.strong(text);
    case "plain":
      return text;
  }
}
