import { commandLine, firstOf, next, type OwnedCheck } from "../../core/continuation/index.ts";
import type { Run } from "../../core/run/index.ts";
import { beforeText } from "../../core/words/index.ts";
import { composeRoom, declaredBy, type RoomPlan, type RoomRequest } from "../judge/compose-room.ts";
import type { Snapshots } from "../snapshot/index.ts";
import { doubtBeyond } from "./doubt-beyond.ts";
import { doubtMuted } from "./doubt-muted.ts";
import {
  besideText,
  type Differences,
  disturbedText,
  doubtText,
  emptiedText,
  isDifferent,
  listenersText,
  unrestoredText,
} from "./doubt-text.ts";
import { lookAhead } from "./kept-rooms.ts";
import { disturbedFiles } from "./made-by-check.ts";
import type { RoomPorts } from "./room-ports.ts";
import { looksAtRepository } from "./room-repository.ts";
import { type Strayed, type Surroundings, strayedSince } from "./surroundings.ts";
import { type Case, digestOf, type InPlace, type Outcome, type Proof } from "./try-plan.ts";
import { tryPlans } from "./try-plans.ts";

/** What a room has to say about a check that passed in the project. */
export interface RoomWord {
  readonly suspect: boolean;
  readonly doubt?: string;
  /** The end of what the check printed in the room, where it did not pass. */
  readonly tail?: string;
  readonly proof: Proof;
}

/** When checks are tried in a room: always, only where something that judges changed, or there and for the verdict. */
export type RoomSetting = "clean" | "place" | "auto";

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
  const surroundings = before.note as Surroundings;
  const early = looksAtRepository(ports.git, before.root, surroundings.repository);
  const all = setting === "clean" || (setting === "auto" && isVerdict(run));
  // The two walks over all files take longest, so they begin first; all else that needs no snapshot happens meanwhile.
  const kept = all && ports.kept ? lookAhead(ports.kept, before.root) : ports.kept;
  const taking = ports.snapshots.take(cwd);
  taking.catch(() => {}); // told where it is awaited
  if (all) early("begun");
  const strayed = strayedSince(surroundings, ports.env, before.root, ports.scratch);
  const taken = await taking;
  if (taken.status !== "taken") {
    for (const owned of passed) words.set(owned, { suspect: false, proof: inPlace(owned, { why: taken.why }) });
    return words;
  }
  const { snapshot: after } = taken;
  const given = {
    ports: { ...ports, ...(kept && { kept }) },
    ...{ run, before, after, surroundings, strayed, all, there },
    repository: after.root === before.root ? early : looksAtRepository(ports.git, after.root, surroundings.repository),
  };
  const judged = new Map<string, RoomWord>();
  for (const owned of passed) {
    if (signal.aborted) break;
    const id = JSON.stringify([owned.check.run, owned.check.cwd]);
    const word = judged.get(id) ?? (await judge(given, owned, signal));
    judged.set(id, word);
    words.set(owned, word);
  }
  return words;
}

const isName = (guard: string): boolean => guard.startsWith("tree:");

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
  const bent = bendingText({ ...tried, changed: await disturbedFiles(given, owned, tried, signal) }, strayed);
  if (bent !== undefined) return { suspect: true, doubt: bent, proof };
  const lost = [
    ...plan.unrestored,
    ...strayed.programs.filter(({ old }) => old === undefined).map(({ name }) => `the program ${name}`),
  ];
  if (lost.length > 0) return { suspect: true, doubt: unrestoredText(lost), proof };
  const muted = await doubtMuted(given, owned, tried, signal);
  if (muted !== undefined) return { suspect: true, doubt: muted, proof };
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
