import { checkKey, commandLine, type OwnedCheck } from "../core/continuation/index.ts";
import type { Receipt } from "../core/run/index.ts";
import { redact, type Secret, secretsOf } from "../core/secret/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Checks, Clock, Workspace } from "../engine/index.ts";
import { confine } from "./confine.ts";
import { createOutputTail, type OutputTail } from "./output-tail.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";

export interface ChecksPorts {
  readonly clock: Clock;
  /** What the commands are given; the values of its secrets are taken out of what they print. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace?: Workspace;
  /** For checks that name none. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 2000;
const TAIL_BYTES = 8192;
/** Kept before the tail, so that a key which begins there is still recognised whole. */
const LEAD_BYTES = 8192;

/**
 * Runs rounds of checks in the run's directory. The same command asked for twice in a round runs once. The workspace is
 * observed once, after the last: what the round itself wrote does not make its receipts stale.
 */
export function createChecks({ clock, env, workspace, timeoutMs = TIMEOUT_MS }: ChecksPorts): Checks {
  const secrets = secretsOf(env);

  return {
    async run({ run, checks }, signal) {
      const results = new Map<string, Result>();
      for (const { check } of checks) {
        if (signal.aborted) break;
        const id = identity(check);
        if (!results.has(id)) results.set(id, await perform(check, run.origin.cwd, signal));
      }
      const state = signal.aborted ? undefined : await workspace?.observe(run.origin.cwd);
      return checks.flatMap((owned) => {
        const result = results.get(identity(owned.check));
        return result ? [receiptOf(owned, result, state)] : [];
      });
    },
  };

  async function perform(check: Check, root: string, signal: AbortSignal): Promise<Result> {
    const at = clock.now();
    const output = createOutputTail(TAIL_BYTES + LEAD_BYTES);
    const end = await carryOut(check, root, output, signal);
    const problem = end.status === "not_started" ? `${end.problem}\n` : "";
    return { end, at, durationMs: clock.now() - at, digest: output.digest(), tail: problem + ending(output, secrets) };
  }

  async function carryOut(check: Check, root: string, output: OutputTail, signal: AbortSignal): Promise<CommandEnd> {
    const place = confine(root, check.cwd);
    if (place.status !== "inside") return { status: "not_started", problem: place.problem };
    const [file, ...args] = typeof check.run === "string" ? ["/bin/sh", "-c", check.run] : check.run;
    if (file === undefined || file === "") return { status: "not_started", problem: "The check names no command." };
    const command = { file, args, cwd: place.path, env, timeoutMs: check.timeoutMs ?? timeoutMs, graceMs: GRACE_MS };
    return runCommand(command, output, clock, signal);
  }
}

interface Result {
  readonly end: CommandEnd;
  readonly at: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly tail: string;
}

const identity = ({ run, cwd, timeoutMs }: Check): string => JSON.stringify([run, cwd, timeoutMs]);

function receiptOf({ owner, check }: OwnedCheck, result: Result, workspace: string | undefined): Receipt {
  const { end, at, durationMs, digest, tail } = result;
  return {
    key: checkKey(owner, check),
    owner,
    command: commandLine(check),
    status: statusOf(check, end),
    ...(end.status === "exited" && { exit: end.exit }),
    durationMs,
    ...(workspace !== undefined && { workspace }),
    digest,
    tail,
    askedBy: check.by,
    suspect: false,
    at,
  };
}

/** With 127 a shell says that there is no such command, with 126 that it cannot be run: nothing was tried. */
function statusOf({ run }: Check, end: CommandEnd): Receipt["status"] {
  switch (end.status) {
    case "exited":
      if (end.exit === 0) return "passed";
      return typeof run === "string" && (end.exit === 126 || end.exit === 127) ? "not_runnable" : "failed";
    case "killed":
      return "failed";
    case "not_started":
      return "not_runnable";
    case "timed_out":
    case "cut_short":
      return end.status;
  }
}

/** Redacted before it is cut: half a key has no shape. */
function ending(output: OutputTail, secrets: readonly Secret[]): string {
  const text = redact(output.text().replace(ESCAPES, ""), secrets).toWellFormed();
  const bytes = Buffer.from(text);
  if (output.dropped === 0 && bytes.length <= TAIL_BYTES) return text;
  const tail = createOutputTail(TAIL_BYTES - CUT.length);
  tail.add(bytes);
  return CUT + tail.text();
}

const CUT = "[...]\n";
/** Colours and cursor movements mean nothing in a log, and could split a key in two. */
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
