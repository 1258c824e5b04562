import { PERSONAS } from "../../src/testing/index.ts";
import { needlessNudges, RUNAWAY, VERDICTS, type Verdict } from "./cell.ts";
import type { ResultRow, Results } from "./results.ts";

type Shown = ResultRow["cells"][string];

/** One row a persona, one column a system; a cell that did not run says why. */
export function markdown({ rows, systems }: Results): string {
  const names = Object.keys(systems);
  const whys: string[] = [];
  const body = rows.map(({ persona, fewestRequests, cells }) =>
    line([
      persona,
      fewestRequests === undefined ? "stop" : `finish (${fewestRequests})`,
      ...names.map((name) => shown(cells[name], whys)),
    ]),
  );
  return [
    line(["a model that …", "should (fewest requests)", ...names]),
    line(names.concat("", "").map(() => "---")),
    ...body,
    totalsLine({ rows, systems }),
    "",
    "✓ finished, or stopped as it should, and truthfully reported; ✗ with what is wrong. In brackets: model requests.",
    ...whys.map((why, at) => `\\[${at + 1}] ${why}  `),
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
  readonly faults: Readonly<Partial<Record<Verdict, number>>>;
}

export function totalsOf({ rows, systems }: Pick<Results, "rows" | "systems">): readonly Total[] {
  return Object.keys(systems).map((system) => {
    const cells = rows.flatMap((row) => {
      const cell = row.cells[system];
      return cell && cell.status !== "not run" ? [{ row, cell }] : [];
    });
    const able = cells.filter(({ row }) => row.fewestRequests !== undefined);
    const faults: Partial<Record<Verdict, number>> = {};
    for (const { cell } of cells) faults[cell.verdict] = (faults[cell.verdict] ?? 0) + 1;
    const { good = 0, ...others } = faults;
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    const done = able.filter(({ cell }) => cell.status === "ran" && cell.finished);
    return {
      system,
      good,
      ran: cells.length,
      finished: `${done.length}/${able.length}`,
      falseClaims: others["false claim"] ?? 0,
      needlessNudges: sum(
        cells.map(({ row, cell }) => {
          const persona = PERSONAS.find(({ name }) => name === row.persona);
          return persona && cell.status === "ran" ? needlessNudges(persona, cell) : 0;
        }),
      ),
      extraRequests: sum(
        done.map(({ row, cell }) => (cell.status === "ran" ? cell.requests - (row.fewestRequests ?? 0) : 0)),
      ),
      faults: others,
    };
  });
}

/** The totals with their columns, short enough for a front page. */
export function summary(results: Results): string {
  const totals = totalsOf(results);
  return [
    line([
      "system",
      "good",
      "finished what can be finished",
      "claims that are false",
      "needless nudges",
      "requests beyond the fewest",
    ]),
    line(Array(6).fill("---")),
    ...totals.map((total) =>
      line([
        total.system,
        total.ran === 0 ? "not run" : `${total.good}/${total.ran}`,
        total.finished,
        `${total.falseClaims}`,
        `${total.needlessNudges}`,
        `${total.extraRequests}`,
      ]),
    ),
  ].join("\n");
}

export function totalsLine(results: Pick<Results, "rows" | "systems">): string {
  return line(["**good**", "", ...totalsOf(results).map(({ good, ran }) => (ran === 0 ? "–" : `**${good}/${ran}**`))]);
}

export function shown(cell: Shown | undefined, whys: string[]): string {
  if (cell === undefined) return noted("was not asked for in this run", whys);
  if (cell.status === "not run") return noted(cell.why, whys);
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
