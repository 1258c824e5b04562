import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checksFor, systemClock } from "../../compose/index.ts";
import { directories, loadConfig, sayProblem } from "../../config/index.ts";
import { type ProofCase, type Proofs, proofsIn } from "../../core/proof/index.ts";
import { isMidWork } from "../../core/run/index.ts";
import { isWorking, readEvents } from "../../engine/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, number, text, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { pickHere } from "../pick-run.ts";
import { damaged, readProofFile } from "../proof-file.ts";
import { repeatAll } from "../repeat-all.ts";

export const verify: Command = {
  name: "verify",
  takes: "[run]",
  summary: "Repeats every check of a run in a clean copy of its files and compares the results.",
  examples: [
    ["tildone verify", "the run of this folder"],
    ["tildone verify <run> --todo 2", "only what proves todo [2]"],
    ["tildone runs export <run> --proof file", "take the proof to another machine"],
    ["tildone verify --from file", "repeat it there; asks before it runs commands"],
  ],
  details: "Exit code 0: every check is reproduced; 1: one is not. Your files are not touched.",
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    todo: { type: "string", completes: "todo", value: "n", says: "Only the receipts of todo n." },
    from: {
      type: "string",
      completes: "file",
      value: "file",
      says: "Verify what `tildone runs export --proof` wrote.",
    },
    yes: { type: "boolean", short: "y", says: "With --from: run the commands of the file without asking." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, (store) => {
      const file = text(given, "from");
      if (file !== undefined && given.words.length > 0)
        throw new UsageError("The file of --from names its run: leave the run out.");
      return file === undefined ? verifyHere(store, given, io) : verifyFile(store, file, given, io);
    }),
};

async function verifyHere(store: HomeStore, given: Given, io: Io): Promise<number> {
  const card = await pickHere(store, given.words[0], io);
  const proofs = proofsIn(readEvents(store.log, card.run));
  const cases = chosen(proofs, given);
  // A host that is open is no work: its run may have stopped.
  if (isMidWork(proofs.run) && isWorking(card, store.drivers.of(card), io.now()))
    io.err(`${card.run} is being worked on: these are its receipts so far.`);
  if (!existsSync(card.cwd))
    throw new Failure(`The folder of ${card.run} is gone: ${card.cwd}. What its receipts name belongs to that folder.`);
  const { state } = directories({ env: io.env, home: io.home });
  const checks = await checksAt(card.cwd, join(state, "snapshots"), store, io);
  return repeatAll({ run: card.run, cases, cwd: card.cwd, checks, isJson: has(given, "json") }, io);
}

/** The file may come from another person: its content is checked against its names, and its commands run only if you say so. */
async function verifyFile(store: HomeStore, file: string, given: Given, io: Io): Promise<number> {
  const { run, prefix, log, pack } = readProofFile(resolve(io.cwd, file), file);
  const cases = chosen(proofsIn(log), given);
  if (!(await mayRun(cases, file, given, io))) {
    io.err("Nothing was run.");
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), "tildone-proof-"));
  try {
    const { proofFiles } = await import("../../checks/index.ts");
    const files = proofFiles({ clock: systemClock(), env: io.env, directory: folder });
    if (!(await files.unpack(io.cwd, pack))) throw damaged(file, "the files in it are not whole");
    const checks = await checksAt(io.cwd, folder, store, io);
    return await repeatAll({ run, cases, cwd: io.cwd, prefix, checks, isJson: has(given, "json") }, io);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function mayRun(cases: readonly ProofCase[], file: string, given: Given, io: Io): Promise<boolean> {
  if (has(given, "yes")) return true;
  const commands = [...new Set(cases.map(({ receipt }) => receipt.command))];
  io.err(`${file} asks to run ${commands.length === 1 ? "this command" : `these ${commands.length} commands`} here:`);
  for (const command of commands) io.err(`  ${command}`);
  const answer = await io.ask("They run code that comes with the file. Run them? [y/N] ");
  if (answer === undefined && !io.signal.aborted)
    throw new UsageError("There is no terminal to ask on. If you trust the file, add --yes.");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function chosen({ run, cases }: Proofs, given: Given): readonly ProofCase[] {
  const todo = number(given, "todo");
  if (todo !== undefined && run.plan.todos[todo] === undefined)
    throw new UsageError(`${run.id} has no todo ${todo}. It has ${run.plan.todos.length}, counted from 0.`);
  const found = todo === undefined ? cases : cases.filter(({ index }) => index === todo);
  if (found.length > 0) return found;
  throw new Failure(
    `${todo === undefined ? run.id : `Todo [${todo}] of ${run.id}`} has no receipt: nothing to verify.`,
  );
}

async function checksAt(cwd: string, snapshots: string, store: HomeStore, io: Io) {
  const { env, home } = io;
  const loaded = await loadConfig({ cwd, env, home });
  if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
  const { state, config } = directories({ env, home });
  return checksFor({
    ...{ clock: systemClock(), env, home, snapshots, groups: store.groups },
    config: loaded.config,
    own: [state, config],
  });
}
