import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newRunId } from "../../compose/index.ts";
import { stopRow } from "../../core/reason/index.ts";
import type { FleetRun, Ledger, Submission } from "../../fleet/index.ts";
import { type Script, startScriptedModel } from "../../scripted/index.ts";
import { Failure } from "../command.ts";
import type { Io } from "../io.ts";
import { packaged } from "../packaged.ts";
import { wrap } from "../wrap.ts";

const FILES = ["apple", "pear", "plum"];
const LOOK_MS = 200;
const PATIENCE_MS = 120_000;
/** Long enough to be in the middle of a turn when its worker dies. */
const ANSWER_MS = 500;

/** A goal that survives the death of its worker: real database, real workers, real agent and checks; only the model is a script. */
export async function fleetDemo(keep: boolean, io: Io): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "tildone-fleet-"));
  const say = (text: string) => io.out(wrap(text, io.columns));
  const closing: (() => Promise<unknown> | unknown)[] = [];
  try {
    const { initFleet, openLedger, startLocalPostgres, submitGoal } = await import("../../fleet/index.ts");
    execFileSync("chmod", ["711", root]); // the user postgres passes through it, where we are root
    say("Starting a PostgreSQL and two workers in a temporary folder. The model is a script; all else is real.");
    const postgres = await startLocalPostgres({ folder: join(root, "postgres"), password: newRunId(), port: 0 });
    closing.push(() => postgres.stop());
    const access = { url: postgres.url, schema: "tildone" };
    await initFleet(access);
    const model = await startScriptedModel(scriptOf(io));
    closing.push(() => model.close());
    const workers = new Map(["one", "two"].map((name) => [name, startWorker(name, root, access.url, io)]));
    closing.push(() => Promise.all([...workers.values()].map(end)));
    await Promise.all([...workers.values()].map(begun));
    const ledger = await openLedger(access);
    closing.push(() => ledger.close());
    const submission = submissionFor(repositoryIn(root), `${model.url}/v1`);
    const { run } = submission;
    await submitGoal(access, ledger, submission);
    say(`Submitted ${run}: "${submission.goal}"`);

    const working = await until(
      ledger,
      run,
      io,
      ({ seq, checkpoint }) => (checkpoint?.seq ?? 0) > 15 && seq > checkpoint!.seq + 3,
    );
    say(
      `Worker "${working.driver}" has it, ${working.seq} events so far, the last checkpoint after ${working.checkpoint?.seq}.`,
    );
    workers.get(working.driver ?? "")?.kill("SIGKILL");
    const died = io.now();
    say(`kill -9 of worker "${working.driver}", in the middle of a turn.`);
    const taken = await until(ledger, run, io, ({ epoch, state }) => epoch > working.epoch && state !== "queued");
    say(
      `Worker "${taken.driver}" took it over after ${((io.now() - died) / 1000).toFixed(1)} s, and continues from the checkpoint.`,
    );
    const done = await until(ledger, run, io, ({ state }) => state === "finished" || state === "parked");
    const lost = (await ledger.lostRows(run)).length;
    say(`${stopRow(done.outcome ?? done.state).says} ${lost} events of the cut-off turn are kept as lost.`);
    if (done.state === "finished") {
      const branch = `tildone/${run}`;
      const files = await pushed(join(root, "app.git"), branch, io);
      say(`Branch ${branch} has ${files.join(", ")}.`);
      if (!FILES.every((name) => files.includes(`${name}.txt`)))
        throw new Failure("the demo did not end as it should: files are missing in the branch.");
    } else say("It waits for your review, as it would on one machine: tildone accept signs it off.");
    say("\nNext: tildone fleet up, then tildone submit. See docs/how-to/fleet.md.");
    return 0;
  } finally {
    for (const close of closing.reverse()) await close();
    if (keep) say(`Kept: ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

/** What the model does follows from how far its conversation is: after a takeover that is the checkpoint. */
function scriptOf(io: Io): Script {
  const todos = FILES.map((name) => ({ text: `Write ${name}.txt`, check: `grep -q ${name} ${name}.txt` }));
  const steps = [
    { calls: [["write_todos", { mode: "replace", todos }]] as const },
    { text: "The list is written." },
    ...FILES.flatMap((name, index) => [
      { calls: [["edit_todos", { action: "start", indices: [index] }]] as const },
      { calls: [["write", { path: `${name}.txt`, content: `${name}\n` }]] as const },
      { calls: [["edit_todos", { action: "complete", indices: [index] }]] as const },
      { text: `${name}.txt is written.` },
    ]),
  ];
  return ({ messages }) => {
    const said = messages.filter(({ role }) => role === "assistant").length;
    return { ...steps[Math.min(said, steps.length - 1)]!, after: io.pause(ANSWER_MS) };
  };
}

const submissionFor = (repo: string, baseUrl: string): Submission => ({
  ...{ run: newRunId(), goal: "Write three files", repo, checks: FILES.map((name) => `grep -q ${name} ${name}.txt`) },
  ...{ queue: "runs", needs: [], priority: 10, budget: { minutes: 5 }, model: "scripted", baseUrl, approval: "yolo" },
  ...{ pr: false, by: "demo" },
});

function repositoryIn(root: string): string {
  const [folder, bare] = [join(root, "app"), join(root, "app.git")];
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "init.defaultBranch=main", ...args],
      { stdio: "ignore" },
    );
  mkdirSync(folder);
  writeFileSync(join(folder, "README.md"), "# A program\n");
  git("init", folder);
  git("-C", folder, "add", ".");
  git("-C", folder, "commit", "-m", "Begin");
  git("clone", "--bare", folder, bare);
  return bare;
}

function startWorker(name: string, root: string, url: string, io: Io): ChildProcess {
  const args = [
    "worker",
    "--json",
    "--id",
    name,
    "--slots",
    "1",
    "--lease",
    "3",
    "--allow",
    "*",
    "--state",
    join(root, name),
  ];
  return spawn(process.execPath, [packaged("tildone.js"), ...args], {
    cwd: root,
    env: { ...io.env, TILDONE_HOME: join(root, `home-${name}`), TILDONE_DATABASE_URL: url },
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
}

/** It prints one line when it works. */
const begun = (worker: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    worker.stdout?.once("data", () => done());
    worker.once("exit", (code) => fail(new Failure(`a worker ended with ${code ?? "a signal"} before it began.`)));
  });

function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    const patience = setTimeout(() => worker.kill("SIGKILL"), 5_000);
    worker.once("exit", () => {
      clearTimeout(patience);
      done();
    });
    worker.kill("SIGTERM");
  });
}

async function until(ledger: Ledger, run: string, io: Io, isSo: (run: FleetRun) => boolean): Promise<FleetRun> {
  for (const last = io.now() + PATIENCE_MS; io.now() < last && !io.signal.aborted; await io.pause(LOOK_MS)) {
    const found = await ledger.get(run);
    if (found && isSo(found)) return found;
    if (found?.state === "poisoned" || found?.state === "cancelled") break;
  }
  const { state, outcome } = (await ledger.get(run)) ?? {};
  throw new Failure(
    `the demo did not end as it should: ${run} is ${state ?? "gone"}${outcome ? ` (${outcome})` : ""}.`,
  );
}

/** The branch is pushed a moment after the run is over. */
async function pushed(bare: string, branch: string, io: Io): Promise<readonly string[]> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return execFileSync("git", ["-C", bare, "ls-tree", "--name-only", branch], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      })
        .trim()
        .split("\n");
    } catch {
      await io.pause(LOOK_MS);
    }
  }
  return [];
}
