import { NO_USAGE, type RunEvent, versionOf } from "../../../src/core/run/index.ts";
import { openRun } from "../../../src/engine/index.ts";
import type { Folder } from "../../../src/fleet/runner/folder.ts";
import type { LocalLog } from "../../../src/fleet/runner/local-log.ts";
import type { Random } from "../../sim/random.ts";
import type { SimulatedFiles } from "./run-files.ts";
import type { Process, Wire } from "./wire.ts";

/** What an agent does with a run, on any machine. */
export interface Script {
  readonly run: string;
  /** Each is a change of the files, a line of the conversation and an event. */
  readonly steps: number;
  /** Before this step it asks you something, and waits. */
  readonly asksAt?: number;
  readonly needsApprovalAt?: number;
  /** Its process dies here, always. */
  readonly diesAt?: number;
  /** Whether it can be started at all. */
  readonly starts: boolean;
  /** Whether its worker may use the repository. */
  readonly isReachable: boolean;
}

export interface AgentParts {
  readonly wire: Wire;
  readonly random: Random;
  readonly process: Process;
  readonly script: Script;
  readonly cwd: string;
  readonly local: LocalLog;
  readonly folder: Folder;
  readonly files: SimulatedFiles;
  readonly now: () => number;
  /** Gives why nothing may leave. */
  readonly barrier: () => Promise<string | undefined>;
  /** Its next turn begins: something leaves for the model. */
  readonly leaves: () => void;
}

/** Works until there is nothing to do, you are needed, or it is refused at a barrier. Gives its exit code; null: its process died. */
export async function playAgent(parts: AgentParts, how: "begin" | "continue"): Promise<number | null> {
  const { wire, random, process, script, local, files, now } = parts;
  const { run } = script;
  await pause();
  if (!script.starts) return 1;
  if (how === "begin") begin();
  for (;;) {
    await pause();
    if (openRun(local.store.log, run).run.ledger.held) return stop("held");
    if (files.work().length === script.steps) {
      write({ type: "run.ended", reason: "all_done" });
      return 0;
    }
    if (files.work().length + 1 === script.asksAt && !isAnswered()) return stop("question");
    if ((await parts.barrier()) !== undefined) return 1;
    if (openRun(local.store.log, run).run.ledger.held) return stop("held"); // asked once more before anything leaves
    parts.leaves();
    const end = await turn();
    if (end !== "ended") return end;
  }

  async function turn(): Promise<"ended" | number | null> {
    const name = `t${local.last()}`;
    write({ type: "turn.started", turn: name, cause: "nudge" });
    for (let most = 1 + random.below(3); most > 0 && files.work().length < script.steps; most--) {
      const step = files.work().length + 1;
      await pause();
      if (step === script.diesAt) return null;
      if (step === script.needsApprovalAt && !(await isApproved(`a${step}`))) return stop("question");
      files.change([...files.work(), step]);
      converse(step);
      await pause();
      write({ type: "answer.seen", turn: name, usage: { ...NO_USAGE, output: 1 + random.below(100) } });
      write({
        type: "call.settled",
        call: stepName(step),
        tool: "edit",
        status: "success",
        effect: "done",
        digest: "",
      });
    }
    await pause();
    write({
      type: "turn.ended",
      turn: name,
      boundary: `b${local.last()}`,
      outcome: "completed",
      question: false,
      usage: NO_USAGE,
      activeMs: 0,
    });
    return "ended";
  }

  function begin(): void {
    const card = {
      run,
      host: "own",
      session: "s",
      cwd: parts.cwd,
      live: true,
      began: now(),
      updated: now(),
      summary: null,
    };
    const origin = { host: "own", session: "s", cwd: parts.cwd };
    write({ type: "run.began", run, origin, budget: {}, checks: [], requirements: [], seesCalls: true }, card);
    parts.folder.write(FILE, Buffer.from(`${JSON.stringify({ cwd: parts.cwd })}\n`));
  }

  /** Now and then it is compacted: everything is written anew. */
  function converse(step: number): void {
    const before = parts.folder.read(FILE).toString();
    const lines = random.chance(0.4)
      ? `${before.split("\n")[0]}\n${JSON.stringify({ steps: stepsIn(before) })}\n`
      : before;
    parts.folder.write(FILE, Buffer.from(`${lines}${JSON.stringify({ steps: [step] })}\n`));
  }

  async function isApproved(call: string): Promise<boolean> {
    const rows = () => local.store.log.read(run, 0).events;
    const isAnswered = () => rows().some(({ event }) => event.type === "approval.answered" && event.call === call);
    if (isAnswered()) return true;
    write({
      type: "approval.requested",
      approval: { call, tool: "shell", what: "rm", because: "rule", askedAt: now() },
    });
    for (let tries = 0; tries < 6 && !isAnswered(); tries++) await pause();
    return isAnswered();
  }

  function isAnswered(): boolean {
    const { events } = local.store.log.read(run, 0);
    const asked = events.findLastIndex(
      ({ event }) => event.type === "decision.made" && event.decision.rule === "question",
    );
    return asked >= 0 && events.slice(asked).some(({ by }) => by === "human");
  }

  function stop(reason: "held" | "question"): number {
    write({ type: "decision.made", boundary: `b${local.last()}`, decision: { type: "stop", rule: reason, reason } });
    return 0;
  }

  function write(event: RunEvent, card?: NonNullable<ReturnType<LocalLog["card"]>>): void {
    local.store.log.transact(run, local.last(), () => ({
      append: [{ at: now(), by: "engine", v: versionOf(event.type), event }],
      ...(card && { card, bind: card }),
      value: undefined,
    }));
  }

  function pause(): Promise<void> {
    return wire.pause(process, "agent");
  }
}

const FILE = "0_s.jsonl";
const stepName = (step: number): string => `step ${step}`;

/** Its first line is a header. A line that was damaged is no step at all. */
export const stepsIn = (conversation: string): readonly number[] =>
  conversation
    .split("\n")
    .slice(1, -1)
    .flatMap((line) =>
      /^\{"steps":\[[\d,]*\]\}$/.test(line) ? (JSON.parse(line) as { steps: number[] }).steps : [-1],
    );

/** The steps that a log tells of, in its order. */
export const stepsTold = (rows: readonly { readonly event: string }[]): readonly number[] =>
  rows
    .map(({ event }) => JSON.parse(event) as RunEvent)
    .flatMap((event) => (event.type === "call.settled" ? [Number(event.call.slice(stepName(0).length - 1))] : []));
