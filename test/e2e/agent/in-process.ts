import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AssistantMessage,
  fauxAssistantMessage,
  fauxProvider,
  fauxToolCall,
  type Message,
} from "@earendil-works/pi-ai";
import { ModelRuntime, SessionManager, SettingsManager } from "@earendil-works/pi-coding-agent";
import { type HeadlessOptions, lineFor, lineForCall, type Progress, runHeadless } from "../../../src/agent/index.ts";
import type { RunEvent } from "../../../src/core/run/index.ts";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";

export interface AgentGiven
  extends Partial<Pick<HeadlessOptions, "goal" | "todos" | "plan" | "flags" | "agent" | "onOpen" | "prompt" | "stop">> {
  /** What the model does with each request. */
  readonly model: (request: ModelRequest, count: number) => Step;
  /** The user's configuration. */
  readonly config?: string;
  /** Nothing is kept of requests and events: what is weighed is the agent. */
  readonly forgets?: boolean;
  /** A home that other agents live in as well. */
  readonly home?: string;
}

/** The agent behind `tildone run` in this process: only its model is a script, and its command line is left out. */
export async function runAgent({ model: play, config, home, forgets = false, ...given }: AgentGiven) {
  const root = mkdtempSync(join(tmpdir(), "tildone-agent-"));
  const [project, tildone] = [join(root, "project"), join(home ?? root, "tildone")];
  for (const folder of [project, tildone]) mkdirSync(folder, { recursive: true });
  if (config !== undefined) writeFileSync(join(tildone, "config.yaml"), config);
  const requests: ModelRequest[] = [];
  const progress: Progress[] = [];
  let count = 0;
  const { modelRuntime, model } = await scripted(root, (request) => {
    count++;
    if (!forgets) requests.push(request);
    return play(request, count);
  });
  try {
    const { outcome, run } = await runHeadless({
      prompt: "do it",
      ...given,
      cwd: project,
      home: root,
      env: { PATH: process.env.PATH ?? "", TILDONE_HOME: tildone },
      modelRuntime,
      model,
      bare: true,
      agent: given.agent ?? "coder",
      flags: { approval: "auto-edit", ...given.flags },
      sessionManager: SessionManager.inMemory(project),
      settingsManager: SettingsManager.inMemory({ retry: { enabled: false }, compaction: { enabled: false } }),
      onProgress: (told) => {
        if (!forgets) progress.push(told);
      },
    });
    return {
      outcome,
      run: run!,
      requests,
      events: progress.flatMap((told) => (told.type === "event" ? [told.event.event as RunEvent] : [])),
      /** What the one who watches reads. */
      lines: progress.flatMap(lineOf),
      todos: (run?.plan.todos ?? []).map(({ text, status }) => `${text}: ${status}`),
    };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function lineOf(told: Progress): readonly string[] {
  const line =
    told.type === "event" ? lineFor(told.event, told.run) : told.type === "call" ? lineForCall(told.update) : undefined;
  return line === undefined ? [] : [line];
}

/** As many answers as any test could want. */
const ANSWERS = 3000;

async function scripted(root: string, play: (request: ModelRequest) => Step) {
  const faux = fauxProvider({ provider: "scripted", models: [{ id: "large", contextWindow: 10_000_000 }] });
  faux.setResponses(
    Array.from(
      { length: ANSWERS },
      () => (context: { readonly messages: readonly Message[]; readonly systemPrompt?: string }) =>
        answerOf(play(requestOf(context))),
    ),
  );
  const modelRuntime = await ModelRuntime.create({
    authPath: join(root, "auth.json"),
    modelsPath: null,
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(faux.provider);
  await modelRuntime.setRuntimeApiKey("scripted", "none");
  return { modelRuntime, model: faux.getModel() };
}

const ROLES = { user: "user", assistant: "assistant", toolResult: "tool" } as const;

function requestOf(context: { readonly messages: readonly Message[]; readonly systemPrompt?: string }): ModelRequest {
  return {
    system: context.systemPrompt ?? "",
    tools: [],
    messages: context.messages.flatMap((message) =>
      message.role in ROLES ? [{ role: ROLES[message.role as keyof typeof ROLES], text: textOf(message.content) }] : [],
    ),
    body: context,
  };
}

function answerOf({ text, calls, status, message }: Step): AssistantMessage {
  if (status !== undefined)
    return fauxAssistantMessage("", { stopReason: "error", errorMessage: `${status} ${message}` });
  if (!calls) return fauxAssistantMessage(text ?? "");
  return fauxAssistantMessage(
    calls.map(([name, args]) => fauxToolCall(name, args as Parameters<typeof fauxToolCall>[1])),
    { stopReason: "toolUse" },
  );
}

const textOf = (content: Message["content"]): string =>
  typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
