import { hash } from "node:crypto";
import { commandLine, firstOf, next, type OwnedCheck } from "../../core/continuation/index.ts";
import type { Receipt, Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { beforeText } from "../../core/words/index.ts";
import { composeRoom, declaredBy, type RoomPlan, type RoomRequest, withoutWork } from "../judge/compose-room.ts";
import type { Snapshot, Snapshots } from "../snapshot/index.ts";
import { changedOutside } from "./changed-outside.ts";
import {
  besideText,
  beyondText,
  type Differences,
  disturbedText,
  doubtText,
  emptiedText,
  isDifferent,
  listenersText,
  unrestoredText,
} from "./doubt-text.ts";
import { findsNoTests } from "./finds-no-tests.ts";
import { makeRoom, type RoomMaker } from "./make-room.ts";
import { type Prepare, prepareRoom } from "./prepare-room.ts";
import { environmentDigest, type RoomPlaces, roomEnvironment } from "./room-env.ts";
import { otherStandings, type Standing } from "./room-repository.ts";
import { type Strayed, type Surroundings, strayedSince } from "./surroundings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface RoomPorts extends RoomMaker {
  readonly env: Environment;
  readonly protect: readonly string[];
  /** Globs of judging files that you let the agent change. */
  readonly touches: readonly string[];
  /** Installs dependencies where a lock file changed; absent: those of the project are used. */
  readonly prepare?: Prepare | undefined;
  /** Runs a check in a room; `end` undefined: it passed. */
  readonly tryIn: (check: Check, at: RoomRun, signal: AbortSignal) => Promise<Tried>;
}
export interface RoomRun {
  readonly root: string;
  readonly env: Environment;
  /** The room as a whole, for those who keep a command inside it. */
  readonly room: RoomPlaces;
  /** Nobody waits for it. */
  readonly low?: boolean;
}
export interface Tried {
  readonly end: string | undefined;
  readonly status: Receipt["status"];
  readonly exit?: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly tail: string;
  readonly confined: boolean;
  /** Why it was not confined. */
  readonly why?: string | undefined;
  /** It passed only with more than a room has. */
  readonly needs?: "network" | "more" | undefined;
}

/** What a room has to say about a check that passed in the project. */
export interface RoomWord {
  readonly suspect: boolean;
  readonly doubt?: string;
  /** The end of what the check printed in the room, where it did not pass. */
  readonly tail?: string;
  readonly proof: Proof;
}
type Proof = NonNullable<Receipt["proof"]>;

/** When checks are tried in a room: always, only where something that judges changed, or there and for the verdict. */
export type RoomSetting = "clean" | "place" | "auto";

/** How checks ran in the project before the room is asked. */
export interface InPlace {
  /** Nothing was exchanged in the project while this check ran there. */
  readonly isStill: (check: Check) => boolean;
  /** When the first of them began, by the time of the file system. */
  readonly began: number | undefined;
}

/**
 * The judge comes from before the work, the product from after it, and they meet in a room that the agent never touched. The first
 * judge that lets the check pass is enough: the old one with new tests, the old one alone, or, where there was none, the new one.
 */
export async function judgeInRoom(
  ports: RoomPorts,
  setting: RoomSetting,
  run: Run,
  passed: readonly OwnedCheck[],
  there: InPlace,
  signal: AbortSignal,
): Promise<ReadonlyMap<OwnedCheck, RoomWord>> {
  const words = new Map<OwnedCheck, RoomWord>();
  const guard = run.ledger.guards.run ?? run.ledger.guard;
  if (passed.length === 0 || guard === undefined) return words;
  const { cwd } = run.origin;
  const before = await ports.snapshots.open(cwd, guard);
  if (!before) {
    if (isName(guard))
      for (const owned of passed)
        words.set(owned, {
          suspect: true,
          doubt: "what its check relied on before is no longer known",
          proof: inPlace(owned, {}),
        });
    return words; // a run that began under an older version
  }
  const taken = await ports.snapshots.take(cwd);
  if (taken.status !== "taken") {
    for (const owned of passed) words.set(owned, { suspect: false, proof: inPlace(owned, { why: taken.why }) });
    return words;
  }
  const all = setting === "clean" || (setting === "auto" && isVerdict(run));
  const surroundings = before.note as Surroundings;
  const strayed = strayedSince(surroundings, ports.env, before.root, ports.scratch);
  const judged = new Map<string, RoomWord>();
  for (const owned of passed) {
    if (signal.aborted) break;
    const id = JSON.stringify([owned.check.run, owned.check.cwd]);
    const word =
      judged.get(id) ??
      (await judge({ ports, run, before, after: taken.snapshot, surroundings, strayed, all, there }, owned, signal));
    judged.set(id, word);
    words.set(owned, word);
  }
  return words;
}

