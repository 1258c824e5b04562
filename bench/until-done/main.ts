// npm run bench:until-done [-- --full] [--persona <name>] [--only <system>] [--plot]: plays personas on every system,
// prints a table and keeps bench/results/until-done.json up to date after every cell; what was not asked for stays in it.
// What the model was asked in cells that are not good is beside it, in bench/results/until-done.
// --plot plays nothing and writes docs/benchmark.* from that file. All traffic stays on loopback.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ModelRequest, PERSONAS, type Persona } from "../../src/testing/index.ts";
import build from "../../test/e2e/build.ts";
import { STANDALONE } from "./agent.ts";
import type { Cell, System, Terms } from "./cell.ts";
import { type Choice, personasOf } from "./chosen.ts";
import { HOST_SYSTEMS } from "./hosts.ts";
import { OPENCODE_SYSTEMS } from "./opencode.ts";
import { PI_SYSTEMS } from "./pi.ts";
import { publish } from "./publish.ts";
import { type Results, readResults, withCell, writeResults } from "./results.ts";
import { markdown, shown } from "./table.ts";

const FILE = "bench/results/until-done.json";
const TRANSCRIPTS = "bench/results/until-done";
const SYSTEMS: readonly System[] = [...PI_SYSTEMS, STANDALONE, ...HOST_SYSTEMS, ...OPENCODE_SYSTEMS];
const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    plot: { type: "boolean", default: false },
    persona: { type: "string" },
    only: { type: "string" },
    /** The longest that one cell may take, in seconds. */
    longest: { type: "string", default: "180" },
    /** The longest that it may live without asking the model, in seconds; the waits of a full run are longer. */
    quiet: { type: "string" },
  },
});

if (values.plot) {
  const results = readResults(FILE);
  if (!results) give(`There is no ${FILE} yet: npm run bench:until-done makes it.`);
  else publish(results);
} else {
  await run();
}

async function run(): Promise<void> {
  const personas = personasOf(chosen());
  const systems = SYSTEMS.filter(({ name, onlyInFull }) =>
    values.only === undefined ? values.full || !onlyInFull : name === values.only,
  );
  if (personas.length === 0) return give(`No persona "${values.persona}". There are: ${namesOf(PERSONAS)}.`);
  if (systems.length === 0) return give(`No system "${values.only}". There are: ${namesOf(SYSTEMS)}.`);
  build();
  const before = readResults(FILE);
  let rows = before?.rows ?? [];
  let played = 0;
  for (const persona of personas) {
    const queue = [...systems];
    const work = async (): Promise<void> => {
      for (let system = queue.shift(); system; system = queue.shift()) {
        let asked: readonly ModelRequest[] = [];
        const cell = await cellOf(system, persona, (requests) => {
          asked = requests;
        });
        const old = rows.find((row) => row.persona === persona.name)?.cells[system.name]?.verdict;
        rows = withCell(rows, persona, system.name, cell);
        writeResults(FILE, resultsOf(rows));
        const news = rows.find((row) => row.persona === persona.name)!.cells[system.name]!;
        if (news.verdict !== "good" && asked.length > 0) writeTranscript(system, persona, asked);
        const changed = old !== undefined && old !== news.verdict ? `, was: ${old}` : "";
        const took = cell.status === "ran" ? `, ${(cell.ms / 1000).toFixed(1)} s` : "";
        const progress = `${++played}/${personas.length * systems.length}`;
        console.error(`${progress} ${persona.name} · ${system.name}: ${told(news)}${took}${changed}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  console.log(markdown(resultsOf(rows)));
}

function chosen(): Choice {
  if (values.persona !== undefined) return { type: "named", name: values.persona };
  return { type: values.full ? "full" : "default" };
}

async function cellOf(system: System, persona: Persona, keep: Terms["keep"]): Promise<Cell> {
  if (system.unavailable !== undefined) return { status: "not run", why: system.unavailable };
  try {
    const quietMs = Number(values.quiet ?? (values.full ? 330 : 45)) * 1000;
    return await system.play(persona, { longestMs: Number(values.longest) * 1000, quietMs, keep });
  } catch (error) {
    return { status: "not run", why: `it failed: ${String(error).split("\n")[0]!.slice(0, 200)}` };
  }
}

/** How a fault came about: what the model was asked, request by request. */
function writeTranscript(system: System, persona: Persona, requests: readonly ModelRequest[]): void {
  mkdirSync(TRANSCRIPTS, { recursive: true });
  const name = `${system.name}, ${persona.name}.json`.replaceAll(" ", "-");
  const said = requests.map(({ tools, messages }) => ({ tools, messages }));
  writeFileSync(join(TRANSCRIPTS, name), `${JSON.stringify(said, null, 2)}\n`);
}

function resultsOf(rows: Results["rows"]): Results {
  return {
    at: new Date().toISOString().slice(0, 10),
    machine: { node: process.version, platform: process.platform, arch: process.arch, cpus: cpus().length },
    systems: Object.fromEntries(SYSTEMS.map(({ name, version }) => [name, version])),
    rows,
  };
}

function told(cell: Results["rows"][number]["cells"][string]): string {
  const whys: string[] = [];
  const text = shown(cell, whys);
  return whys.length > 0 ? `not run, ${whys[0]}` : text;
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(", ");
}

function give(problem: string): void {
  console.error(problem);
  process.exitCode = 2;
}
