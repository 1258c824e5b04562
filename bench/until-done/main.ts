// npm run bench:until-done -- --help
import { cpus } from "node:os";
import build from "../../test/e2e/build.ts";
import { STANDALONE } from "./agent.ts";
import { agreement, brokenPromises, differences } from "./agreement.ts";
import type { System, Terms } from "./cell.ts";
import { type Choice, isAskedFor, personasOf } from "./chosen.ts";
import { type Costs, costsOf } from "./costs.ts";
import { HOST_SYSTEMS } from "./hosts.ts";
import { OPENCODE_SYSTEMS } from "./opencode.ts";
import { HELP, optionsOf } from "./options.ts";
import { PLAYED } from "./personas.ts";
import { PI_SYSTEMS } from "./pi.ts";
import { publish, whyUnfit } from "./publish.ts";
import type { Machine, ResultRow, Results, RunHead } from "./results.ts";
import { beginRun, readJson, writeJson } from "./results-file.ts";
import { runCells, type Task } from "./run-cells.ts";
import { isSame, sourceOf } from "./source.ts";
import { markdown, SIGNS } from "./table.ts";
import { takeTurn } from "./turn.ts";

const FOLDER = "bench/results";
const COSTS = `${FOLDER}/until-done.costs.json`;
const SYSTEMS: readonly System[] = [...PI_SYSTEMS, STANDALONE, ...HOST_SYSTEMS, ...OPENCODE_SYSTEMS];
const MACHINE: Machine = {
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  cpus: cpus().length,
};

const options = optionsOf(process.argv.slice(2));
if (!options.ok) {
  console.error(options.why);
  process.exit(2);
}
const { values } = options;
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const broken = new AbortController();
const terms: Omit<Terms, "keep"> = {
  longestMs: Number(values.longest ?? (values.full ? 900 : 180)) * 1000,
  quietMs: Number(values.quiet ?? (values.full ? 330 : 45)) * 1000,
  signal: broken.signal,
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => broken.abort());

const selection: RunHead["selection"] =
  values.persona !== undefined || values.only !== undefined || values.fresh ? "some" : values.full ? "full" : "default";
const FILE = `${FOLDER}/until-done.${selection}.json`;

if (values.plot) plot();
else if (unknown().length > 0)
  give(`No "${unknown().join('", "')}". Personas: ${namesOf(PLAYED)}. Systems: ${namesOf(SYSTEMS)}.`, 2);
else await inTurn(values.costs ? costs : cells);

async function inTurn(run: () => Promise<void>): Promise<void> {
  const turn = takeTurn(`${FOLDER}/until-done.turn`, process.pid);
  if (turn.status === "refused") return give(`Another run is going on here, process ${turn.by}.`, 2);
  try {
    await run();
  } finally {
    turn.release();
  }
}

async function cells(): Promise<void> {
  const tasks = wanted();
  const source = sourceOf(".");
  const head: RunHead = {
    selection,
    cells: tasks.length,
    plays: values.twice ? 2 : 1,
    begun: new Date().toISOString(),
    source,
    machine: MACHINE,
  };
  build();
  install(tasks.map(({ system }) => system));
  const start = beginRun(FILE, head, values.missing ? "missing" : "anew");
  if (start.status === "refused") return give(start.why, 2);
  const resultsOf = (rows: readonly ResultRow[], more: Pick<RunHead, "ended"> = {}): Results => ({
    run: { ...head, begun: start.begun, ...more },
    systems: Object.fromEntries(
      SYSTEMS.map(({ name, version, family, isOurs, exitsForUs }) => [
        name,
        { version, family, ...(isOurs && { isOurs }), ...(exitsForUs && { exitsForUs }) },
      ]),
    ),
    rows,
  });
  const rows = await runCells(start.rows, {
    tasks,
    plays: head.plays,
    atOnce: Number(values["at-once"]),
    terms,
    transcripts: { folder: `${FOLDER}/until-done`, of: values.transcripts ? "all" : "faults" },
    onPlay: (played, line) => {
      writeJson(FILE, resultsOf(played));
      console.error(line);
    },
  });
  if (broken.signal.aborted)
    return give(`Interrupted. What was played is in ${FILE}; the same command with --missing continues it.`, 130);
  if (!isSame(source, sourceOf(".")))
    return give(`The code changed while it was measured; ${FILE} is not of one state. Play it anew.`, 1);
  const results = resultsOf(rows, { ended: new Date().toISOString() });
  writeJson(FILE, results);
  const promises = brokenPromises(results).map((each) => `- ${each}`);
  console.log(`${markdown(results)}\n\n${SIGNS}\n\n${agreement(results)}`);
  if (promises.length > 0) console.log(`Broken promises of tildone's:\n${promises.join("\n")}`);
  if (promises.length > 0 || differences(results).length > 0) process.exitCode = 1;
}

