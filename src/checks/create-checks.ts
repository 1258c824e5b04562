import { tmpdir } from "node:os";
import { firstKey, firstOf, mustFailFirst, type OwnedCheck } from "../core/continuation/index.ts";
import type { FirstResult, Receipt, Run } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Checks, Workspace } from "../engine/index.ts";
import { createBaselines } from "./baselines.ts";
import { type Result, receiptOf, sayEnd, toldOf } from "./check-result.ts";
import { type FirstPorts, firstResult } from "./first/first-result.ts";
import { createGiveWay } from "./first/give-way.ts";
import { isUntouched, marksOf } from "./first/standing-still.ts";
import { createPerform, type PerformPorts } from "./perform-check.ts";
import { momentIn, namesAt } from "./room/changed-outside.ts";
import { judgeInRoom, type RoomSetting, type RoomWord } from "./room/judge-in-room.ts";
import { keepRooms } from "./room/kept-rooms.ts";
import type { Prepare } from "./room/prepare-room.ts";
import { removeAbandoned } from "./room/room-folders.ts";
import type { RoomPorts } from "./room/room-ports.ts";
import { repositoryState } from "./room/room-repository.ts";
import { lookAround } from "./room/surroundings.ts";
import { createSnapshots } from "./snapshot/index.ts";
import { createTryIn } from "./try-in-room.ts";
import { type Repeated, type RepeatRequest, repeatCheck } from "./verify/repeat-check.ts";
import { createGit } from "./workspace/git.ts";

export interface ChecksPorts extends PerformPorts {
  /** What the commands are given; the values of its secrets are taken out of what they print. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace?: Workspace;
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
}

/** Runs the check of a receipt once more, in the room that the receipt names. */
export interface Repeats {
  repeat(request: RepeatRequest, signal: AbortSignal): Promise<Repeated>;
}

/** Laying out a large project takes a while; a git that does nothing is noticed sooner. */
const GIT_MS = 5 * 60_000;

/**
 * Runs rounds of checks in the run's directory. The same command asked for twice in a round runs once. The workspace is
 * observed once, after the last: what the round itself wrote does not make its receipts stale.
 */
export function createChecks(ports: ChecksPorts): Checks & Repeats {
  const { clock, env, workspace } = ports;
  const perform = createPerform(ports);
  const tryIn = createTryIn(perform, ports.confine);
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
