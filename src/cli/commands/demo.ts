import type { DemoLine, DemoOptions } from "../../agent/index.ts";
import { HOOK_HOSTS, HOST_NAMES, type HostName } from "../../config/index.ts";
import { span } from "../../core/text/index.ts";
import { PROFILES } from "../../hosts/index.ts";
import { type Command, Failure, has, UsageError } from "../command.ts";
import { exampleLines } from "../help.ts";
import { installedProgram } from "../installed-program.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { adapterOf } from "../packaged.ts";
import { spin } from "../spinner.ts";
import { type Style, styleOf } from "../style.ts";
import { clip, printable, wrap } from "../wrap.ts";
import { requestFor } from "./install.ts";

/** Long enough to read a line, short enough to stay: about fifteen seconds in all. */
const PACE_MS = 450;

const [HOST, ...OTHERS] = HOOK_HOSTS;
const RUN = ['tildone run "fix the tests" --check "npm test"', "let it work alone"] as const;
const DOCTOR = ["tildone doctor", "what is set up on this machine"] as const;

function nextAfter(host: HostName | undefined): readonly (readonly [typed: string, says: string])[] {
  if (host === undefined)
    return [[`tildone install ${HOST}`, `put it into your host (or ${OTHERS.join(", ")})`], RUN, DOCTOR];
  const { title, hook } = PROFILES[host];
  const setUp = hook
    ? [`tildone install ${host}`, `put it into your ${title}`]
    : [`tildone doctor ${host}`, `how to put it into your ${title}`];
  const run = `tildone run --host ${host} "fix the tests" --check "npm test"`;
  return [setUp as [string, string], [run, "let it work alone"], DOCTOR];
}

export const demo: Command = {
  name: "demo",
  takes: "[host]",
  summary:
    "Shows tildone at work in a temporary folder: a real agent, a scripted model, no key, no network. With a host: in that host, if it is installed.",
  examples: [
    ["tildone demo", "tildone's own agent; paced, to watch it"],
    [`tildone demo ${HOST}`, `in ${PROFILES[HOST!].title}, with its own tools`],
    ["tildone demo --fast", "without pauses"],
    ["tildone demo --fleet", "a goal survives kill -9 of its worker"],
    ["tildone demo --keep", "keep the folder, to look at what was done"],
  ],
  completes: ["host"],
  options: {
    fast: { type: "boolean", says: "No pauses; without a terminal there are none." },
    fleet: { type: "boolean", says: "A database, two workers, and one of them dies; see docs/how-to/fleet.md." },
    keep: { type: "boolean", says: "Keep the temporary folder." },
  },
  words: 1,
  run: async (given, io) => {
    const [named] = given.words;
    if (has(given, "fleet")) return (await import("../fleet/fleet-demo.ts")).fleetDemo(has(given, "keep"), io);
    const host = HOST_NAMES.find((name) => name === named);
    if (named !== undefined && host === undefined)
      throw new UsageError(`There is no demo in "${named}". Name one of: ${HOST_NAMES.join(", ")}.`);
    const paced = io.isTerminal && !has(given, "fast");
    const stage: Stage = {
      env: io.env,
      pause: () => (paced ? io.pause(PACE_MS) : Promise.resolve()),
      keep: has(given, "keep"),
    };
    const { outcome, folder } = await (host === undefined ? onOwnAgent(stage, io) : onHost(host, stage, io));
    if (folder !== undefined) io.out(`Kept: ${folder}`);
    if (outcome.exit !== 0) throw new Failure(`the demo did not end as it should: ${outcome.says}`, outcome.exit);
    io.out("");
    io.out("Next:");
    for (const line of exampleLines(nextAfter(host), io.columns)) io.out(line);
    return 0;
  },
};

type Stage = Pick<DemoOptions, "env" | "pause" | "keep">;

async function onOwnAgent(stage: Stage, io: Io) {
  const { runDemo } = await needsPi(() => import("../../agent/index.ts"));
  const screen = openScreen("The agent", io);
  try {
    return await runDemo({ ...stage, out: screen.print });
  } finally {
    screen.rest();
  }
}

async function onHost(host: HostName, stage: Stage, io: Io) {
  const program = installedProgram(PROFILES[host], io);
  const { runHostDemo } = await import("../../agent/host-demo/index.ts");
  const { applyInstall, planInstall } = await import("../../hooks/index.ts");
  const screen = openScreen(PROFILES[host].title, io);
  try {
    return await runHostDemo({
      ...stage,
      host,
      program,
      adapter: adapterOf(host),
      stop: io.signal,
      install: (where) => {
        const hookHost = HOOK_HOSTS.find((name) => name === host);
        if (hookHost === undefined) return;
        const request = requestFor(hookHost, "user", where);
        const planned = planInstall(request);
        if (!planned.ok) throw new Failure(planned.problems.join("\n"));
        applyInstall(request, planned.changes);
      },
      out: screen.print,
    });
  } finally {
    screen.rest();
  }
}

/** Lines one after the other, and below them who works on the next one. */
function openScreen(who: string, io: Io) {
  const began = io.now();
  let rest = () => {};
  return {
    print: (line: DemoLine): void => {
      rest();
      for (const part of painted(line, styleOf(io), io)) io.out(part);
      rest = spin(io, () => `${who} works · ${span(io.now() - began)}`);
    },
    rest: () => rest(),
  };
}

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
