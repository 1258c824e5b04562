import { tmpdir } from "node:os";
import {
  checkKey,
  commandLine,
  firstKey,
  firstOf,
  mustFailFirst,
  type OwnedCheck,
} from "../core/continuation/index.ts";
import type { FirstResult, Receipt, Run } from "../core/run/index.ts";
import { redact, type Secret, secretsOf } from "../core/secret/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Checks, Clock, Workspace } from "../engine/index.ts";
import type { ProcessGroups } from "../machine/index.ts";
import { createBaselines } from "./baselines.ts";
import { type FirstPorts, firstResult } from "./first/first-result.ts";
import { createGiveWay } from "./first/give-way.ts";
import { isUntouched, marksOf } from "./first/standing-still.ts";
import { insideProject } from "./inside-project.ts";
import { createOutputTail, type OutputTail } from "./output-tail.ts";
import { momentIn, namesAt } from "./room/changed-outside.ts";
import {
  judgeInRoom,
  type RoomPorts,
  type RoomRun,
  type RoomSetting,
  type RoomWord,
  type Tried,
} from "./room/judge-in-room.ts";
import { type Keeper, keepInside } from "./room/keep-inside.ts";
import { keepRooms } from "./room/kept-rooms.ts";
import type { Prepare } from "./room/prepare-room.ts";
import { removeAbandoned } from "./room/room-folders.ts";
import { repositoryState } from "./room/room-repository.ts";
import { lookAround } from "./room/surroundings.ts";
import { type Command, type CommandEnd, runCommand } from "./run-command.ts";
import { createSnapshots } from "./snapshot/index.ts";
import { type Repeated, type RepeatRequest, ROOM_SAYS, repeatCheck } from "./verify/repeat-check.ts";
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
    /** Where the state that judges is kept. */
    readonly directory: string;
    readonly protect: readonly string[];
    /** Judging files that you let the agent change. */
    readonly touches?: readonly string[];
    /** Where rooms are made; the system's folder for such things unless said otherwise. */
    readonly scratch?: string;
    readonly room?: RoomSetting;
    /** Installs dependencies in a room where a lock file changed. */
    readonly prepare?: Check;
  };
  /** Keeps checks inside their rooms. Without it they have your rights there, too. */
  readonly confine?: Keeper & { readonly mode: "auto" | "required" };
}

/** Runs the check of a receipt once more, in the room that the receipt names. */
export interface Repeats {
  repeat(request: RepeatRequest, signal: AbortSignal): Promise<Repeated>;
}

const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 2000;
/** Laying out a large project takes a while; a git that does nothing is noticed sooner. */
const GIT_MS = 5 * 60_000;
const TAIL_BYTES = 8192;
/** Kept before the tail, so that a key which begins there is still recognised whole. */
const LEAD_BYTES = 8192;

/**
 * Runs rounds of checks in the run's directory. The same command asked for twice in a round runs once. The workspace is
 * observed once, after the last: what the round itself wrote does not make its receipts stale.
 */
