import { tmpdir } from "node:os";
import { checkKey, commandLine, type OwnedCheck } from "../core/continuation/index.ts";
import type { Receipt, Run } from "../core/run/index.ts";
import { redact, type Secret, secretsOf } from "../core/secret/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Checks, Clock, Workspace } from "../engine/index.ts";
import type { ProcessGroups } from "../machine/index.ts";
import { createGuards } from "./guard/create-guards.ts";
import { type Doubt, secondLook } from "./guard/second-look.ts";
import { insideProject } from "./inside-project.ts";
import { createOutputTail, type OutputTail } from "./output-tail.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";
import { createGit } from "./workspace/git.ts";

export interface ChecksPorts {
  readonly clock: Clock;
  /** What the commands are given; the values of its secrets are taken out of what they print. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace?: Workspace;
  /** For checks that name none. */
  readonly timeoutMs?: number;
  readonly tailBytes?: number;
  readonly groups?: ProcessGroups;
  /** Without it nothing is protected and nothing is ever suspect. */
  readonly guard?: {
    readonly directory: string;
    readonly protect: readonly string[];
    /** Where copies of the project are made; the system's folder for such things unless said otherwise. */
    readonly scratch?: string;
  };
}

const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 2000;
const GIT_MS = 30_000;
const TAIL_BYTES = 8192;
/** Kept before the tail, so that a key which begins there is still recognised whole. */
const LEAD_BYTES = 8192;

/**
 * Runs rounds of checks in the run's directory. The same command asked for twice in a round runs once. The workspace is
 * observed once, after the last: what the round itself wrote does not make its receipts stale.
 */
export function createChecks(ports: ChecksPorts): Checks {
  const { clock, env, workspace, timeoutMs = TIMEOUT_MS, tailBytes = TAIL_BYTES } = ports;
  const secrets = secretsOf(env);
  const git = createGit({ clock, env, timeoutMs: GIT_MS });
  const guards = ports.guard && createGuards({ git, clock, ...ports.guard });

  return {
    async run({ run, checks }, signal) {
      const results = new Map<string, Result>();
      for (const { check } of checks) {
        if (signal.aborted) break;
        const id = identity(check);
        if (!results.has(id)) results.set(id, await perform(check, run.origin.cwd, signal));
      }
      const state = signal.aborted ? undefined : await workspace?.observe(run.origin.cwd);
      const doubts = signal.aborted ? NO_DOUBTS : await lookAgain(run, checks.filter(hasPassed(results)), signal);
      return checks.flatMap((owned) => {
        const result = results.get(identity(owned.check));
        return result ? [receiptOf(owned, result, state, doubts.get(owned))] : [];
      });
    },
    guard: async (request) => guards?.take(request),
  };

  async function lookAgain(run: Run, passed: readonly OwnedCheck[], signal: AbortSignal) {
    if (!guards) return NO_DOUBTS;
    const tryIn = async (check: Check, root: string) => sayEnd((await perform(check, root, signal)).end);
    return secondLook({ git, guards, scratch: ports.guard?.scratch ?? tmpdir(), tryIn }, run, passed, signal);
  }

  async function perform(check: Check, root: string, signal: AbortSignal): Promise<Result> {
    const at = clock.now();
    const output = createOutputTail(tailBytes + LEAD_BYTES);
    const end = await carryOut(check, root, output, signal);
    const problem = end.status === "not_started" ? `${end.problem}\n` : "";
    const tail = problem + ending(output, tailBytes, secrets);
    return { end, at, durationMs: clock.now() - at, digest: output.digest(), tail };
  }

  async function carryOut(check: Check, root: string, output: OutputTail, signal: AbortSignal): Promise<CommandEnd> {
    const place = insideProject(root, check.cwd);
    if (place.status !== "inside") return { status: "not_started", problem: place.problem };
    const [file, ...args] = typeof check.run === "string" ? ["/bin/sh", "-c", check.run] : check.run;
    if (file === undefined || file === "") return { status: "not_started", problem: "The check names no command." };
    const command = {
      file,
      args,
      cwd: place.path,
      env,
      timeoutMs: check.timeoutMs ?? timeoutMs,
      graceMs: GRACE_MS,
      groups: ports.groups,
    };
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

const NO_DOUBTS: ReadonlyMap<OwnedCheck, Doubt> = new Map();

const identity = ({ run, cwd, timeoutMs }: Check): string => JSON.stringify([run, cwd, timeoutMs]);

const hasPassed =
  (results: ReadonlyMap<string, Result>) =>
  ({ check }: OwnedCheck): boolean => {
    const end = results.get(identity(check))?.end;
    return end?.status === "exited" && end.exit === 0;
  };

/** Undefined: it passed. */
function sayEnd(end: CommandEnd): string | undefined {
  if (end.status !== "exited") return end.status.replace("_", " ");
  return end.exit === 0 ? undefined : `exit ${end.exit}`;
}

function receiptOf(
  { owner, check }: OwnedCheck,
  { end, at, durationMs, digest, tail }: Result,
  workspace: string | undefined,
  doubt: Doubt | undefined,
): Receipt {
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
    ...doubt,
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
function ending(output: OutputTail, atMost: number, secrets: readonly Secret[]): string {
  const text = redact(output.text().replace(ESCAPES, ""), secrets).toWellFormed();
  const bytes = Buffer.from(text);
  if (output.dropped === 0 && bytes.length <= atMost) return text;
  const tail = createOutputTail(atMost - CUT.length);
  tail.add(bytes);
  return CUT + tail.text();
}

const CUT = "[...]\n";
/** Colours and cursor movements mean nothing in a log, and could split a key in two. */
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