const isName = (guard: string): boolean => guard.startsWith("tree:");

interface Case {
  readonly ports: RoomPorts;
  readonly run: Run;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly surroundings: Surroundings;
  readonly strayed: Strayed;
  /** Whether it is tried even where nothing that judges changed. */
  readonly all: boolean;
  readonly there: InPlace;
}

async function judge(given: Case, owned: OwnedCheck, signal: AbortSignal): Promise<RoomWord> {
  const { ports, run, before, after } = given;
  const { cwd } = run.origin;
  const contents = {
    read: (entry: Parameters<Snapshots["read"]>[1]) => ports.snapshots.read(cwd, entry),
    write: (content: Buffer) => ports.snapshots.write(cwd, content),
  };
  const compose = (judge: RoomRequest["judge"]) =>
    composeRoom(
      { before, after, check: owned.check, protect: ports.protect, declared: declaredByYou(ports, run), judge },
      contents,
    );
  const plan = await compose("old");
  const first = firstOf(run, owned.check);
  const known = first ? [beforeText(first)] : [];
  const place = (why?: string) =>
    inPlace(owned, {
      tree: after.name,
      judge: before.name,
      ...(why !== undefined && { why }),
      ...(known.length > 0 && { notes: known }),
    });
  if (!plan) return { suspect: true, doubt: "what its check relied on before is no longer known", proof: place() };
  const strayed = concerning(given.strayed, plan);
  const differences: Differences = {
    plan,
    strayed,
    askedFor: declaredBy(declaredByAgent(run), before.prefix),
    home: ports.env.HOME,
  };
  if (!given.all && !isDifferent(differences)) return { suspect: false, proof: place() };
  if (first?.decides === "place" && isDifferent(differences))
    return { suspect: true, doubt: doubtText(differences, ONLY_THERE), proof: place(ONLY_THERE) };
  if (first?.decides === "place" && given.there.isStill(owned.check))
    return { suspect: false, proof: place(ONLY_THERE) };
  const tried = await tryPlans(given, owned, plan, compose, signal);
  if (!tried) return noRoom(differences, place("no room could be made"));
  const proof: Proof = {
    ...tried.proof,
    ...(tried.why !== undefined && { unconfined: tried.why }),
    ...noted(tried.proof.prepared ? { ...plan, provided: [] } : plan, tried.why, [...known, ...tried.known]),
  };
  if (tried.end !== undefined)
    return { suspect: true, doubt: doubtText(differences, tried.end), tail: tried.tail, proof };
  const bent = bendingText(tried, strayed);
  if (bent !== undefined) return { suspect: true, doubt: bent, proof };
  const lost = [
    ...plan.unrestored,
    ...strayed.programs.filter(({ old }) => old === undefined).map(({ name }) => `the program ${name}`),
  ];
  if (lost.length > 0) return { suspect: true, doubt: unrestoredText(lost), proof };
  const beyond = await doubtBeyond(given, owned, plan, tried, signal);
  if (beyond !== undefined) return { suspect: true, doubt: beyond, proof };
  return { suspect: false, ...(isDifferent(differences) && { doubt: doubtText(differences, undefined) }), proof };
}

const ONLY_THERE = "it works only in the project itself, as before the work";

/** Programs of yours that no table names concern a check that speaks of them. */
function concerning(strayed: Strayed, { commands }: RoomPlan): Strayed {
  const text = commands.flat().join(" ");
  const speaksOf = (name: string) => text.split(/[^\w.+-]+/).includes(name);
  return { ...strayed, programs: strayed.programs.filter(({ name, isOwn }) => !isOwn || speaksOf(name)) };
}

