import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createChecks, createWorkspace } from "../../checks/index.ts";
import { digestOf } from "../../core/call/index.ts";
import { DEFAULTS } from "../../core/continuation/index.ts";
import { answerToModel, readToolCall, type Trigger } from "../../core/react/index.ts";
import type { Run, StoredDecision } from "../../core/run/index.ts";
import type { PhaseDefinition } from "../../core/workflow/index.ts";
import { createEngine, type Engine, type Settled, type Store } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";
import { createFakeClock, type FakeClock } from "../fake-clock.ts";
import { createFakeHost, type FakeHost } from "../fake-host.ts";
import { HOST_KINDS } from "../host-kinds.ts";
import { type Persona, type PersonaCall, SILENT, type Step } from "./persona.ts";

/** How it went: what the log says, and what it took. */
export interface Played {
  readonly run: Run;
  readonly store: Store;
  readonly decision: StoredDecision | undefined;
  readonly turns: number;
  readonly nudges: number;
  /** How often the model was asked. */
  readonly requests: number;
}

const SESSION = "persona";
const PROTECT = ["**/{test,tests}/**", "**/*.test.*", "**/{test_*,conftest}.py", "**/*_test.*"];
const MOST_REQUESTS = 1000;
const AGENT_MS = 60_000;
const COMPACTION_MS = 1000;

/**
 * Plays a persona against the real engine in a project on disk, with real checks and a clock that moves only when nothing
 * else is left to do. A run that takes more than `mostTurns` has no end.
 */
export async function playPersona(persona: Persona, mostTurns = 200): Promise<Played> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "persona-")));
  try {
    return await play(persona, home, mostTurns);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 10 }); // what runs in the background may be laying out a room
  }
}

async function play(persona: Persona, home: string, mostTurns: number): Promise<Played> {
  const cwd = join(home, "project");
  mkdirSync(join(home, "bin"));
  const env = {
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    HOME: home,
    npm_config_update_notifier: "false",
    ...ofToolchains(process.env),
    ...persona.env,
  };
  layOut(cwd, persona, env);
  const clock = createFakeClock(1_800_000_000_000);
  const store = memoryStore();
  const workspace = createWorkspace({ clock, env });
  const guard = {
    directory: join(home, "state"),
    scratch: home,
    protect: PROTECT,
    ...(persona.touches && { touches: persona.touches }),
  };
  const confine = { mode: "auto", network: false, env, home, hidden: [guard.directory] } as const;
  const host = createFakeHost(HOST_KINDS.print);
  const engine = createEngine({
    store,
    host,
    clock,
    cwd,
    workspace,
    checks: createChecks({ clock, env, workspace, guard, confine }),
    driver: "persona",
    newRunId: () => "run-1",
    context: () => ({ limits: { ...DEFAULTS, ...persona.limits }, allowsCheck: (run) => `${run}`.startsWith("sh ") }),
    birth: () => ({
      budget: persona.budget,
      checks: persona.checks.map((run) => ({ run, by: "human" })),
      requirements: [],
    }),
  });
  try {
    return await converse({ persona, engine, host, store, clock, cwd, env }, mostTurns);
  } finally {
    engine.dispose();
  }
}

