import type { DemoLine } from "../../agent/index.ts";
import { HOOK_HOSTS } from "../../config/index.ts";
import { type Command, Failure, has } from "../command.ts";
import { exampleLines } from "../help.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { type Style, styleOf } from "../style.ts";
import { clip } from "../wrap.ts";

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
      out: (line) => io.out(painted(line, style, io)),
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

function painted({ who, text, tone }: DemoLine, style: Style, io: Io): string {
  const columns = io.isTerminal ? io.columns : 200;
  if (who === "") return paint(tone, clip(text, columns), style);
  return `${style.role(who === "tildone" ? "accent" : "dim", who.padEnd(8))}${paint(tone, clip(text, columns - 8), style)}`;
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
