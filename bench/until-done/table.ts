import type { Persona } from "../../src/testing/index.ts";
import { type Cell, canFinish, fewestRequests, verdict } from "./cell.ts";

export interface Played {
  readonly persona: Persona;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** One row a persona, one column a system; a cell that did not run says why. */
export function markdown(rows: readonly Played[], systems: readonly string[]): string {
  const whys: string[] = [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const body = rows.map(({ persona, cells }) =>
    line([
      persona.name,
      canFinish(persona) ? `finish (${fewestRequests(persona)})` : "stop",
      ...systems.map((name) => shown(persona, cells[name]!, whys)),
    ]),
  );
  const totals = line([
    "**good**",
    "",
    ...systems.map((name) => {
      const ran = rows.filter(({ cells }) => cells[name]!.status === "ran");
      const good = ran.filter(({ persona, cells }) => verdict(persona, cells[name]!) === "good");
      return `**${good.length}/${ran.length}**`;
    }),
  ]);
  return [
    line(["persona", "should (fewest requests)", ...systems]),
    line(["---", "---", ...systems.map(() => "---")]),
    ...body,
    totals,
    "",
    "✓ finished, or stopped as it should, and truthfully reported; ✗ not. Numbers are model requests.",
    ...whys.map((why, at) => `[${at + 1}] not run: ${why}`),
  ].join("\n");
}

function shown(persona: Persona, cell: Cell, whys: string[]): string {
  if (cell.status === "not run") {
    if (!whys.includes(cell.why)) whys.push(cell.why);
    return `– [${whys.indexOf(cell.why) + 1}]`;
  }
  const mark = verdict(persona, cell) === "good" ? "✓" : "✗";
  return `${mark} ${cell.reason} (${cell.requests})`;
}
