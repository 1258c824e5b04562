// npm run bench:until-done [-- --full] [--missing] [--twice] [--persona <name>] [--only <system>] [--costs] [--plot]
//
// Plays personas on every system, prints a table and keeps bench/results/until-done.json up to date after every cell; what was
// not asked for stays in it. --missing goes on with a run that was broken off; --twice plays every cell twice and tells which
// differ; --costs measures time and memory of a few. What the model was asked in cells that are not good is kept beside it.
// --plot plays nothing and writes docs/benchmark.* and the table of the README from that file. All traffic stays on loopback.
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { PERSONAS } from "../../src/testing/index.ts";
import build from "../../test/e2e/build.ts";
import { STANDALONE } from "./agent.ts";
import type { System, Terms } from "./cell.ts";
import { type Choice, isAskedFor, personasOf } from "./chosen.ts";
import { costsOf } from "./costs.ts";
import { HOST_SYSTEMS } from "./hosts.ts";
import { OPENCODE_SYSTEMS } from "./opencode.ts";
import { PI_SYSTEMS } from "./pi.ts";
import { publish } from "./publish.ts";
import { type Results, readResults, writeResults } from "./results.ts";
import { runCells } from "./run-cells.ts";
import { differences, markdown } from "./table.ts";

const FILE = "bench/results/until-done.json";
const TRANSCRIPTS = "bench/results/until-done";
const SYSTEMS: readonly System[] = [...PI_SYSTEMS, STANDALONE, ...HOST_SYSTEMS, ...OPENCODE_SYSTEMS];

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    missing: { type: "boolean", default: false },
    twice: { type: "boolean", default: false },
    /** Keeps what the model was asked in good cells, too. */
    transcripts: { type: "boolean", default: false },
    costs: { type: "boolean", default: false },
    plot: { type: "boolean", default: false },
    persona: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    /** Cells that are played at the same time. */
    "at-once": { type: "string", default: "2" },
    /** How often each system is played for --costs. */
    repeat: { type: "string", default: "5" },
    /** The longest that one cell may take, in seconds. */
    longest: { type: "string", default: "180" },
    /** The longest that it may live without asking the model, in seconds; the waits of a full run are longer. */
    quiet: { type: "string" },
  },
});
const terms: Omit<Terms, "keep"> = {
  longestMs: Number(values.longest) * 1000,
  quietMs: Number(values.quiet ?? (values.full ? 330 : 45)) * 1000,
};

if (values.plot) plot();
else if (values.costs) await costs();
else await cells();

async function cells(): Promise<void> {
  const choice = chosen();
  const unknown = [
    ...(values.persona ?? []).filter((name) => !PERSONAS.some((each) => each.name === name)),
    ...(values.only ?? []).filter((name) => !SYSTEMS.some((each) => each.name === name)),
  ];
  if (unknown.length > 0)
    return give(`No "${unknown.join('", "')}". Personas: ${namesOf(PERSONAS)}. Systems: ${namesOf(SYSTEMS)}.`);
  const systems = SYSTEMS.filter(({ name }) => values.only?.includes(name) ?? true);
  const tasks = personasOf(choice).flatMap((persona) =>
    systems
      .filter((system) => values.only !== undefined || isAskedFor(choice, persona, system))
      .map((system) => ({ persona, system })),
  );
  build();
  const before = readResults(FILE);
  const rows = await runCells(before?.rows ?? [], {
    tasks,
    plays: values.twice ? 2 : 1,
    what: values.missing ? "missing" : "anew",
    atOnce: Number(values["at-once"]),
    terms,
    transcripts: { folder: TRANSCRIPTS, of: values.transcripts ? "all" : "faults" },
    onPlay: (played, line) => {
      writeResults(FILE, resultsOf(played, before?.costs));
      console.error(line);
    },
  });
  const results = resultsOf(rows, before?.costs);
  console.log(`${markdown(results)}\n\n${differences(results)}`);
}

/** Time and memory of work that every system finishes, beside the host alone; one at a time. */
async function costs(): Promise<void> {
  build();
  const before = readResults(FILE);
  const persona = PERSONAS.find(({ name }) => name === "does what is asked")!;
  const pairs = SYSTEMS.flatMap((system) => {
    const alone = SYSTEMS.find(({ name }) => name === system.beside);
    const isAsked = values.only?.includes(system.name) ?? !(system.onlyInFull || system.isFor);
    return alone && isAsked && system.whyNot?.() === undefined ? [[system, alone] as const] : [];
  });
  const measured = await costsOf(pairs, persona, { ...terms, keep: () => {} }, Number(values.repeat));
  const kept = (before?.costs ?? []).filter(({ system }) => !measured.some((each) => each.system === system));
  writeResults(FILE, resultsOf(before?.rows ?? [], [...kept, ...measured]));
  console.table(measured);
}

function plot(): void {
  const results = readResults(FILE);
  if (!results) give(`There is no ${FILE} yet: npm run bench:until-done makes it.`);
  else publish(results);
}

function chosen(): Choice {
  if (values.persona !== undefined) return { type: "named", names: values.persona };
  return { type: values.full ? "full" : "default" };
}

function resultsOf(rows: Results["rows"], known: Results["costs"]): Results {
  return {
    at: new Date().toISOString().slice(0, 10),
    machine: { node: process.version, platform: process.platform, arch: process.arch, cpus: cpus().length },
    systems: Object.fromEntries(SYSTEMS.map(({ name, version, family }) => [name, { version, family }])),
    rows,
    ...(known && { costs: known }),
  };
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(", ");
}

function give(problem: string): void {
  console.error(problem);
  process.exitCode = 2;
}