const noRoom = (differences: Differences, proof: Proof): RoomWord =>
  isDifferent(differences)
    ? { suspect: true, doubt: doubtText(differences, "no clean room could be made"), proof }
    : { suspect: false, proof };

interface Outcome extends Tried {
  readonly proof: Proof;
  /** Files of the judge that were changed while the check ran. */
  readonly changed: readonly string[];
  /** How its dependencies came into the room, where there is something to say. */
  readonly known: readonly string[];
  /** Tests by which it passes, with the work or without it. */
  readonly emptied?: readonly string[];
}

type Composes = (judge: RoomRequest["judge"]) => Promise<RoomPlan | undefined>;

/** Until one lets the check pass; what the first one said is what is shown. */
async function tryPlans(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  compose: Composes,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const first = isAskedFor(plan)
    ? await tryPlan(given, owned, plan, signal)
    : await tryOldTestsFirst(given, owned, plan, compose, signal);
  if (!first || first.end === undefined || signal.aborted) return first;
  const other = plan.hadTests ? undefined : await compose("new");
  const tried = other && (await tryPlan(given, owned, other, signal));
  if (tried?.end === undefined && tried) return tried;
  for (const as of otherStandings(plan.commands)) {
    const standing = signal.aborted ? undefined : await tryPlan(given, owned, plan, signal, as);
    if (standing && standing.end === undefined) return standing;
  }
  return first;
}

/**
 * New tests run together with the old ones, and one that ends them all, or stands in for the work, would let the check pass. So it
 * passes without them; or with them, and has to fail with them where the work is not done.
 */
async function tryOldTestsFirst(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  compose: Composes,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const old = await compose("old only");
  const alone = old && (await tryPlan(given, owned, old, signal));
  if (!alone || alone.end === undefined || signal.aborted) return alone;
  const all = await tryPlan(given, owned, plan, signal);
  if (!all || signal.aborted) return all;
  if (all.end !== undefined) return alone;
  if (findsNoTests(alone.tail, plan.newTests) && (await foundNoneBefore(given, owned, plan, signal))) return all;
  const idle = await tryPlan(given, owned, withoutWork(plan, given.before, given.after), signal);
  return idle && idle.end === undefined ? { ...all, emptied: plan.newTests } : all;
}

/** The old tests are none that the check would run. What it prints may come from the work, so it has to say the same without it. */
async function foundNoneBefore(given: Case, owned: OwnedCheck, plan: RoomPlan, signal: AbortSignal): Promise<boolean> {
  const first = firstOf(given.run, owned.check);
  const tail = first ? first.tail : (await tryPlan(given, owned, asBegun(given, plan), signal))?.tail;
  return tail !== undefined && findsNoTests(tail, plan.newTests);
}

/** The project and its judge, both as they were. */
const asBegun = ({ before, after }: Case, plan: RoomPlan): RoomPlan =>
  withoutWork({ ...plan, newTests: [] }, before, after);

/** There were no tests, or the check names one that is new. */
function isAskedFor({ newTests, hadTests, commands }: RoomPlan): boolean {
  if (newTests.length === 0 || !hadTests) return true;
  const words = commands.flat().filter((word) => !word.startsWith("-") && /[\w]/.test(word));
  return newTests.some((path) => words.some((word) => path === word || path.endsWith(`/${word}`)));
}