export function createChecks(ports: ChecksPorts): Checks & Repeats {
  const { clock, env, workspace, timeoutMs = TIMEOUT_MS, tailBytes = TAIL_BYTES } = ports;
  const secrets = secretsOf(env);
  const git = createGit({ clock, env, timeoutMs: GIT_MS });
  const { guard } = ports;
  const snapshots =
    guard &&
    createSnapshots({
      git,
      directory: guard.directory,
      note: async (root) => {
        const repository = await repositoryState(git, root);
        const around = lookAround(env, root, crypto.randomUUID(), guard.scratch ?? tmpdir());
        const moment = momentIn(guard.directory);
        return { ...around, moment, home: namesAt(env.HOME), ...(repository && { repository }) };
      },
    });
  const giveWay = createGiveWay();
  const kept = keepRooms();
  const baselines = snapshots && guard && createBaselines({ snapshots, clock, directory: guard.directory });

  return {
    run: ({ run, checks }, signal) => giveWay.round(() => runRound(run, checks, signal)),
    async first(request, signal) {
      const parts = guard?.room === "place" ? undefined : firstParts();
      if (!parts) return undefined;
      return giveWay.background((tries) => firstResult(parts, request, tries), signal);
    },
    begin: async (place) => {
      removeAbandoned(guard?.scratch ?? tmpdir());
      await baselines?.begin(place);
    },
    guard: async (request) => baselines?.of(request),
    async repeat(request, signal) {
      const parts = roomParts();
      if (!parts) return { status: "in_place", problem: "nothing is protected" };
      return repeatCheck(parts, request, signal);
    },
  };

  async function runRound(run: Run, checks: readonly OwnedCheck[], signal: AbortSignal): Promise<readonly Receipt[]> {
    const results = new Map<string, Result>();
    const began = guard && momentIn(guard.directory);
    for (const { check } of checks) {
      if (signal.aborted) break;
      const id = identity(check);
      if (!results.has(id)) results.set(id, await watched(run, check, signal));
    }
    const state = signal.aborted ? undefined : await workspace?.observe(run.origin.cwd);
    const words = signal.aborted ? NO_WORDS : await hearRoom(run, results, began, checks, signal);
    const firsts = signal.aborted ? NO_FIRSTS : await firstsNeeded(run, results, checks, signal);
    return checks.flatMap((owned) => {
      const result = results.get(identity(owned.check));
      const first = firsts.get(firstKey(owned.check)) ?? firstOf(run, owned.check);
      return result ? [receiptOf(owned, result, state, words.get(owned), first)] : [];
    });
  }

  /** What the model chose itself proves something only where it failed before: what is not known yet is found out now. */
  async function firstsNeeded(
    run: Run,
    results: ReadonlyMap<string, Result>,
    checks: readonly OwnedCheck[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FirstResult>> {
    const found = new Map<string, FirstResult>();
    const parts = firstParts();
    const needed = checks
      .filter(hasPassed(results))
      .filter(({ check }) => mustFailFirst(check) && !firstOf(run, check));
    for (const { check } of parts ? needed : []) {
      const known = found.has(firstKey(check)) || signal.aborted;
      const first = known
        ? undefined
        : await firstResult(parts!, { run, check }, { signal, command: (begin) => begin() });
      if (first) found.set(first.key, first);
    }
    return found;
  }

  function firstParts(): FirstPorts | undefined {
    const parts = roomParts();
    return (
      parts && {
        ...parts,
        tryInPlace: async (check, root, cut) => toldOf(check, await perform(check, { root, env, low: true }, cut)),
        mayDecideInPlace: (check) => check.by !== "model" && ports.confine?.mode !== "required",
        now: clock.now,
      }
    );
  }

  /** Where its result in the project counts, nothing may be exchanged there while it runs. */
  async function watched(run: Run, check: Check, signal: AbortSignal): Promise<Result> {
    const { cwd } = run.origin;
    const here = { root: cwd, env };
    const name = run.ledger.guards.run ?? run.ledger.guard;
    const isDecided = firstOf(run, check)?.decides === "place" && name !== undefined;
    const before = isDecided ? await snapshots?.open(cwd, name) : undefined;
    if (!before) return perform(check, here, signal);
    const marks = await marksOf(before);
    const result = await perform(check, here, signal);
    return { ...result, isStill: isUntouched(marks, await marksOf(before)) };
  }

  async function hearRoom(
    run: Run,
    results: ReadonlyMap<string, Result>,
    began: number | undefined,
    checks: readonly OwnedCheck[],
    signal: AbortSignal,
  ) {
    const parts = roomParts();
    const isStill = (check: Check) => results.get(identity(check))?.isStill === true;
    const passed = checks.filter(hasPassed(results));
    return parts ? judgeInRoom(parts, guard?.room ?? "auto", run, passed, { isStill, began }, signal) : NO_WORDS;
  }

  function roomParts(): RoomPorts | undefined {
    if (!snapshots || !guard) return undefined;
    const { protect, touches = [], scratch = tmpdir() } = guard;
    const prepare = guard.prepare && { check: guard.prepare, run: prepareIn(guard.prepare) };
    return { snapshots, git, env, protect, touches, scratch, kept, tryIn, prepare };
  }

  /** Never a second time unconfined: that would be with the network, which you did not allow. */
  function prepareIn(check: Check): Prepare["run"] {
    return async (at, signal) => {
      const mayReach = !ports.confine || ports.confine.network;
      const { end, tail } = await perform(check, { ...at, mustBeConfined: !mayReach }, signal);
      const last = tail.trim().split("\n").at(-1) ?? "";
      const problem = end.status === "not_started" ? end.problem : sayEnd(end);
      return problem === undefined
        ? undefined
        : [problem, ...(last === "" || last === problem ? [] : [last.slice(0, 200)])].join(": ");
    };
  }

  async function tryIn(check: Check, at: RoomRun, signal: AbortSignal): Promise<Tried> {
    const first = toldOf(check, await perform(check, at, signal));
    if (!first.confined || first.end === undefined || signal.aborted || ports.confine?.mode === "required")
      return first;
    // It may need the network or your home folder: that is no evidence of anything, but it has to be said.
    if (!ports.confine?.network) {
      const online = toldOf(check, await perform(check, { ...at, network: true }, signal));
      if (online.end === undefined) return { ...online, confined: false, why: NEEDS_NETWORK, needs: "network" };
      if (signal.aborted) return first;
    }
    const second = toldOf(check, await perform(check, { root: at.root, env: at.env, low: at.low }, signal));
    return second.end === undefined ? { ...second, why: NEEDS_MORE, needs: "more" } : first;
  }

  async function perform(check: Check, at: Place, signal: AbortSignal): Promise<Result> {
    const began = clock.now();
    const output = createOutputTail(tailBytes + LEAD_BYTES);
    const { end, confined, why } = await carryOut(check, at, output, signal);
    const problem = end.status === "not_started" ? `${end.problem}\n` : "";
    const tail = problem + ending(output, tailBytes, secrets);
    return { end, at: began, durationMs: clock.now() - began, digest: output.digest(), tail, confined, why };
  }

  async function carryOut(
    check: Check,
    { root, env: given, room, low, network = false, mustBeConfined }: Place,
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
      env: given,
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

const NEEDS_NETWORK = "it passes only with the network (`checks.network: true` allows it)";
const NEEDS_MORE = "it passes only so, because it needs your home folder or other things around its room";

type Place = Pick<RoomRun, "root" | "env"> & {
  readonly room?: RoomRun["room"];
  readonly low?: boolean | undefined;
  readonly network?: boolean;
  /** It does not run where it could reach the network. */
  readonly mustBeConfined?: boolean;
};

interface Result {
  readonly end: CommandEnd;
  readonly at: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly tail: string;
  readonly confined: boolean;
  readonly why?: string | undefined;
  /** Nothing in the project changed while it ran; absent: not looked at. */
  readonly isStill?: boolean;
}

const NO_FIRSTS: ReadonlyMap<string, FirstResult> = new Map();
const NO_WORDS: ReadonlyMap<OwnedCheck, RoomWord> = new Map();

const identity = ({ run, cwd, timeoutMs }: Check): string => JSON.stringify([run, cwd, timeoutMs]);

const hasPassed =
  (results: ReadonlyMap<string, Result>) =>
  ({ check }: OwnedCheck): boolean => {
    const end = results.get(identity(check))?.end;
    return end?.status === "exited" && end.exit === 0;
  };

const toldOf = (check: Check, { end, tail, digest, durationMs, confined, why }: Result): Tried => ({
  end: sayEnd(end),
  status: statusOf(check, end),
  ...(end.status === "exited" && { exit: end.exit }),
  durationMs,
  digest,
  tail,
  confined,
  why,
});

/** Undefined: it passed. */
function sayEnd(end: CommandEnd): string | undefined {
  if (end.status !== "exited") return end.status.replace("_", " ");
  return end.exit === 0 ? undefined : `exit ${end.exit}`;
}

function receiptOf(
  { owner, check }: OwnedCheck,
  { end, at, durationMs, digest, tail }: Result,
  workspace: string | undefined,
  word: RoomWord | undefined,
  first: FirstResult | undefined,
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
    tail: word?.tail === undefined ? tail : `${tail}${ROOM_SAYS}${word.tail}`,
    askedBy: check.by,
    suspect: word?.suspect ?? false,
    ...(word?.doubt !== undefined && { doubt: word.doubt }),
    ...(first && { first: first.status }),
    ...(word && { proof: word.proof }),
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
