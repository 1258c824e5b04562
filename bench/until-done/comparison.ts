import { type Play, type ResultRow, type Results, worstPlay } from "./results.ts";
import { table, tokens } from "./table.ts";
import { VERDICTS } from "./verdict.ts";

interface Both {
  readonly persona: string;
  readonly theirs: Play;
  readonly ours: Play;
}

/** Where a system without tildone is as good as the same host with it, or better; from the cells that both have. */
export function comparison(results: Results): string {
  const pairs = rivalsOf(results).map(([theirs, ours]) => ({ theirs, ours, both: bothOf(results.rows, theirs, ours) }));
  const rows = pairs.map(({ theirs, ours, both }) => {
    const alike = both.filter((each) => isGood(each.theirs) && isGood(each.ours));
    return [
      theirs,
      ours,
      `${alike.length}`,
      `${both.filter((each) => order(each.theirs) > order(each.ours)).length}`,
      `${both.filter(isSooner).length}`,
      `${tokens(sent(alike.map((each) => each.theirs)))} : ${tokens(sent(alike.map((each) => each.ours)))}`,
      ...costsOf(results, theirs, ours),
    ];
  });
  const better = pairs.flatMap(({ theirs, ours, both }) =>
    both
      .filter((each) => order(each.theirs) > order(each.ours))
      .map((each) => `- ${each.persona}: ${theirs} ${each.theirs.verdict}, ${ours} ${each.ours.verdict}`),
  );
  return [
    table(["system", "beside", "both good", "better", "stops sooner", "tokens sent", "seconds", "MiB"], rows),
    ...(better.length > 0 ? [`Better cells:\n\n${better.join("\n")}`] : []),
  ].join("\n\n");
}

/** Each system without tildone beside its host with tildone. */
function rivalsOf({ rows, systems }: Results): readonly (readonly [theirs: string, ours: string])[] {
  const isPlayed = (name: string) => rows.some(({ cells }) => cells[name]);
  const known = Object.entries(systems).filter(([name]) => isPlayed(name));
  return known.flatMap(([name, { family, isOurs }]) => {
    const ours = known.find(([, other]) => other.isOurs && other.family === family)?.[0];
    return isOurs || ours === undefined ? [] : [[name, ours] as const];
  });
}

const bothOf = (rows: readonly ResultRow[], theirs: string, ours: string): readonly Both[] =>
  rows.flatMap(({ persona, cells }) => {
    const [one, other] = [cells[theirs], cells[ours]];
    if (!one || !other) return [];
    const both = { persona, theirs: worstPlay(one), ours: worstPlay(other) };
    return both.theirs.status === "not run" || both.ours.status === "not run" ? [] : [both];
  });

const isGood = ({ verdict }: Play): boolean => verdict === "good";
const order = ({ verdict }: Play): number => Object.keys(VERDICTS).indexOf(verdict);

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
