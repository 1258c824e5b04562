import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import type { NotPacked } from "../../checks/index.ts";
import { systemClock } from "../../compose/index.ts";
import { directories } from "../../config/index.ts";
import { proofsIn } from "../../core/proof/index.ts";
import { counted, parseSpan, span } from "../../core/text/index.ts";
import { isWorking, livingDriver, type RunCard, readEvents, type Store } from "../../engine/index.ts";
import { type Command, Failure, type Given, has, text, UsageError } from "../command.ts";
import { removeFleetRuns } from "../fleet/remove-fleet-runs.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { oldRuns, removeRuns } from "../keep-log.ts";
import { pickHere, pickRun } from "../pick-run.ts";
import { writeProofFile } from "../proof-file.ts";
import { refuseAgent } from "../speaker.ts";
import { whoDrives } from "../who-drives.ts";

export const runs: Command = {
  name: "runs",
  takes: "<export|prune|delete> [run]",
  summary: "Exports a run's log, removes old runs, or deletes one.",
  examples: [
    ["tildone runs export [run] --to file.jsonl", "the log, one JSON object per line"],
    ["tildone runs export [run] --proof file", "the log and the files its receipts name,\nfor tildone verify --from"],
    ["tildone runs prune --older-than 30d", "remove ended and stopped runs"],
    ["tildone runs prune --fleet --older-than 90d", "runs of the fleet that are over"],
    ["tildone runs delete <run>", "remove one run"],
  ],
  completes: [["export", "prune", "delete"], "run"],
  options: {
    to: {
      type: "string",
      completes: "file",
      value: "file",
      says: "export: write to this file instead of the terminal.",
    },
    proof: {
      type: "string",
      completes: "file",
      value: "file",
      says: "export: write what `tildone verify --from` needs elsewhere.",
    },
    "older-than": { type: "string", value: "time", says: "prune: untouched for so long (30d, 12h); 30d without it." },
    fleet: { type: "boolean", says: "prune: runs of the fleet that are over, instead of those on this machine." },
    "dry-run": { type: "boolean", says: "prune, delete: only say what would be removed." },
    yes: { type: "boolean", short: "y", says: "prune, delete: do not ask." },
    force: { type: "boolean", says: "delete: even if the run is being worked on." },
  },
  words: 2,
  run: (given, io) =>
    withStore(io, async (store) => {
      const [action, named] = given.words;
      switch (action) {
        case "export":
          return text(given, "proof") === undefined
            ? exportRun(store, await pickHere(store, named, io), given, io)
            : exportProof(store, await pickHere(store, named, io), given, io);
        case "prune":
          return prune(store, given, io);
        case "delete":
          return remove(store, named, given, io);
        default:
          throw new UsageError(
            action === undefined
              ? "Say what: tildone runs export, prune or delete."
              : `There is no "runs ${action}": export, prune or delete.`,
          );
      }
    }),
};

/** What is written is what stands there, also an event that this version does not know; what is no event is counted. */
async function exportRun(store: Store, card: RunCard, given: Given, io: Io): Promise<number> {
  const file = text(given, "to");
  let unread = 0;
  const write = (line: (text: string) => void) => writeLog(store, card.run, line, () => void unread++, io);
  const count = await (file === undefined ? write(io.out) : writeFile(resolve(io.cwd, file), write));
  if (file !== undefined) io.out(`Wrote ${counted(count, "event")} of ${card.run} to ${file}.`);
  if (unread > 0) io.err(`${counted(unread, "event")} could not be read and ${unread === 1 ? "is" : "are"} left out.`);
  return 0;
}

/** Resolves with how many it wrote. */
async function writeLog(
  store: Store,
  run: string,
  line: (text: string) => void,
  unread: () => void,
  io: Io,
): Promise<number> {
  let written = 0;
  for (let at = 0, tail = store.log.read(run, at, PAGE); tail.last > at; tail = store.log.read(run, at, PAGE)) {
    const known = tail.unread.flatMap(({ row }) => row ?? []);
    const rows = [...tail.events, ...known].sort((a, b) => a.seq - b.seq);
    for (const row of rows) line(JSON.stringify({ run, ...row }));
    written += rows.length;
    for (const { row } of tail.unread) if (row === undefined) unread();
    at = tail.last;
    await io.taken?.();
  }
  return written;
}