interface Stage {
  readonly persona: Persona;
  readonly engine: Engine;
  readonly host: FakeHost;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

async function converse(stage: Stage, mostTurns: number): Promise<Played> {
  const { persona, engine, host, store } = stage;
  const model = persona.plays();
  const tell = (trigger: Trigger) => engine.tell(SESSION, trigger);
  let [turns, nudges, requests] = [0, 0, 0];
  let user = persona.asks;
  let results: readonly string[] = [];
  await tell({ type: "human.spoke" });
  if (persona.workflow) await tell(startOf(persona.workflow));

  for (;;) {
    if (++turns > mostTurns) throw new Error(`${persona.name}: no end after ${mostTurns} turns`);
    await tell({ type: "turn.started", turn: `turn-${turns}`, cause: turns === 1 ? "human" : "nudge" });
    const end = await takeTurn();
    const settled = await carriedOut(stage, engine.settle(SESSION, end));
    if (settled.type !== "nudge") break;
    nudges++;
    user = settled.nudge.text;
  }
  const run = engine.run(SESSION);
  if (!run) throw new Error(`${persona.name}: there never was a run`);
  return { run, store, decision: run.ledger.decision, turns, nudges, requests };

  /** Until the model has nothing more to call, or the engine ends it. */
  async function takeTurn(): Promise<Trigger & { type: "turn.ended" }> {
    let text = "";
    let used = 0;
    const braked = host.ends.length;
    for (;;) {
      if (++requests > MOST_REQUESTS) throw new Error(`${persona.name}: no end after ${MOST_REQUESTS} requests`);
      const { value = SILENT } = model.next({ user, results, turn: turns });
      const step: Step = value;
      if (!step.fails) used++;
      results = await callTools(step.calls ?? []);
      text = step.say ?? text;
      await happen(step);
      const usage = { input: 1000 * used, output: 100 * used, cacheRead: 0, cacheWrite: 0, cost: 0.01 * used };
      if (step.fails) return { type: "turn.ended", outcome: "failed", usage, failure: failureOf(step.fails) };
      if (step.meanwhile === "human aborts" || host.ends.length > braked)
        return { type: "turn.ended", outcome: "aborted", usage };
      if (!step.calls?.length) return { type: "turn.ended", outcome: "completed", text, usage };
      const renewed = engine.mayRenew(SESSION) ? await tell({ type: "conversation.renew" }) : undefined;
      if (renewed?.type === "done") [user, results] = [renewed.text, []]; // all that it knows from here on
    }
  }

  async function callTools(calls: readonly PersonaCall[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const call of calls) answers.push(await callTool(stage, call, tell));
    return answers;
  }

  function failureOf({ kind, resetInMs }: NonNullable<Step["fails"]>) {
    const resetAt = resetInMs === undefined ? {} : { resetAt: stage.clock.now() + resetInMs };
    return { kind, message: `the provider failed: ${kind}`, ...resetAt };
  }

  async function happen({ meanwhile }: Step): Promise<void> {
    if (meanwhile === "host compacts") {
      await tell({ type: "compaction.began" });
      stage.clock.setTimer(stage.clock.now() + COMPACTION_MS, () => void tell({ type: "compaction.ended" }));
    }
    if (meanwhile === "agent works on") {
      await tell({ type: "background.changed", agents: 1, awaited: 0 });
      stage.clock.setTimer(
        stage.clock.now() + AGENT_MS,
        () => void tell({ type: "background.changed", agents: 0, awaited: 0 }),
      );
    }
  }
}

/** Waits for the boundary: real time while checks run, and moves the clock on when only time is left to wait for. */
async function carriedOut({ engine, clock }: Stage, settling: Promise<Settled>): Promise<Settled> {
  let settled: Settled | undefined;
  void settling.then((value) => {
    settled = value;
  });
  while (!settled) {
    await clock.settle();
    const ledger = engine.run(SESSION)?.ledger;
    const waits = ["waiting", "countdown", "parked"].includes(ledger?.boundary?.status ?? "");
    if (!settled && waits && !ledger?.verifying) await clock.advance(100);
  }
  return settled;
}

async function callTool(
  { cwd, env }: Stage,
  call: PersonaCall,
  tell: (trigger: Trigger) => ReturnType<Engine["tell"]>,
): Promise<string> {
  const own = readToolCall(call.tool, call.input, "model");
  switch (own.type) {
    case "trigger":
      return answerToModel(await tell(own.trigger)).text;
    case "refused":
      return own.refusal.message;
    case "list":
      return "";
    case "unknown": {
      const result = perform(cwd, env, call);
      await tell({ type: "call.seen", digest: digestOf(call.tool, call.input, result) });
      return result;
    }
  }
}

function perform(cwd: string, env: Stage["env"], call: PersonaCall): string {
  switch (call.tool) {
    case "write_file":
      write(cwd, call.input.path, call.input.content);
      return `wrote ${call.input.path}`;
    case "read_file":
      return readFileSync(join(cwd, call.input.path), "utf8");
    case "run": {
      const { stdout, status } = spawnSync("/bin/sh", ["-c", call.input.command], {
        cwd,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      return `${stdout}(exit ${status})`;
    }
    default:
      throw new Error(`no host has a tool ${call.tool}`);
  }
}

/** Installed for the one who runs the tests, and found through their home. */
const ofToolchains = ({ HOME: home = "", ...env }: NodeJS.ProcessEnv): Readonly<Record<string, string>> => ({
  PYENV_ROOT: env.PYENV_ROOT ?? join(home, ".pyenv"),
  CARGO_HOME: env.CARGO_HOME ?? join(home, ".cargo"),
  RUSTUP_HOME: env.RUSTUP_HOME ?? join(home, ".rustup"),
});

function layOut(cwd: string, { project, setUp, isBare }: Persona, env: Stage["env"]): void {
  for (const [path, content] of Object.entries(project)) write(cwd, path, content);
  if (setUp !== undefined) execFileSync("/bin/sh", ["-c", setUp], { cwd, env, stdio: "ignore" });
  if (isBare) return;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=persona", "-c", "user.email=persona@localhost", ...args], {
      cwd,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "the project");
}

function write(cwd: string, path: string, content: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
}

function startOf({ key, phases }: NonNullable<Persona["workflow"]>): Trigger {
  const definition = {
    key,
    name: key,
    commandName: key,
    show: "user",
    initialMessage: "{description}",
    loopable: true,
    sessionNamePrefix: "",
    sessionNameMaxLength: 50,
    phases: phases.map(
      (id): PhaseDefinition => ({
        id,
        name: id,
        emoji: "",
        instructions: `Do ${id}.`,
        tools: { rule: "all" },
        availableProfiles: [],
        checks: [],
        todos: [],
      }),
    ),
  } as const;
  return {
    type: "workflow.start",
    start: {
      workflowKey: key,
      forest: [definition],
      fingerprint: key,
      description: "Improve it",
      taskId: "wf-1",
      whenActive: "refuse",
    },
  };
}
