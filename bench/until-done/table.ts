import { PERSONAS } from "../../src/testing/index.ts";
import { median } from "../harness.ts";
import { needlessNudges, type Ran, RUNAWAY, VERDICTS, type Verdict } from "./cell.ts";
import { differing, type ResultCell, type ResultRow, type Results } from "./results.ts";

type Measured = Pick<Results, "rows" | "systems">;

/** A table for each host: one row a persona, one column a system. A cell that did not run says why. */
export function markdown({ rows, systems }: Measured): string {
  const whys: string[] = [];
  const families = [...new Set(Object.values(systems).map(({ family }) => family))];
  const tables = families.map((family) => {
    const own = Object.fromEntries(Object.entries(systems).filter(([, { family: of }]) => of === family));
    return familyTable({ rows, systems: own }, whys);
  });
  return [
    ...tables.filter((table) => table !== ""),
    "✓ finished, or stopped as it should, and truthfully reported; ✗ with what is wrong; ≠ not the same twice. In brackets: model requests.",
    ...(whys.length > 0 ? [whys.map((why, at) => `\\[${at + 1}] ${why}  `).join("\n")] : []),
  ].join("\n\n");
}

function familyTable({ rows, systems }: Measured, whys: string[]): string {
  const names = Object.keys(systems).filter((name) => rows.some(({ cells }) => cells[name]));
  if (names.length === 0) return "";
  const shownRows = rows.filter(({ cells }) => names.some((name) => cells[name]));
  return [
    line(["a model that …", "should (fewest requests)", ...names]),
    line(names.concat("", "").map(() => "---")),
    ...shownRows.map(({ persona, fewestRequests, cells }) =>
      line([
        persona,
        fewestRequests === undefined ? "stop" : `finish (${fewestRequests})`,
        ...names.map((name) => shown(cells[name], whys)),
      ]),
    ),
    line([
      "**good**",
      "",
      ...totalsOf({ rows, systems })
        .filter(({ system }) => names.includes(system))
        .map(({ good, ran }) => (ran === 0 ? "–" : `**${good}/${ran}**`)),
    ]),
  ].join("\n");
}

/** What each system comes to. */
export interface Total {
  readonly system: string;
  readonly good: number;
  readonly ran: number;
  readonly finished: string;
  readonly falseClaims: number;
  readonly needlessNudges: number;
  /** Requests beyond the fewest, over what was finished. */
  readonly extraRequests: number;
  /** The most requests that it took to stop one that must be stopped. */
  readonly longestRunaway: number;
  /** Characters of what was added to the conversation, by each nudge. */
  readonly perNudge: number;
  /** Characters of the first request. */
  readonly opening: number;
  readonly faults: Readonly<Partial<Record<Verdict, number>>>;
}

export function totalsOf({ rows, systems }: Measured): readonly Total[] {
  return Object.keys(systems).map((system) => {
    const cells = rows.flatMap((row) => {
      const cell = row.cells[system];
      return cell && cell.status !== "not run" ? [{ row, cell }] : [];
    });
    const ran = cells.flatMap(({ row, cell }) => (cell.status === "ran" ? [{ row, cell }] : []));
    const able = cells.filter(({ row }) => row.fewestRequests !== undefined);
    const done = ran.filter(({ row, cell }) => row.fewestRequests !== undefined && cell.finished);
    const faults: Partial<Record<Verdict, number>> = {};
    for (const { cell } of cells) {
      const fault = faultOf(cell);
      faults[fault] = (faults[fault] ?? 0) + 1;
    }
    const { good = 0, ...others } = faults;
    const nudges = sum(ran.map(({ cell }) => cell.nudges));
    return {
      system,
      good,
      ran: cells.length,
      finished: `${done.length}/${able.length}`,
      falseClaims: others["false claim"] ?? 0,
      needlessNudges: sum(ran.map(({ row, cell }) => needless(row, cell))),
      extraRequests: sum(done.map(({ row, cell }) => cell.requests - (row.fewestRequests ?? 0) - (cell.besides ?? 0))),
      longestRunaway: Math.max(0, ...ran.filter(({ row }) => row.kind === "runaway").map(({ cell }) => cell.requests)),
      perNudge: nudges === 0 ? 0 : Math.round(sum(ran.map(({ cell }) => cell.added)) / nudges),
      opening: ran.length === 0 ? 0 : Math.round(median(ran.map(({ cell }) => cell.opening))),
      faults: others,
    };
  });
}

