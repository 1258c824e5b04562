import type { Ran } from "./cell.ts";
import { type Due, PATIENCE } from "./requests-due.ts";
import { differing, type ResultCell, type ResultRow, type Results, worstPlay } from "./results.ts";
import { type Measured, totalsOf } from "./totals.ts";
import { EACH_YARDSTICK, RUNAWAY, type Verdicts } from "./verdict.ts";

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
  const good = EACH_YARDSTICK.map((by) => totalsOf({ rows, systems }, by));
  const goodOf = (name: string): string => {
    const totals = good.flatMap((each) => each.filter(({ system, ran }) => system === name && ran > 0));
    return totals.length === 0 ? "–" : `**${totals.map((each) => each.good).join(" · ")}** of ${totals[0]!.ran}`;
  };
  return table(
    ["a model that …", "should", ...names],
    [
      ...shownRows.map(({ persona, due, cells }) => [
        persona,
        asDue(due),
        ...names.map((name) => shown(cells[name], whys)),
      ]),
      ["**good by exit code · by what you see · by the files**", "", ...names.map(goodOf)],
    ],
  );
}

function asDue({ fewest, earlyStops, most }: Due): string {
  if (fewest !== undefined) return `finish (${fewest}${earlyStops ? ` + ${earlyStops}` : ""})`;
  return most === undefined ? "stop" : `stop (${most})`;
}

export const SIGNS =
  "✓ good by every yardstick; ✗ with what is wrong, and by which; ⧖ had not ended: it rests, or still works; ≠ not the same twice; – was not run, and why.";

export function shown(cell: ResultCell | undefined, whys: string[]): string {
  if (cell === undefined) return noted("is played with --full", whys);
  const play = worstPlay(cell, "person");
  if (play.status === "not run") return noted(play.why, whys);
  const different = differing(cell);
  if (different.length > 0) return `≠ ${different.join(", ")}`;
  const requests = play.requests > RUNAWAY ? `> ${RUNAWAY}` : `${play.requests}`;
  const words = play.status === "no end" ? `⧖ ${play.still} after ${Math.round(play.afterMs / 1000)} s` : wordsOf(play);
  const faults = faultsOf(play.verdicts);
  return `${faults === "" ? "✓" : `✗ ${faults}:`} ${words} (${requests})`;
}

/** What a play says of itself: tildone's reason or the system's own list, and the exit code where that is not in it. */
export function wordsOf({ shows, exit }: Pick<Ran, "shows" | "exit">): string {
  const ended = exit === null ? "killed" : `exit ${exit}`;
  if (shows === undefined) return ended;
  return shows.words.includes(ended) ? shows.words : `${shows.words}, ${ended}`;
}

/** "false claim" where all say so; "false claim by exit code" where one does. */
function faultsOf(verdicts: Verdicts): string {
  const faults = [...new Set(EACH_YARDSTICK.map((by) => verdicts[by]))].filter((each) => each !== "good");
  return faults
    .map((fault) => {
      const by = EACH_YARDSTICK.filter((each) => verdicts[each] === fault);
      return by.length === EACH_YARDSTICK.length ? fault : `${fault} by ${by.map((each) => SHORT[each]).join(" and ")}`;
    })
    .join(", ");
}

export const SHORT = { process: "exit code", person: "what you see", files: "files" } as const;

function noted(why: string, whys: string[]): string {
  if (!whys.includes(why)) whys.push(why);
  return `– [${whys.indexOf(why) + 1}]`;
}

/** The totals with their columns, short enough for a front page: everybody by the same three yardsticks. */
export function summary(results: Measured): string {
  const [process, person, files] = EACH_YARDSTICK.map((by) => totalsOf(results, by)) as [Totals, Totals, Totals];
  return table(
    [
      "system",
      "by exit code",
      "by what you see",
      "by the files",
      "finished",
      "stopped",
      "false exits",
      "nudges",
      "extra",
    ],
    files.flatMap((total, at) =>
      total.ran === 0
        ? []
        : [
            [
              total.system,
              `${process[at]!.good}/${total.ran}`,
              `${person[at]!.good}/${total.ran}`,
              `${total.good}/${total.ran}`,
              total.finished,
              total.stopped,
              `${process[at]!.falseClaims}`,
              `${total.needlessNudges}`,
              `${total.requestsTooMany}`,
            ],
          ],
    ),
  );
}
type Totals = ReturnType<typeof totalsOf>;

export const SUMMARY_LEGEND = `Good cells of those that ran, everybody by the same three yardsticks; not every system has the same cells.

- **by exit code**: what a script sees. **by what you see**: tildone's verdict, or the system's own todo list beside its exit code.
  **by the files**: without asking what is claimed.
- **finished**, **stopped**: of what can be finished and of what must be stopped. A process that rests has stopped.
- **false exits**: exit code 0, and not done. **nudges**: told to continue where it should not. **extra**: requests beyond those that
  the work and its early stops need, or more than ${PATIENCE} for a model that gets nowhere.`;

const CHARACTERS_A_TOKEN = 4;
export const tokens = (characters: number): string => `${Math.round(characters / CHARACTERS_A_TOKEN)}`;

/** What each system adds to the conversation, and what it takes, beside its host alone. */
export function costs({ rows, systems, costs: measured }: Results): string {
  const known = totalsOf({ rows, systems }, "files").filter(({ ran }) => ran > 0);
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

/** What each persona calls for, for a reader who wants to count. */
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