/** The log and the trees that its receipts name: what they prove can be repeated where nothing else of this machine is. */
async function exportProof(store: HomeStore, card: RunCard, given: Given, io: Io): Promise<number> {
  const file = text(given, "proof")!;
  if (text(given, "to") !== undefined) throw new UsageError("Use --to or --proof, not both.");
  const { cases } = proofsIn(readEvents(store.log, card.run));
  const proofs = cases.flatMap(({ receipt }) => receipt.proof ?? []);
  const names = proofs.flatMap(({ tree, judge }) => (tree === undefined || judge === undefined ? [] : [tree, judge]));
  if (names.length === 0)
    throw new Failure(`No receipt of ${card.run} can be repeated elsewhere: its checks ran in place, or it has none.`);
  if (!existsSync(card.cwd)) throw new Failure(`The folder of ${card.run} is gone: ${card.cwd}. Nothing was written.`);
  const { state } = directories({ env: io.env, home: io.home });
  const { proofFiles } = await import("../../checks/index.ts");
  const files = proofFiles({ clock: systemClock(), env: io.env, directory: join(state, "snapshots") });
  const packed = await files.pack(card.cwd, { names, rooms: proofs.flatMap(({ room }) => room ?? []) });
  if (typeof packed === "string") throw new Failure(`${whyNotPacked(packed, card.run)} Nothing was written.`);
  const lines: string[] = [];
  let unread = 0;
  await writeLog(
    store,
    card.run,
    (line) => void lines.push(line),
    () => void unread++,
    io,
  );
  const { pack, prefix, ignored, large } = packed;
  writeProofFile(resolve(io.cwd, file), { run: card.run, prefix, lines, pack });
  io.out(`Wrote the proof of ${card.run} to ${file}: ${lines.length} events and all files that were judged.`);
  if (ignored.length > 0)
    io.out(`It holds files that git ignores: ${some(ignored)}. Look at them before you share it.`);
  if (large.length > 0) io.out(`Too large to travel, so they have to be there: ${some(large)}.`);
  io.out(`Repeat it in another clone: tildone verify --from ${file}`);
  if (unread > 0) io.err(`${counted(unread, "event")} could not be read and ${unread === 1 ? "is" : "are"} left out.`);
  return 0;
}

function whyNotPacked(why: NotPacked, run: string): string {
  return why === "too_large"
    ? `The files that the receipts of ${run} name are too many for one proof: over 256 MB. Repeat it here: tildone verify ${run}.`
    : `Part of what the receipts of ${run} name is no longer kept, so its proof cannot be taken elsewhere.`;
}

const some = (paths: readonly string[]): string =>
  `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;

const PAGE = 1000;

async function writeFile(path: string, write: (line: (text: string) => void) => Promise<number>): Promise<number> {
  const file = openSync(path, "w", 0o600);
  try {
    return await write((text) => void writeSync(file, `${text}\n`));
  } finally {
    closeSync(file);
  }
}

async function prune(store: HomeStore, given: Given, io: Io): Promise<number> {
  const wanted = text(given, "older-than") ?? "30d";
  const age = parseSpan(wanted);
  if (age === undefined) throw new UsageError(`"${wanted}" is not a time: 30d, 12h, 90m.`);
  if (has(given, "fleet"))
    return removeFleetRuns({ which: { olderThanMs: age }, agreed: (count) => agreed(store, count, given, io) }, io);
  const old = oldRuns(store, age, io.now());
  if (old.length === 0) {
    io.out(`No ended or stopped run is older than ${span(age)}.`);
    return 0;
  }
  return removeAll(store, old, given, io);
}

async function remove(store: HomeStore, named: string | undefined, given: Given, io: Io): Promise<number> {
  if (named === undefined) throw new UsageError("delete needs the run: tildone runs delete <run>.");
  const card = await pickRun(store, named, io);
  const { run } = card;
  if (store.isOfFleet(run))
    return removeFleetRuns({ which: { run }, agreed: (count) => agreed(store, count, given, io, run) }, io);
  const drivers = store.drivers.of(card);
  const driver = livingDriver(card, drivers);
  if (isWorking(card, drivers, io.now()) && !has(given, "force"))
    throw new Failure(
      `${card.run} is being worked on${driver ? ` by ${whoDrives(driver)}` : ""}. End that first, or add --force.`,
    );
  return removeAll(store, [card], given, io);
}

async function removeAll(store: HomeStore, cards: readonly RunCard[], given: Given, io: Io): Promise<number> {
  for (const card of cards) io.out(`${card.run}  ${card.host}  ${card.cwd}  ${span(io.now() - card.updated)} ago`);
  const only = cards.length === 1 ? cards[0]!.run : undefined;
  if (await agreed(store, cards.length, given, io, only)) io.out(`${await removeRuns(store, cards, io)}.`);
  return 0;
}

/** Asked after what would be removed was shown. */
async function agreed(store: HomeStore, count: number, given: Given, io: Io, only?: string): Promise<boolean> {
  if (has(given, "dry-run")) {
    io.out(`Would remove ${counted(count, "run")}; nothing was removed.`);
    return false;
  }
  refuseAgent(store, io, "remove", only);
  if (has(given, "yes")) return true;
  const answer = await io.ask(`Remove ${counted(count, "run")} for good? [y/N] `);
  if (answer === undefined) throw new UsageError("There is no terminal to ask on. Add --yes to remove them.");
  if (/^y(es)?$/i.test(answer.trim())) return true;
  io.out("Nothing was removed.");
  return false;
}
