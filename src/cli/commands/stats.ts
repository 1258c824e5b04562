import { statSync } from "node:fs";
import { directories } from "../../config/index.ts";
import { STOP } from "../../core/reason/index.ts";
import { amount, duration, money, type Stats, type StatsRow, statsOf } from "../../core/report/index.ts";
import { bytes, counted, parseSpan } from "../../core/text/index.ts";
import { openRun } from "../../engine/index.ts";
import { type Command, has, JSON_OPTION, text, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { runsOf } from "../pick-run.ts";
import { styleOf } from "../style.ts";
import { clip } from "../wrap.ts";

export const stats: Command = {
  name: "stats",
  takes: "",
  summary: "Sums up your runs: done and proven, why they stopped, tokens, cost and time.",
  examples: [
    ["tildone stats", "all runs in the log"],
    ["tildone stats --since 7d", "those of the last week"],
    ["tildone stats --here --json", "those of this folder, for a script"],
  ],
  options: {
    ...JSON_OPTION,
    since: { type: "string", value: "time", says: "Only runs that changed since then: 7d, 12h." },
    here: { type: "boolean", says: "Only runs of this folder." },
  },
  words: 0,
  run: (given, io) =>
    withStore(io, (store) => {
      const since = sinceOf(text(given, "since"), io);
      const all = store.runs.list();
      const cards = (has(given, "here") ? runsOf(io.cwd, all) : all).filter(({ updated }) => updated >= since);
      const found = statsOf(
        (function* () {
          for (const { run } of cards) yield openRun(store.log, run).run;
        })(),
      );
      const size = statSync(directories(io).database, { throwIfNoEntry: false })?.size ?? 0;
      if (has(given, "json")) {
        const from = since > 0 ? new Date(since).toISOString() : undefined;
        io.out(jsonText({ since: from, ...found, log: { bytes: size, runs: all.length } }));
      } else for (const line of lines(found, size, all.length, io)) io.out(line);
      return 0;
    }),
};

function sinceOf(given: string | undefined, io: Io): number {
  if (given === undefined) return 0;
  const span = parseSpan(given);
  if (span === undefined) throw new UsageError(`"${given}" is not a time: 7d, 12h, 90m.`);
  return io.now() - span;
}

function lines({ runs, open, done, proven, todos, stops, spent, by }: Stats, size: number, kept: number, io: Io) {
  const style = styleOf(io);
  const over = runs - open;
  if (runs === 0) return ['No runs yet. Start one: tildone run "goal".'];
  // Cut first, painted afterwards: a colour that is cut is no colour.
  const fact = (name: string, says: string) => `${style.strong(name.padEnd(8))}${clip(says, io.columns - 8)}`;
  const row = (count: number, says: string) => clip(`  ${String(count).padStart(4)}  ${says}`, io.columns);
  return [
    fact(
      "Runs",
      `${runs}${open > 0 ? `, ${open} open` : ""}; ${over} over: ${share(done, over)} done, ${share(proven, over)} proven`,
    ),
    fact("Todos", `${todos.total}: ${todos.done} done, ${todos.proven} proven by a check`),
    fact("Used", `${used(spent)}, ${counted(spent.continuations, "continuation")}`),
    fact("Log", `${bytes(size)}, ${counted(kept, "run")}`),
    ...(stops.length === 0 ? [] : ["", style.strong("Why they stopped")]),
    ...stops.map(({ reason, runs: count }) => row(count, labelOf(reason))),
    "",
    style.strong("By host and model"),
    ...by.map((each) =>
      row(each.runs, `${nameOf(each).padEnd(28)} ${share(each.proven, each.runs).padStart(5)} proven  ${used(each)}`),
    ),
  ];
}

const used = ({ tokens, cost, minutes }: Stats["spent"]): string =>
  `${amount(tokens)} tokens, ${money(cost)}, ${duration(minutes * 60_000)}`;

const share = (part: number, whole: number): string => (whole === 0 ? "0 %" : `${Math.round((part / whole) * 100)} %`);
const nameOf = ({ host, model }: StatsRow): string => (model === undefined ? host : `${host}, ${model}`);
const labelOf = (reason: string): string =>
  Object.hasOwn(STOP, reason) ? STOP[reason as keyof typeof STOP].label : reason;
