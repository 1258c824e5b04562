import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { commandLine } from "../../core/continuation/index.ts";
import type { Receipt } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { composeRoom, type RoomPlan, type RoomRequest } from "../judge/compose-room.ts";
import { mergeKind } from "../judge/shadows.ts";
import { makeRoom, type Room } from "../room/make-room.ts";
import { prepareRoom } from "../room/prepare-room.ts";
import { environmentDigest, OF_PI, roomEnvironment } from "../room/room-env.ts";
import type { RoomPorts } from "../room/room-ports.ts";
import { lookAtRepository, otherStandings, type Standing } from "../room/room-repository.ts";
import { foldersOf, isSameVariable, type Surroundings, strayedSince } from "../room/surroundings.ts";
import { digestOf } from "../room/try-plan.ts";
import { asText, type Entries, isSame, type Snapshot } from "../snapshot/index.ts";
import { isInside, surroundingsOf } from "./read-note.ts";

/** A receipt to be reproduced from the trees that it names. */
export interface RepeatRequest {
  /** Its project; on another machine the clone, from which only what is too large to travel is taken. */
  readonly cwd: string;
  /** Trees that came from another machine: where the directory of the run lies in the project. What judges is what your settings say. */
  readonly prefix?: string;
  readonly receipt: Receipt;
  readonly check: Check;
  /** Globs that you declared in the list. */
  readonly declared: readonly string[];
}

export type Repeated =
  /** `ended` says how it ended in the room; undefined: it passed. */
  | {
      readonly status: "reproduced" | "differs";
      readonly ended?: string;
      readonly tail: string;
      readonly confined: boolean;
      /** Variables, programs and settings at home that are not what they were. */
      readonly differs: readonly string[];
      readonly notes: readonly string[];
    }
  /** The trees are not there, or not what their names say. */
  | { readonly status: "not_kept" | "not_believed"; readonly problem: string }
  | { readonly status: "in_place"; readonly problem: string }
  | { readonly status: "cut_short" };

/** What a receipt says that ended with a room's own output. */
export const ROOM_SAYS = "\n--- in the clean room ---\n";

/** Rebuilds the room of a receipt and runs its check there again. Nothing in the project is changed. */
export async function repeatCheck(ports: RoomPorts, request: RepeatRequest, signal: AbortSignal): Promise<Repeated> {
  const { proof } = request.receipt;
  if (proof?.tree === undefined || proof.judge === undefined)
    return { status: "in_place", problem: proof?.why ?? "its files were not kept" };
  if (digestOf(commandLine(request.check)) !== proof.command)
    return { status: "not_believed", problem: "Its command is not the one that was judged" };
  const before = await opened(ports, request, proof.judge);
  const after = await opened(ports, request, proof.tree);
  if (!before || !after)
    return { status: "not_kept", problem: `The ${before ? "product" : "judge"} of this receipt is no longer kept` };
  if (!surroundingsOf(before) || !surroundingsOf(after))
    return { status: "not_believed", problem: "Its trees are damaged" };
  const first = await repeatOnce(ports, request, before, after, "begun", signal);
  if (first.repeated.status !== "differs") return first.repeated;
  for (const as of otherStandings(first.commands)) {
    const { repeated } = await repeatOnce(ports, request, before, after, as, signal);
    if (repeated.status === "reproduced") return repeated;
  }
  return first.repeated;
}

async function repeatOnce(
  ports: RoomPorts,
  request: RepeatRequest,
  before: Snapshot,
  after: Snapshot,
  as: Standing,
  signal: AbortSignal,
): Promise<{ readonly repeated: Repeated; readonly commands: RoomPlan["commands"] }> {
  const proof = request.receipt.proof!;
  const surroundings = surroundingsOf(before)!;
  const built = await rebuild(ports, request, before, after, as);
  if ("status" in built) return { repeated: built, commands: [] };
  const { commands } = built;
  return { repeated: await runIn(built), commands };

  async function runIn({ room, notes }: Extract<Built, { room: Room }>): Promise<Repeated> {
    try {
      const strayed = strayedSince(surroundings, ports.env, before.root);
      const kept = roomEnvironment(ports.env, surroundings, strayed, room.places, OF_THIS_MACHINE);
      const env = { ...kept, PATH: withOwn(kept.PATH!, ports.env.PATH) };
      const at = { root: room.path, env, room: room.places };
      const prepared = proof.prepared ? await prepareRoom(ports, { before, after }, at, signal) : undefined;
      const tried = await ports.tryIn(request.check, at, signal);
      if (signal.aborted) return { status: "cut_short" };
      const isSameEnvironment = environmentDigest(env, room.places) === proof.environment;
      const isAsRecorded = (tried.end === undefined) === hadPassed(request.receipt);
      if (!isAsRecorded && proof.where === "place")
        return { status: "in_place", problem: `in a room it ends otherwise (${tried.end ?? "passed"})` };
      return {
        status: isAsRecorded ? "reproduced" : "differs",
        ...(tried.end !== undefined && { ended: tried.end }),
        tail: tried.tail,
        confined: tried.confined,
        differs: isSameEnvironment ? [] : differing(surroundings, ports.env, strayed),
        notes: [
          ...notes,
          ...(prepared ? [prepared.status === "not needed" ? UNPREPARED : prepared.note] : []),
          ...after.large.map(({ path }) => largeNote(after.root, asText(path))),
          ...(proof.where === "place" ? ["ran in place, repeated in a room"] : []),
          ...(proof.confined && !tried.confined ? [`not confined here${tried.why ? `: ${tried.why}` : ""}`] : []),
        ],
      };
    } finally {
      room.dispose();
    }
  }
}

