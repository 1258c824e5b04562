import type { Repeated, Repeats } from "../checks/index.ts";
import type { ProofCase } from "../core/proof/index.ts";
import { redact } from "../core/secret/index.ts";
import { clipLine } from "../core/text/index.ts";
import type { Io } from "./io.ts";
import { jsonText } from "./json.ts";
import { styleOf } from "./style.ts";

interface Request {
  readonly run: string;
  readonly cases: readonly ProofCase[];
  readonly cwd: string;
  readonly prefix?: string;
  readonly checks: Repeats;
  readonly isJson: boolean;
}

/** One after the other, each said when it is known. Resolves with the exit code: 0 only if all are reproduced. */
export async function repeatAll({ run, cases, cwd, prefix, checks, isJson }: Request, io: Io): Promise<number> {
  io.works();
  const results: (readonly [ProofCase, Outcome])[] = [];
  const known = new Map<string, Outcome>();
  if (!isJson) io.out(heading(run, cases));
  for (const each of cases) {
    const outcome = known.get(identity(each)) ?? (await repeated(each));
    if (io.signal.aborted) {
      io.err(`Stopped by you: ${results.length} of ${receipts(cases.length)} verified.`);
      return Number(io.signal.reason) || 130;
    }
    known.set(identity(each), outcome);
    results.push([each, outcome]);
    if (!isJson) for (const line of linesOf(each, outcome, io)) io.out(line);
  }
  const good = results.filter(([, { status }]) => status === "reproduced").length;
  if (isJson) io.out(jsonText({ run, reproduced: good === cases.length, receipts: results.map(asJson) }));
  else for (const line of ending(results, good)) io.out(line);
  return good === cases.length ? 0 : 1;

  async function repeated({ receipt, check, declared }: ProofCase): Promise<Outcome> {
    if (receipt.status === "observed")
      return { status: "no_proof", problem: "the agent ran it itself, which proves nothing" };
    if (receipt.status !== "passed")
      return { status: "no_proof", problem: `it ${receipt.status.replace("_", " ")} when it ran` };
    if (!check) return { status: "no_proof", problem: "the log does not name its check" };
    return checks.repeat({ cwd, ...(prefix !== undefined && { prefix }), receipt, check, declared }, io.signal);
  }
}

type Outcome = Repeated | { readonly status: "no_proof"; readonly problem: string };

/** Checks that stand for several todos were judged once. */
const identity = ({ receipt: { proof, status, suspect, tail }, check, declared }: ProofCase): string =>
  JSON.stringify([check?.run, check?.cwd, check?.timeoutMs, proof, status, suspect, tail, declared]);

function heading(run: string, cases: readonly ProofCase[]): string {
  const ids = (names: readonly (string | undefined)[]) =>
    [...new Set(names.flatMap((name) => (name === undefined ? [] : shortId(name))))].join(", ");
  const judges = ids(cases.map(({ receipt }) => receipt.proof?.judge));
  const products = ids(cases.map(({ receipt }) => receipt.proof?.tree));
  return `${run}: ${receipts(cases.length)}${judges === "" ? "" : `, judge ${judges}, product ${products}`}`;
}

/** `tree:<id>` */
const shortId = (name: string): string => (name.split(":")[1] ?? name).slice(0, 8);

const receipts = (count: number): string => `${count} ${count === 1 ? "receipt" : "receipts"}`;

function linesOf({ index, text, owner, receipt }: ProofCase, outcome: Outcome, io: Io): readonly string[] {
  const style = styleOf(io);
  const isGood = outcome.status === "reproduced";
  const who = index === undefined ? (owner === "run" ? "the run" : owner) : `[${index}] ${clipLine(text ?? "", 30)}`;
  const mark = isGood ? style.role("success", "✓") : style.role("error", "✗");
  const command = clipLine(redact(receipt.command), 50);
  const tail = outcome.status === "differs" ? outcome.tail.trimEnd().split("\n").slice(-TAIL_LINES) : [];
  const notes = "notes" in outcome ? outcome.notes : [];
  return [
    `${mark} ${who}: ${command} - ${says(outcome)}`,
    ...notes.map((note) => `    ${note}`),
    ...tail.filter((line) => line !== "").map((line) => `    | ${line}`),
  ];
}

const TAIL_LINES = 12;

function says(outcome: Outcome): string {
  switch (outcome.status) {
    case "reproduced":
      return outcome.ended === undefined
        ? "reproduced"
        : `reproduced: it fails in the room (${outcome.ended}), as recorded`;
    case "differs":
      return outcome.ended === undefined ? "not reproduced: it passes now" : `not reproduced: ${outcome.ended}`;
    case "in_place":
      return `ran in place, cannot be repeated here: ${outcome.problem}`;
    case "not_kept":
    case "not_believed":
    case "no_proof":
      return `not reproduced: ${outcome.problem}`;
    case "cut_short":
      return "not reproduced: cut short";
  }
}

function ending(results: readonly (readonly [ProofCase, Outcome])[], good: number): readonly string[] {
  const differs = [...new Set(results.flatMap(([, outcome]) => ("differs" in outcome ? outcome.differs : [])))];
  const shown = differs.slice(0, MOST_NAMES).join(", ");
  const more = differs.length > MOST_NAMES ? ` and ${differs.length - MOST_NAMES} more` : "";
  return [
    ...(differs.length > 0 ? [`The environment differs from the one of the run: ${shown}${more}.`] : []),
    good === results.length
      ? `${results.length === 1 ? "The receipt is" : `All ${results.length} receipts are`} reproduced.`
      : `${results.length - good} of ${receipts(results.length)} not reproduced.`,
  ];
}

const MOST_NAMES = 6;

function asJson([{ owner, index, text, receipt }, outcome]: readonly [ProofCase, Outcome]) {
  const { command, status, suspect, proof } = receipt;
  return { owner, todo: index, text, command: redact(command), recorded: { status, suspect, proof }, outcome };
}
