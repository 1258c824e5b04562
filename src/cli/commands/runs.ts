import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { parseSpan, span } from "../../core/text/index.ts";
import { isWorking, livingDriver, type RunCard, type Store } from "../../engine/index.ts";
import { type Command, Failure, type Given, has, text, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { pickRun } from "../pick-run.ts";
import { refuseAgent } from "../speaker.ts";
import { whoDrives } from "../who-drives.ts";

export const runs: Command = {
  name: "runs",
  takes: "<export|prune|delete> [run]",
  summary: "Exports a run's log, removes old runs, or deletes one.",
  details: `  tildone runs export [run] [--to file.jsonl]   the log, one JSON object a line
  tildone runs prune [--older-than 30d]         removes ended and stopped runs
  tildone runs delete <run>                     removes one run`,
  options: {
    to: { type: "string", value: "file", says: "export: write to this file instead of the terminal." },
    "older-than": { type: "string", value: "time", says: "prune: untouched for so long (30d, 12h); 30d without it." },
    "dry-run": { type: "boolean", says: "prune, delete: only say what would be removed." },
    yes: { type: "boolean", short: "y", says: "prune, delete: do not ask." },
    force: { type: "boolean", says: "delete: even if the run is being worked on." },
  },
  words: 2,
  run: (given, io) =>
    withStore(io, (store) => {
      const [action, named] = given.words;
      switch (action) {
        case "export":
          return exportRun(store, pickRun(store, named, io), given, io);
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
  const count = await (file === undefined ? write(io.out) : writeFile(resolve(io.cwd, file), write));
  if (file !== undefined) io.out(`Wrote ${count} event(s) of ${card.run} to ${file}.`);
  if (unread > 0) io.err(`${unread} event(s) could not be read and are left out.`);
  return 0;

  async function write(line: (text: string) => void): Promise<number> {
    let written = 0;
    for (
      let at = 0, tail = store.log.read(card.run, at, PAGE);
      tail.last > at;
      tail = store.log.read(card.run, at, PAGE)
    ) {
      const known = tail.unread.flatMap(({ row }) => row ?? []);
      const rows = [...tail.events, ...known].sort((a, b) => a.seq - b.seq);
      for (const row of rows) line(JSON.stringify({ run: card.run, ...row }));
      written += rows.length;
      unread += tail.unread.length - known.length;
      at = tail.last;
      await io.taken?.();
    }
    return written;
  }
}

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
  const now = io.now();
  const old = store.runs
    .list()
    .filter((card) => card.updated < now - age && !isWorking(card, store.drivers.of(card), now));
  if (old.length === 0) {
    io.out(`No ended or stopped run is older than ${span(age)}.`);
    return 0;
  }
  return removeAll(store, old, given, io);
}

async function remove(store: HomeStore, named: string | undefined, given: Given, io: Io): Promise<number> {
  if (named === undefined) throw new UsageError("delete needs the run: tildone runs delete <run>.");
  const card = pickRun(store, named, io);
  const drivers = store.drivers.of(card);
  const driver = livingDriver(card, drivers);
  if (isWorking(card, drivers, io.now()) && !has(given, "force"))
    throw new Failure(
      `${card.run} is being worked on${driver ? ` by ${whoDrives(driver)}` : ""}. End that first, or say --force.`,
    );
  return removeAll(store, [card], given, io);
}

async function removeAll(store: HomeStore, cards: readonly RunCard[], given: Given, io: Io): Promise<number> {
  for (const card of cards) io.out(`${card.run}  ${card.host}  ${card.cwd}  ${span(io.now() - card.updated)} ago`);
  if (has(given, "dry-run")) {
    io.out(`Would remove ${cards.length} run(s); nothing was removed.`);
    return 0;
  }
  refuseAgent(store, io, "remove", cards.length === 1 ? cards[0]!.run : undefined);
  if (!has(given, "yes")) {
    const answer = await io.ask(`Remove ${cards.length} run(s) for good? [y/N] `);
    if (answer === undefined) throw new UsageError("There is nobody to ask here; say --yes to remove them.");
    if (!/^y(es)?$/i.test(answer.trim())) {
      io.out("Nothing was removed.");
      return 0;
    }
  }
  for (const { run } of cards) store.runs.remove(run);
  io.out(`Removed ${cards.length} run(s).`);
  return 0;
}
