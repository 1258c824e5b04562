import type { Due } from "./requests-due.ts";
import { differing, type ResultCell, type ResultRow, type Results, worstPlay } from "./results.ts";
import { type Measured, totalsOf } from "./totals.ts";
import { RUNAWAY } from "./verdict.ts";

/** A table for each host: one row a persona, one column a system. A cell that did not run says why. */
export function markdown({ rows, systems }: Measured): string {
  const whys: string[] = [];
  const families = [...new Set(Object.values(systems).map(({ family }) => family))];
  const tables = families.map((family) => {
    const own = Object.fromEntries(Object.entries(systems).filter(([, { family: of }]) => of === family));
    return familyTable({ rows, systems: own }, whys);
  });
  return [
    ...tables.filter((each) => each !== ""),
    ...(whys.length > 0 ? [whys.map((why, at) => `\\[${at + 1}] ${why}  `).join("\n")] : []),
  ].join("\n\n");
}

function familyTable({ rows, systems }: Measured, whys: string[]): string {
  const names = Object.keys(systems).filter((name) => rows.some(({ cells }) => cells[name]));
  if (names.length === 0) return "";
  const shownRows = rows.filter(({ cells }) => names.some((name) => cells[name]));
  const totals = totalsOf({ rows, systems }).filter(({ system }) => names.includes(system));
  return table(
    ["a model that …", "should", ...names],
    [
      ...shownRows.map(({ persona, due, cells }) => [
        persona,
        asDue(due),
        ...names.map((name) => shown(cells[name], whys)),
      ]),
      ["**good**", "", ...totals.map(({ good, ran }) => (ran === 0 ? "–" : `**${good}/${ran}**`))],
    ],
  );
}

function asDue({ fewest, earlyStops, most }: Due): string {
  if (fewest !== undefined) return `finish (${fewest}${earlyStops ? ` + ${earlyStops}` : ""})`;
  return most === undefined ? "stop" : `stop (${most})`;
}

export const SIGNS =
  "✓ finished, or stopped as it should, and truthfully reported; ✗ with what is wrong; ⧖ had not ended, and still works or only rests; ≠ not the same twice; – was not run, and why.";

export function shown(cell: ResultCell | undefined, whys: string[]): string {
  if (cell === undefined) return noted("is played with --full", whys);
  const play = worstPlay(cell);
  if (play.status === "not run") return noted(play.why, whys);
  const different = differing(cell);
  if (different.length > 0) return `≠ ${different.join(", ")}`;
  const requests = play.requests > RUNAWAY ? `> ${RUNAWAY}` : `${play.requests}`;
  if (play.status === "no end") return `⧖ ${play.still} after ${Math.round(play.afterMs / 1000)} s (${requests})`;
  if (play.verdict === "good") return `✓ ${play.reason} (${requests})`;
  return `✗ ${play.verdict}: ${play.reason} (${requests})`;
}

function noted(why: string, whys: string[]): string {
  if (!whys.includes(why)) whys.push(why);
  return `– [${whys.indexOf(why) + 1}]`;
}

/** The totals with their columns, short enough for a front page. */
export const summary = (results: Measured): string =>
  table(
    ["system", "good", "finished", "stopped", "false claims", "nudges", "extra", "runaway"],
    totalsOf(results)
      .filter(({ ran }) => ran > 0)
      .map((total) => [
        total.system,
        `${total.good}/${total.ran}`,
        total.finished,
        total.stopped,
        `${total.falseClaims}`,
        `${total.needlessNudges}`,
        `${total.requestsTooMany}`,
        total.longestRunaway > RUNAWAY ? `> ${RUNAWAY}` : `${total.longestRunaway}`,
      ]),
  );

export const SUMMARY_LEGEND = `- **good**: finished, or stopped as it should, and truthfully reported; of the cells that ran. Not every system has the same cells.
- **finished**, **stopped**: of what can be finished and of what must be stopped, whatever is said about it.
- **false claims**: said to be done, and not done. **nudges**: sent on where it should have been left alone.
- **extra**: requests beyond those that the work and its early stops call for. **runaway**: requests until the longest was stopped.`;

const CHARACTERS_A_TOKEN = 4;
export const tokens = (characters: number): string => `${Math.round(characters / CHARACTERS_A_TOKEN)}`;

/** What each system adds to the conversation, and what it takes, beside its host alone. */
export function costs({ rows, systems, costs: measured }: Results): string {
  const known = totalsOf({ rows, systems }).filter(({ ran }) => ran > 0);
  return table(
    ["system", "tokens before any work", "tokens a nudge", "seconds", "peak memory, MiB"],
    known.map(({ system, opening, perNudge }) => {
      const cost = measured?.systems.find((each) => each.system === system);
      const floor = measured?.systems.find((each) => each.beside === system);
      const ms = cost?.ms ?? floor?.besideMs;
      const memory = cost?.memory ?? floor?.besideMemory;
      return [
        system,
        tokens(opening),
        perNudge === 0 ? "–" : tokens(perNudge),
        ms === undefined ? "not measured" : (ms / 1000).toFixed(1),
        memory === undefined ? "not measured" : memory.toFixed(0),
      ];
    }),
  );
}

/** What each persona calls for, for whoever wants to count. */
export const dueTable = (rows: readonly ResultRow[]): string =>
  table(
    ["a model that …", "answers that work", "early stops", "most requests"],
    rows.map(({ persona, due: { fewest, earlyStops, most } }) => [
      persona,
      fewest === undefined ? "–" : `${fewest}`,
      earlyStops === undefined ? "–" : `${earlyStops}`,
      most === undefined ? "as the host retries" : `${most}`,
    ]),
  );

/** In Markdown. */
export const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
