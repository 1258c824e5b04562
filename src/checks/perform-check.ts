import { redact, type Secret, secretsOf } from "../core/secret/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Clock } from "../engine/index.ts";
import type { ProcessGroups } from "../machine/index.ts";
import type { Result } from "./check-result.ts";
import { insideProject } from "./inside-project.ts";
import { createOutputTail, type OutputTail } from "./output-tail.ts";
import { type Keeper, keepInside } from "./room/keep-inside.ts";
import type { RoomRun } from "./room/room-ports.ts";
import { type Command, runCommand } from "./run-command.ts";

export interface PerformPorts {
  readonly clock: Clock;
  /** The values of its secrets are taken out of what a check prints. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For checks that name none. */
  readonly timeoutMs?: number;
  readonly tailBytes?: number;
  readonly groups?: ProcessGroups;
  /** Keeps checks inside their rooms. Without it they have your rights there, too. */
  readonly confine?: Keeper & { readonly mode: "auto" | "required" };
}

/** Where a check runs; without a room it has your rights. */
export type Place = Pick<RoomRun, "root" | "env"> & {
  readonly room?: RoomRun["room"];
  readonly low?: boolean | undefined;
  readonly network?: boolean;
  /** It does not run where it could reach the network. */
  readonly mustBeConfined?: boolean;
};

export type Perform = (check: Check, at: Place, signal: AbortSignal) => Promise<Result>;

const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 2000;
const TAIL_BYTES = 8192;
/** Kept before the tail, so that a key which begins there is still recognised whole. */
const LEAD_BYTES = 8192;

/** Runs one check, confined where it stands in a room and that is possible. */
export function createPerform(ports: PerformPorts): Perform {
  const { clock, timeoutMs = TIMEOUT_MS, tailBytes = TAIL_BYTES } = ports;
  const secrets = secretsOf(ports.env);

  return async (check, at, signal) => {
    const began = clock.now();
    const output = createOutputTail(tailBytes + LEAD_BYTES);
    const { end, confined, why } = await carryOut(check, at, output, signal);
    const problem = end.status === "not_started" ? `${end.problem}\n` : "";
    const tail = problem + ending(output, tailBytes, secrets);
    return { end, at: began, durationMs: clock.now() - began, digest: output.digest(), tail, confined, why };
  };

  async function carryOut(
    check: Check,
    { root, env, room, low, network = false, mustBeConfined }: Place,
    output: OutputTail,
    signal: AbortSignal,
  ): Promise<Pick<Result, "end" | "confined" | "why">> {
    const refused = (problem: string) => ({ end: { status: "not_started", problem } as const, confined: false });
    const place = insideProject(root, check.cwd);
    if (place.status !== "inside") return refused(place.problem);
    const [file, ...args] = typeof check.run === "string" ? ["/bin/sh", "-c", check.run] : check.run;
    if (file === undefined || file === "") return refused("The check names no command.");
    const command: Command = {
      file,
      args,
      cwd: place.path,
      env,
      timeoutMs: check.timeoutMs ?? timeoutMs,
      graceMs: GRACE_MS,
      low,
      groups: ports.groups,
    };
    const keeper = ports.confine && { ...ports.confine, network: network || ports.confine.network };
    const kept = room && keeper && (await keepInside(command, room, keeper));
    if (kept?.status === "confined")
      return { end: await runCommand(kept.command, output, clock, signal), confined: true };
    if (kept && mustBeConfined)
      return refused(`it cannot be kept from the network here; \`checks.network: true\` allows it. ${kept.why}`);
    if (kept && ports.confine?.mode === "required") return refused(`checks.confine is required, and ${kept.why}`);
    return { end: await runCommand(command, output, clock, signal), confined: false, why: kept?.why };
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
