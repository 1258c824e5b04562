import { type Play, type ResultRow, type Results, worstPlay } from "./results.ts";
import { SHORT, table, tokens } from "./table.ts";
import { VERDICTS, type Yardstick } from "./verdict.ts";

interface Pair {
  readonly theirs: string;
  readonly ours: string;
  /** A host with tildone in it is seen by a person; `tildone run` answers with its own exit code. */
  readonly by: Yardstick;
}

interface Both {
  readonly persona: string;
  readonly theirs: Play;
  readonly ours: Play;
}

/** Where a system without tildone is as good as the same host with it, or better; from the cells that both have. */
export function comparison(results: Results): string {
  const pairs = pairsOf(results).map((pair) => ({ ...pair, both: bothOf(results.rows, pair) }));
  const rows = pairs.map(({ theirs, ours, by, both }) => {
    const isGood = (play: Play): boolean => play.verdicts[by] === "good";
    const hasCost = (play: Play): boolean => isGood(play) && play.status === "ran";
    const alike = both.filter((each) => hasCost(each.theirs) && hasCost(each.ours));
    return [
      theirs,
      ours,
      SHORT[by],
      `${goodOf(both, "theirs", by)} : ${goodOf(both, "ours", by)}`,
      `${both.filter((each) => isBetter(each, by)).length}`,
      `${both.filter(isSooner).length}`,
      `${tokens(sent(alike.map((each) => each.theirs)))} : ${tokens(sent(alike.map((each) => each.ours)))}`,
      ...costsOf(results, theirs, ours),
    ];
  });
  const asGood = pairs.flatMap(({ theirs, ours, by, both }) => {
    const [one, other] = [goodOf(both, "theirs", by), goodOf(both, "ours", by)];
    return both.length > 0 && one >= other ? [`${theirs} beside ${ours} by ${SHORT[by]} (${one} : ${other})`] : [];
  });
  const better = pairs.flatMap(({ theirs, ours, by, both }) =>
    both
      .filter((each) => isBetter(each, by))
      .map(
        (each) =>
          `- ${each.persona}, by ${SHORT[by]}: ${theirs} ${each.theirs.verdicts[by]}, ${ours} ${each.ours.verdicts[by]}`,
      ),
  );
  return [
    asGood.length > 0 ? `As good or better in total: ${asGood.join("; ")}.` : "In total, none is as good or better.",
    table(["system", "beside", "by", "good", "better", "stops sooner", "tokens sent", "seconds", "MiB"], rows),
    ...(better.length > 0 ? [`Better cells:\n\n${better.join("\n")}`] : []),
  ].join("\n\n");
}

/** Each system without tildone beside its host with tildone, and beside `tildone run` on that host. */
function pairsOf({ rows, systems }: Results): readonly Pair[] {
  const known = Object.entries(systems).filter(([name]) => rows.some(({ cells }) => cells[name]));
  return known.flatMap(([theirs, { family, isOurs }]) => {
    if (isOurs) return [];
    const ours = known.filter(([, other]) => other.isOurs && other.family === family);
    const seen = ours.find(([, { exitsForUs }]) => !exitsForUs)?.[0];
    const ran = ours.find(([, { exitsForUs }]) => exitsForUs)?.[0];
    return [
      ...(seen === undefined ? [] : [{ theirs, ours: seen, by: "person" as const }]),
      ...(seen === undefined ? [] : [{ theirs, ours: seen, by: "process" as const }]),
      ...(ran === undefined ? [] : [{ theirs, ours: ran, by: "process" as const }]),
    ];
  });
}

const bothOf = (rows: readonly ResultRow[], { theirs, ours, by }: Pair): readonly Both[] =>
  rows.flatMap(({ persona, cells }) => {
    const [one, other] = [cells[theirs], cells[ours]];
    if (!one || !other) return [];
    const both = { persona, theirs: worstPlay(one, by), ours: worstPlay(other, by) };
    return both.theirs.status === "not run" || both.ours.status === "not run" ? [] : [both];
  });

const goodOf = (both: readonly Both[], whose: "theirs" | "ours", by: Yardstick): number =>
  both.filter((each) => each[whose].verdicts[by] === "good").length;

const order = ({ verdicts }: Play, by: Yardstick): number => Object.keys(VERDICTS).indexOf(verdicts[by]);
const isBetter = ({ theirs, ours }: Both, by: Yardstick): boolean => order(theirs, by) > order(ours, by);

/** It let an endless model rest after fewer requests, whatever it said then. */
const isSooner = ({ theirs, ours }: Both): boolean =>
  theirs.status === "ran" && ours.status === "ran" && !ours.finished && theirs.requests < ours.requests;

const sent = (plays: readonly Play[]): number =>
  plays.reduce((sum, play) => sum + (play.status === "ran" ? play.sent : 0), 0);

function costsOf({ costs }: Results, theirs: string, ours: string): readonly [seconds: string, memory: string] {
  const known = costs?.systems.flatMap(({ system, beside, ms, besideMs, memory, besideMemory }) => [
    { name: system, ms, memory },
    { name: beside, ms: besideMs, memory: besideMemory },
  ]);
  const [one, other] = [theirs, ours].map((name) => known?.find((each) => each.name === name));
  if (!one || !other) return ["not measured", "not measured"];
  return [
    `${(one.ms / 1000).toFixed(1)} : ${(other.ms / 1000).toFixed(1)}`,
    `${one.memory.toFixed(0)} : ${other.memory.toFixed(0)}`,
  ];
}
