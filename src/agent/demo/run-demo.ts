import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { SessionManager, SettingsManager } from "@earendil-works/pi-coding-agent";
import type { Environment } from "../../config/index.ts";
import type { RunEvent } from "../../core/run/index.ts";
import { lineFor, lineForCall } from "../narrator.ts";
import type { Outcome } from "../outcome.ts";
import { type Progress, runHeadless } from "../run-headless.ts";
import { SCRIPT } from "./script.ts";
import { scriptedRuntime } from "./scripted-runtime.ts";
import { layOut } from "./workspace.ts";

/** One line of the demo: who did it, and how it is meant. */
export interface DemoLine {
  readonly who: "agent" | "tildone" | "tool" | "demo" | "";
  readonly text: string;
  readonly tone: "plain" | "dim" | "good" | "bad" | "nudge" | "strong";
}

export interface DemoOptions {
  readonly env: Environment;
  readonly out: (line: DemoLine) => void;
  /** A pause before each answer of the model, to watch it. */
  readonly pause: () => Promise<void>;
  readonly keep: boolean;
}

export interface DemoResult {
  readonly outcome: Outcome;
  readonly folder?: string;
}

/** The real agent, real tools, real files and real checks in a temporary folder; only the model is a script. */
export async function runDemo({ env, out, pause, keep }: DemoOptions): Promise<DemoResult> {
  const root = mkdtempSync(join(tmpdir(), "tildone-demo-"));
  const { project, home } = layOut(root);
  const tally = createTally();
  try {
    const { modelRuntime, model } = await scriptedRuntime(SCRIPT, root, pause);
    out(plain(`A small program with three bugs is in ${project}.`));
    out(plain("The model is a script that behaves badly. Everything else is real: agent, tools, files, checks."));
    out(plain(""));
    const { outcome, run } = await runHeadless({
      prompt: "Fix this program. Write a list first.",
      goal: "Fix this program",
      cwd: project,
      env: { ...env, TILDONE_HOME: home, PATH: pathWithThisNode(env.PATH) },
      home: root,
      modelRuntime,
      model,
      bare: true,
      sessionManager: SessionManager.inMemory(project),
      settingsManager: SettingsManager.inMemory({ retry: { enabled: false }, compaction: { enabled: false } }),
      onProgress: (progress) => {
        tally.take(progress);
        const line = said(progress);
        if (line) out(line);
      },
      onOpen: ({ scheduler }) =>
        scheduler.observe((update) => {
          if (update.type !== "call.entered" || update.call.status !== "awaiting_approval") return;
          out({ who: "demo", text: 'answers "yes, this once" in your place', tone: "dim" });
          scheduler.approve(update.call.request.id, { type: "once" });
        }),
    });
    out(plain(""));
    out({ who: "", text: `Result: ${outcome.says}`, tone: outcome.exit === 0 ? "good" : "bad" });
    for (const line of tally.report(run?.plan.todos.length ?? 0)) out(plain(`  - ${line}`));
    return { outcome, ...(keep && { folder: root }) };
  } finally {
    if (!keep) rmSync(root, { recursive: true, force: true });
  }
}

/** The project's tests run on the node that runs the demo. */
const pathWithThisNode = (path: string | undefined): string =>
  [dirname(process.execPath), ...(path ? [path] : [])].join(delimiter);

const plain = (text: string): DemoLine => ({ who: "", text, tone: "plain" });

function said(progress: Progress): DemoLine | undefined {
  switch (progress.type) {
    case "said":
      return { who: "agent", text: `"${progress.text}"`, tone: "plain" };
    case "notice":
      return { who: "tildone", text: progress.text, tone: "plain" };
    case "fault":
      return { who: "tildone", text: progress.message, tone: "bad" };
    case "event":
      return refusedClaim(progress.event.event) ?? eventLine(progress);
    case "call": {
      const text = lineForCall(progress.update);
      return text === undefined
        ? undefined
        : { who: "tool", text, tone: progress.update.type === "call.failed" ? "bad" : "dim" };
    }
  }
}

function eventLine({ event, run }: Progress & { type: "event" }): DemoLine | undefined {
  const { type } = event.event;
  const text = type === "approval.answered" ? undefined : lineFor(event, run); // the demo said that it answers
  if (text === undefined) return undefined;
  const isNudge = type === "decision.made" && event.event.decision.type === "continue";
  return { who: "tildone", text, tone: isNudge ? "nudge" : GOOD.has(type) ? "good" : "plain" };
}

const GOOD: ReadonlySet<string> = new Set(["todo.completed", "round.ended"]);

/** The moment that the demo is about: the agent says it is done, and the check says it is not. */
function refusedClaim(event: RunEvent): DemoLine | undefined {
  if (event.type !== "round.ended") return undefined;
  const failed = event.receipts.filter(({ status }) => status === "failed");
  if (failed.length === 0) return undefined;
  const names = failed.map(({ command }) => lastWord(command)).join(", ");
  return { who: "tildone", text: `✗ claim refused: ${names} still fail${failed.length === 1 ? "s" : ""}`, tone: "bad" };
}

/** `node --test test/slug.test.js` is known by the file that it runs. */
const lastWord = (command: string): string => basename(command.trim().split(/\s+/).at(-1) ?? "");

/** Counts what happened, from the log and not from the script. */
function createTally() {
  const counts = { sentOn: 0, asked: 0, refused: 0, failed: 0, approvals: 0, checks: 0 };
  let lastWords = "";
  return {
    take(progress: Progress): void {
      if (progress.type === "said") lastWords = progress.text.trim();
      if (progress.type === "call" && progress.update.type === "call.failed") counts.failed++;
      if (progress.type !== "event") return;
      const { event } = progress.event;
      if (event.type === "decision.made" && event.decision.type === "continue")
        lastWords.endsWith("?") ? counts.asked++ : counts.sentOn++;
      if (event.type === "approval.answered") counts.approvals++;
      if (event.type === "round.ended") {
        counts.checks += event.receipts.filter(({ status }) => status === "passed").length;
        counts.refused += event.receipts.filter(({ status }) => status === "failed").length;
      }
    },
    report: (todos: number): readonly string[] => [
      `${todos} todos, each with a check that tildone ran itself; ${counts.checks} checks passed`,
      `told to continue ${many(counts.sentOn + counts.asked, "time")}: stopped early ${many(counts.sentOn, "time")}, asked permission ${many(counts.asked, "time")}`,
      `${many(counts.refused, "claim")} refused: the check still failed`,
      `${many(counts.failed, "tool call")} failed; the run continued`,
      `${many(counts.approvals, "call")} needed your approval`,
    ],
  };
}

const many = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
