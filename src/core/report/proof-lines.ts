import type { CheckView } from "../view/index.ts";
import { beforeText } from "../words/index.ts";
import type { Report } from "./report.ts";

/** What proves a todo or the run, and the command by which a reviewer repeats it. */
export interface ProofLine {
  readonly who: string;
  readonly command: string;
  readonly says: string;
  readonly repeat: string;
}

export const proofLines = ({ run, todos, checks }: Report): readonly ProofLine[] => [
  ...todos.flatMap(({ index, checks: own }) =>
    own.flatMap((check) => lineOf(check, `todo ${index}`, `tildone verify ${run} --todo ${index}`)),
  ),
  ...checks.flatMap((check) => lineOf(check, "the run", `tildone verify ${run}`)),
];

function lineOf(
  { command, result, suspect, judged, before }: CheckView,
  who: string,
  repeat: string,
): readonly ProofLine[] {
  if (result !== "passed" || suspect || judged === undefined) return [];
  const passed = judged === "room" ? "passed in a clean room" : "passed in the project";
  return [
    { who, command, says: before === undefined ? passed : `${passed}; ${beforeText({ status: before })}`, repeat },
  ];
}
