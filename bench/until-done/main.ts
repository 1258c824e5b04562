// npm run bench:until-done [-- --full] [--only <system>]: plays the personas on every system, prints a table, and writes
// bench/results/until-done.json. All traffic stays on loopback.
import { mkdirSync, writeFileSync } from "node:fs";
import { PERSONAS } from "../../src/testing/index.ts";
import { standalone } from "./agent.ts";
import { type Cell, fewestRequests, type System, verdict } from "./cell.ts";
import { piAlone, piWithTildone } from "./pi.ts";
import { markdown } from "./table.ts";

const SYSTEMS: readonly System[] = [piAlone, piWithTildone, standalone];
/** Those that take a minute or more each. */
const LONG = [
  "appends a byte to a file for ever",
  "edits for forty turns on one todo",
  "adds and finishes trivial items for ever",
];

const full = process.argv.includes("--full");
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
const systems = SYSTEMS.filter(({ name }) => only === undefined || name === only);
if (systems.length === 0) {
  console.error(`No system named "${only}". There are: ${SYSTEMS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const personas = PERSONAS.filter(({ name }) => full || !LONG.includes(name));
const rows = personas.map((persona) => ({ persona, cells: {} as Record<string, Cell> }));
let done = 0;
for (const { persona, cells } of rows) {
  await Promise.all(
    systems.map(async (system) => {
      cells[system.name] = await played(system, persona);
    }),
  );
  process.stderr.write(`${++done}/${rows.length} ${persona.name}\n`);
}
const table = markdown(
  rows,
  systems.map(({ name }) => name),
);
console.log(table);
mkdirSync("bench/results", { recursive: true });
writeFileSync(
  "bench/results/until-done.json",
  `${JSON.stringify(
    rows.map(({ persona, cells }) => ({
      persona: persona.name,
      kind: persona.kind,
      ends: persona.ends.reason,
      fewestRequests: persona.ends.reason === "all_done" ? fewestRequests(persona) : undefined,
      cells: Object.fromEntries(
        Object.entries(cells).map(([name, cell]) => [name, { ...cell, verdict: verdict(persona, cell) }]),
      ),
    })),
    null,
    2,
  )}\n`,
);
writeFileSync("bench/results/until-done.md", `${table}\n`);

async function played(system: System, persona: (typeof personas)[number]): Promise<Cell> {
  if (system.unavailable !== undefined) return { status: "not run", why: system.unavailable };
  try {
    return await system.play(persona);
  } catch (error) {
    return { status: "not run", why: error instanceof Error ? error.message.slice(0, 200) : String(error) };
  }
}
