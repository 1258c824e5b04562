import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager, SettingsManager } from "@earendil-works/pi-coding-agent";
import type { Environment } from "../../config/index.ts";
import { lineForCall } from "../narrator.ts";
import type { Outcome } from "../outcome.ts";
import { type Progress, runHeadless } from "../run-headless.ts";
import { type DemoLine, eventLines, plain, saidLine } from "./demo-line.ts";
import { SCRIPT } from "./script.ts";
import { scriptedRuntime } from "./scripted-runtime.ts";
import { createTally } from "./tally.ts";
import { layOut, pathWithThisNode } from "./workspace.ts";

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
  const home = join(root, "tildone");
  const project = layOut(root, home);
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
        count(progress, tally);
        for (const line of said(progress)) out(line);
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

function said(progress: Progress): readonly DemoLine[] {
  switch (progress.type) {
    case "said":
      return [saidLine(progress.text)];
    case "notice":
      return [{ who: "tildone", text: progress.text, tone: "plain" }];
    case "fault":
      return [{ who: "tildone", text: progress.message, tone: "bad" }];
    case "event":
      return eventLines(progress.event, progress.run);
    case "call": {
      const text = lineForCall(progress.update);
      const tone = progress.update.type === "call.failed" ? "bad" : "dim";
      return text === undefined ? [] : [{ who: "tool", text, tone }];
    }
  }
}

function count(progress: Progress, tally: ReturnType<typeof createTally>): void {
  if (progress.type === "said") tally.said(progress.text);
  if (progress.type === "call" && progress.update.type === "call.failed") tally.callFailed();
  if (progress.type === "event") tally.logged(progress.event.event);
}