/** Before the first play: what takes minutes would keep the models of other plays from answering. */
function install(systems: readonly System[]): void {
  for (const system of new Set(systems)) {
    const why = system.whyNot?.();
    if (why !== undefined) console.error(`${system.name} cannot be played: ${why}`);
  }
}

function wanted(): readonly Task[] {
  const choice = chosen();
  const systems = SYSTEMS.filter(({ name, isOurs }) => values.only?.includes(name) ?? (isOurs || !values.fresh));
  return personasOf(choice, values.fresh ? "fresh" : "same").flatMap((persona) =>
    systems
      .filter((system) => values.only !== undefined || isAskedFor(choice, system))
      .map((system) => ({ persona, system })),
  );
}

/** Time and memory of work that every system finishes, beside the host alone; one at a time. */
async function costs(): Promise<void> {
  build();
  install(SYSTEMS);
  const persona = PLAYED.find(({ name }) => name === "does what is asked")!;
  const pairs = SYSTEMS.flatMap((system) => {
    const alone = SYSTEMS.find(({ name }) => name === system.beside);
    const isAsked = values.only?.includes(system.name) ?? !system.onlyInFull;
    return alone && isAsked && system.whyNot?.() === undefined ? [[system, alone] as const] : [];
  });
  const measured: Costs = {
    at: new Date().toISOString(),
    source: sourceOf("."),
    machine: MACHINE,
    systems: await costsOf(
      pairs,
      persona,
      { ...terms, keep: () => {} },
      {
        repeat: Number(values.repeat),
        longestMs: Number(values.minutes) * 60_000,
        onPlay: (system, { ms, memory }) => console.error(`${system}: ${seconds(ms)}, ${memory.toFixed(0)} MiB`),
      },
    ),
  };
  if (values.only === undefined) writeJson(COSTS, measured);
  for (const { system, beside, ...cost } of measured.systems)
    console.log(
      `${system}: ${seconds(cost.ms)} (${beside} ${seconds(cost.besideMs)}), ` +
        `${cost.memory.toFixed(0)} MiB (${cost.besideMemory.toFixed(0)}), median of ${cost.plays}`,
    );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function plot(): void {
  const results = readJson<Results>(FILE);
  const why = results ? whyUnfit(results) : `There is no ${FILE} yet: npm run bench:until-done makes it.`;
  const measured = readJson<Costs>(COSTS);
  if (!results || why !== undefined) give(`${why}`, 2);
  else publish({ ...results, ...(measured && { costs: measured }) });
}

function chosen(): Choice {
  if (values.persona !== undefined) return { type: "named", names: values.persona };
  return { type: values.full ? "full" : "default" };
}

function unknown(): readonly string[] {
  const isNone = (all: readonly { readonly name: string }[]) => (name: string) =>
    !all.some((each) => each.name === name);
  return [...(values.persona ?? []).filter(isNone(PLAYED)), ...(values.only ?? []).filter(isNone(SYSTEMS))];
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(", ");
}

function give(problem: string, code: number): void {
  console.error(problem);
  process.exitCode = code;
}