async function tryPlan(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  signal: AbortSignal,
  as: Standing = "begun",
  prepares = true,
): Promise<Outcome | undefined> {
  const { ports, run, before, after, surroundings, strayed } = given;
  const room = await makeRoom(ports, run.origin.cwd, plan, after, { begun: surroundings.repository, as });
  if (!room) return undefined;
  try {
    const env = roomEnvironment(ports.env, surroundings, strayed, room.places);
    const at = { root: room.path, env, room: room.places };
    const prepared = prepares
      ? await prepareRoom(ports, { before, after }, at, signal)
      : ({ status: "not needed" } as const);
    if (prepared.status === "failed") {
      const plain = await tryPlan(given, owned, plan, signal, as, false);
      return plain && { ...plain, known: [prepared.note] };
    }
    const tried = await ports.tryIn(owned.check, at, signal);
    const proof: Proof = {
      where: "room",
      confined: tried.confined,
      tree: after.name,
      judge: before.name,
      room: room.tree,
      command: digestOf(commandLine(owned.check)),
      environment: environmentDigest(env, room.places),
      ...(prepared.status === "prepared" && { prepared: true }),
    };
    const known = prepared.status === "prepared" ? [prepared.note] : [];
    return { ...tried, proof, known, changed: room.seal.broken() };
  } finally {
    room.dispose();
  }
}

/**
 * What lies beyond the project cannot be put back. Where it changed, or the check needs more than a room has and failed before, the
 * project as it was has to fail still: if it passes now, it is not the work that lets the check pass.
 */
async function doubtBeyond(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  tried: Outcome,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { ports, run, before, surroundings, there } = given;
  const first = firstOf(run, owned.check);
  const outside = { commands: plan.commands, env: ports.env, root: before.root, until: there.began };
  const changed = changedOutside(surroundings, outside).filter(
    ({ isNamed, at }) => isNamed || first?.status !== "passed" || at <= first.at,
  );
  if (changed.length === 0 && !(tried.needs !== undefined && first?.status === "failed")) return undefined;
  const idle = await tryPlan(given, owned, asBegun(given, plan), signal);
  if (!idle || idle.end !== undefined || (idle.needs !== undefined && idle.needs !== tried.needs)) return undefined;
  return beyondText(
    changed.map(({ path }) => path),
    ports.env.HOME,
  );
}

const inPlace = (owned: OwnedCheck, more: Partial<Proof>): Proof => ({
  where: "place",
  confined: false,
  command: digestOf(commandLine(owned.check)),
  ...more,
});

/** Why a check that passed in a room is no proof. */
function bendingText({ changed, emptied = [], needs }: Outcome, strayed: Strayed): string | undefined {
  if (changed.length > 0) return disturbedText(changed);
  if (emptied.length > 0) return emptiedText(emptied);
  if (needs === "network" && strayed.listeners.length > 0) return listenersText(strayed.listeners);
  return needs === "more" && strayed.beside.length > 0 ? besideText(strayed.beside) : undefined;
}

/** What a reader of the receipt should know besides. */
function noted(
  { declared, provided, recorded }: RoomPlan,
  why: string | undefined,
  known: readonly string[],
): { readonly notes?: readonly string[] } {
  const notes = [
    ...known,
    ...(why === undefined ? [] : [`not confined: ${why}`]),
    ...declared.map((path) => `declared and changed: ${path}`),
    ...recorded.map((path) => `recorded again: ${path}`),
    ...provided.map((path) => `from the project as it is: ${path}`),
  ].slice(0, MOST_NOTES);
  return notes.length > 0 ? { notes } : {};
}

const MOST_NOTES = 20;

export const digestOf = (text: string): string => hash("sha256", text).slice(0, 32);

/** Nothing would be open afterwards: what these checks say decides the run. */
function isVerdict({ ledger, ...rest }: Run): boolean {
  const { verifying } = ledger;
  if (!verifying || verifying.purpose === "phase") return false;
  const todos = rest.plan.todos.map((todo) =>
    verifying.ids.includes(todo.id) ? { ...todo, status: "completed" as const } : todo,
  );
  return verifying.purpose === "finish" || next({ ...rest, ledger, plan: { ...rest.plan, todos } }).status === "none";
}

const declaredByYou = ({ touches }: RoomPorts, { plan }: Run): readonly string[] => [
  ...touches,
  ...plan.todos.filter(({ by }) => by !== "model").flatMap((todo) => todo.touches),
];

/** Declared before the start; for an item that is completed without one, as it was written. */
function declaredByAgent({ plan, ledger }: Run): readonly string[] {
  const completing = plan.todos.filter(({ id }) => ledger.verifying?.ids.includes(id));
  return [...ledger.declared, ...completing.flatMap(({ touches }) => touches)];
}