/** A cell that differs is judged by its worst play. */
function faultOf(cell: ResultCell): Verdict {
  const order = Object.keys(VERDICTS) as Verdict[];
  return [cell.verdict, ...differing(cell)].sort((a, b) => order.indexOf(a) - order.indexOf(b))[0]!;
}

function needless({ persona: name }: ResultRow, cell: Ran): number {
  const persona = PERSONAS.find((each) => each.name === name);
  return persona ? needlessNudges(persona, cell) : 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** The totals with their columns, short enough for a front page. */
export function summary(results: Measured): string {
  return [
    line([
      "system",
      "good",
      "finished what can be finished",
      "claims that are false",
      "needless nudges",
      "requests beyond the fewest",
      "longest runaway",
    ]),
    line(Array(7).fill("---")),
    ...totalsOf(results)
      .filter(({ ran }) => ran > 0)
      .map((total) =>
        line([
          total.system,
          `${total.good}/${total.ran}`,
          total.finished,
          `${total.falseClaims}`,
          `${total.needlessNudges}`,
          `${total.extraRequests}`,
          total.longestRunaway > RUNAWAY ? `> ${RUNAWAY}` : `${total.longestRunaway}`,
        ]),
      ),
  ].join("\n");
}

const CHARACTERS_A_TOKEN = 4;
const tokens = (characters: number): string => `${Math.round(characters / CHARACTERS_A_TOKEN)}`;

/** What each system adds to the conversation, and what it takes, beside its host alone. */
export function costs({ rows, systems, costs: measured = [] }: Results): string {
  const known = totalsOf({ rows, systems }).filter(({ ran }) => ran > 0);
  return [
    line(["system", "tokens of a request before any work", "tokens a nudge", "seconds", "peak memory, MiB"]),
    line(Array(5).fill("---")),
    ...known.map(({ system, opening, perNudge }) => {
      const cost = measured.find((each) => each.system === system);
      const floor = measured.find((each) => each.beside === system);
      const ms = cost?.ms ?? floor?.besideMs;
      const memory = cost?.memory ?? floor?.besideMemory;
      return line([
        system,
        tokens(opening),
        perNudge === 0 ? "–" : tokens(perNudge),
        ms === undefined ? "not measured" : (ms / 1000).toFixed(1),
        memory === undefined ? "not measured" : memory.toFixed(0),
      ]);
    }),
  ].join("\n");
}

/** Which cells are not the same when they are played again. */
export function differences({ rows }: Pick<Results, "rows">): string {
  const all = rows.flatMap(({ persona, cells }) =>
    Object.entries(cells).map(([system, cell]) => ({ persona, system, cell })),
  );
  const twice = all.filter(({ cell }) => cell.status !== "not run" && cell.plays.length > 1);
  const different = twice.filter(({ cell }) => differing(cell).length > 0);
  const list = different.map(
    ({ persona, system, cell }) =>
      `- ${persona} · ${system}: ${cell.plays.map(({ verdict, reason = "" }) => `${verdict} ${reason}`.trim()).join(", then ")}`,
  );
  return [
    `${twice.length} cells were played at least twice; ${different.length || "none"} came to another verdict.`,
    ...list,
  ].join("\n");
}

export function shown(cell: ResultCell | undefined, whys: string[]): string {
  if (cell === undefined) return noted("is played with --full", whys);
  if (cell.status === "not run") return noted(cell.why, whys);
  const different = differing(cell);
  if (different.length > 0) return `≠ ${different.join(", ")}`;
  if (cell.status === "no end") return `⧖ no end in ${Math.round(cell.afterMs / 1000)} s`;
  const requests = cell.requests > RUNAWAY ? `> ${RUNAWAY}` : `${cell.requests}`;
  if (cell.verdict === "good") return `✓ ${cell.reason} (${requests})`;
  return `✗ ${cell.verdict}: ${cell.reason} (${requests})`;
}

function noted(why: string, whys: string[]): string {
  if (!whys.includes(why)) whys.push(why);
  return `– [${whys.indexOf(why) + 1}]`;
}

export const legend = (): string =>
  Object.entries(VERDICTS)
    .map(([name, says]) => `- **${name}**: ${says}`)
    .join("\n");

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