/** On another machine toolchains lie elsewhere. */
const OF_THIS_MACHINE = /^(?:JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VOLTA_HOME|ASDF_DIR)$/;

const UNPREPARED = "its dependencies were installed then; checks.prepare is not set here, so kept ones are used";

const largeNote = (root: string, path: string): string =>
  existsSync(join(root, path)) ? `${path} is used as it is here now` : `${path} was too large to keep and is not here`;

/** Only a check that passed in the project is tried in a room; what it printed there is kept where it did not pass. */
const hadPassed = ({ status, suspect, tail }: Receipt): boolean =>
  status === "passed" && !(suspect && tail.includes(ROOM_SAYS));

async function opened({ snapshots }: RoomPorts, { cwd, prefix }: RepeatRequest, name: string) {
  try {
    const snapshot = await snapshots.open(cwd, name);
    return snapshot && prefix !== undefined ? { ...snapshot, prefix } : snapshot;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // what was noted with it is no JSON
    throw error;
  }
}

type Built =
  | { readonly room: Room; readonly notes: readonly string[]; readonly commands: RoomPlan["commands"] }
  | Extract<Repeated, { readonly problem: string }>;

/** Judge and product put together again; where that gives another room than the recorded one, that one as it was. */
async function rebuild(
  ports: RoomPorts,
  request: RepeatRequest,
  before: Snapshot,
  after: Snapshot,
  as: Standing,
): Promise<Built> {
  const { cwd, check, receipt } = request;
  const wanted = receipt.proof?.room;
  const contents = {
    read: (entry: Parameters<RoomPorts["snapshots"]["read"]>[1]) => ports.snapshots.read(cwd, entry),
    write: (content: Buffer) => ports.snapshots.write(cwd, content),
  };
  const declared = [...ports.touches, ...request.declared];
  let first: RoomPlan | undefined;
  for (const judge of JUDGES) {
    const plan = await composeRoom({ before, after, check, protect: ports.protect, declared, judge }, contents);
    first ??= plan;
    const room = plan && (await believed(ports, cwd, plan, before, after, as));
    if (room && (wanted === undefined || room.tree === wanted)) return { room, notes: [], commands: plan!.commands };
    room?.dispose();
  }
  const entries = first && wanted !== undefined ? await ports.snapshots.list(cwd, wanted) : undefined;
  if (!first || !entries) return GONE;
  if (request.prefix !== undefined)
    return {
      status: "not_believed",
      problem: "With your checks.protect and checks.touches another judge would decide",
    };
  const strange = strangers(entries, before, after);
  if (strange.length > 0)
    return { status: "not_believed", problem: `Its room holds files of neither judge nor product: ${strange[0]}` };
  const room = await believed(ports, cwd, { ...first, entries, sealed: [] }, before, after, as);
  if (room?.tree === wanted && room)
    return {
      room,
      notes: ["uses the recorded files; today's settings would judge differently"],
      commands: first.commands,
    };
  room?.dispose();
  return GONE;
}

const JUDGES: readonly RoomRequest["judge"][] = ["old", "old only", "new"];
const GONE = { status: "not_kept", problem: "Its files are no longer kept, or not what they were" } as const;

/** Paths of a tree from another machine stay inside the room. */
async function believed(
  ports: RoomPorts,
  cwd: string,
  plan: RoomPlan,
  before: Snapshot,
  after: Snapshot,
  as: Standing,
): Promise<Room | undefined> {
  if (![...plan.entries.keys()].every((path) => isInside(asText(path)))) return undefined;
  const { repository: begun } = (before.note ?? {}) as Partial<Surroundings>;
  return makeRoom(ports, cwd, plan, after, lookAtRepository(ports.git, after.root, { begun, as }));
}

/** Manifests are put together from both; everything else is of one of them. */
function strangers(entries: Entries, before: Snapshot, after: Snapshot): readonly string[] {
  const all = [before.project, before.ignored, after.project, after.ignored];
  return [...entries].flatMap(([path, entry]) => {
    const text = asText(path);
    return mergeKind(text) !== undefined || all.some((one) => isSame(one.get(path), entry)) ? [] : [text];
  });
}

/** Programs of another machine lie elsewhere: what is not found where it was is looked for where it is. */
function withOwn(path: string, own: string | undefined): string {
  const known = path.split(delimiter);
  return [...known, ...foldersOf(own ?? "").filter((folder) => !known.includes(folder))].join(delimiter);
}

function differing(
  before: Surroundings,
  env: RoomPorts["env"],
  { files, programs }: ReturnType<typeof strayedSince>,
): readonly string[] {
  const variables = Object.keys(before.variables).filter(
    (name) =>
      !OF_THE_SHELL.test(name) &&
      !OF_PI.test(name) &&
      (env[name] === undefined || !isSameVariable(before, name, env[name])),
  );
  return [...variables, ...programs.map(({ name }) => name), ...(files.length > 0 ? ["settings at home"] : [])];
}

/** Differ from one terminal to the next, and steer nothing. */
const OF_THE_SHELL = /^(?:_|SHLVL|PWD|OLDPWD|TERM\w*|COLUMNS|LINES|WINDOWID|SSH_\w+|TMUX\w*|TILDONE_\w+)$/;
