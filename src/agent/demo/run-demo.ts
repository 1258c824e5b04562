import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { SessionManager, SettingsManager } from "@earendil-works/pi-coding-agent";
import type { Environment } from "../../config/index.ts";
import { lineFor, lineForCall } from "../narrator.ts";
import type { Outcome } from "../outcome.ts";
import { type Progress, runHeadless } from "../run-headless.ts";
import { SCRIPT } from "./script.ts";
import { scriptedRuntime } from "./scripted-runtime.ts";
import { layOut } from "./workspace.ts";

export interface DemoOptions {
  readonly env: Environment;
  readonly out: (line: string) => void;
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
    out(`A small program with three bugs is in ${project}.`);
    out("The model is a script that behaves badly. Everything else is real.");
    out("");
    const { outcome, run } = await runHeadless({
      prompt: "Mend this program. Write a list first.",
      goal: "Mend this program",
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
        if (line !== undefined) out(line);
      },
      onOpen: ({ scheduler }) =>
        scheduler.observe((update) => {
          if (update.type !== "call.entered" || update.call.status !== "awaiting_approval") return;
          out('  demo    answers "yes, this once" in your place');
          scheduler.approve(update.call.request.id, { type: "once" });
        }),
    });
    out("");
    out(`Result: ${outcome.says}`);
    for (const line of tally.report(run?.plan.todos.length ?? 0)) out(`  - ${line}`);
    return { outcome, ...(keep && { folder: root }) };
  } finally {
    if (!keep) rmSync(root, { recursive: true, force: true });
  }
}

/** The project's tests run on the node that runs the demo. */
const pathWithThisNode = (path: string | undefined): string =>
  [dirname(process.execPath), ...(path ? [path] : [])].join(delimiter);

function said(progress: Progress): string | undefined {
  switch (progress.type) {
    case "said":
      return `  agent   "${progress.text}"`;
    case "notice":
      return `  tildone ${progress.text}`;
    case "fault":
      return `  fault   ${progress.message}`;
    case "event": {
      const line = lineFor(progress.event, progress.run);
      return line && `  tildone ${line}`;
    }
    case "call": {
      const line = lineForCall(progress.update);
      return line && `  tool    ${line}`;
    }
  }
}

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
      `stopped early ${many(counts.sentOn, "time")} and was told to continue`,
      `asked permission ${many(counts.asked, "time")} without needing it`,
      `claimed ${many(counts.refused, "time")} to be done when the check failed`,
      `${many(counts.failed, "tool call")} failed; the run continued`,
      `${many(counts.approvals, "call")} needed your approval`,
    ],
  };
}

const many = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
