import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fauxAssistantMessage, fauxProvider, fauxToolCall } from "@earendil-works/pi-ai";
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  type ExtensionFactory,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { Clock, Store } from "../../../src/engine/index.ts";
import { tildoneExtension } from "../../../src/hosts/pi/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { type Call, createFakeClock } from "../../../src/testing/index.ts";

export interface InProcessOptions {
  readonly mode?: "tui" | "rpc" | "json" | "print";
  readonly clock?: Clock;
  readonly store?: Store;
  readonly sessionManager?: SessionManager;
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: readonly ExtensionFactory[];
  readonly after?: readonly ExtensionFactory[];
  readonly retries?: number;
  /** Bare pi, to compare with. */
  readonly bare?: boolean;
}

export type Answer = Parameters<ReturnType<typeof fauxProvider>["setResponses"]>[0][number];

/** The model speaks. */
export const says = (text: string): Answer => fauxAssistantMessage(text);
/** The model calls tools. */
export const calls = (...list: readonly Call[]): Answer =>
  fauxAssistantMessage(
    list.map(([name, args]) => fauxToolCall(name, args as Parameters<typeof fauxToolCall>[1])),
    { stopReason: "toolUse" },
  );
export const fails = (message: string): Answer =>
  fauxAssistantMessage("", { stopReason: "error", errorMessage: message });

/** Real pi in this process: its session, its loop, its extension runner; a model that follows a script; a faked terminal. */
export async function openInProcess(options: InProcessOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), "tildone-pi-"));
  const at = { cwd: root, agentDir: root };
  const faux = fauxProvider({ provider: "faux" });
  const modelRuntime = await ModelRuntime.create({
    authPath: join(root, "auth.json"),
    modelsPath: null,
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(faux.provider);
  await modelRuntime.setRuntimeApiKey("faux", "unused");
  const settingsManager = SettingsManager.inMemory({
    retry: { enabled: options.retries !== undefined, maxRetries: options.retries ?? 0, baseDelayMs: 1 },
    compaction: { enabled: false, keepRecentTokens: 10 },
  });
  const { clock = createFakeClock(1_000_000), store = memoryStore() } = options;
  const ours = tildoneExtension({
    clock,
    store,
    home: root,
    env: { TILDONE_HOME: join(root, "tildone"), ...options.env },
  });
  const resourceLoader = new DefaultResourceLoader({
    ...at,
    settingsManager,
    extensionFactories: [...(options.before ?? []), ...(options.bare ? [] : [ours]), ...(options.after ?? [])],
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
  });
  await resourceLoader.reload();
  const sessionManager = options.sessionManager ?? SessionManager.inMemory(root);
  const { session } = await createAgentSession({
    ...at,
    modelRuntime,
    model: faux.getModel(),
    resourceLoader,
    settingsManager,
    sessionManager,
  });
  const terminal = createTerminal();
  const events: string[] = [];
  const errors: string[] = [];
  session.subscribe(({ type }) => {
    events.push(type);
  });
  const bind = () =>
    session.bindExtensions({
      mode: options.mode ?? "print",
      uiContext: terminal.ui as never,
      onError: ({ event, error }) => errors.push(`${event}: ${error}`),
      commandContextActions: {
        waitForIdle: () => session.waitForIdle(),
        navigateTree: (id: string) => session.navigateTree(id, {}),
      } as never,
    });
  await bind();
  return {
    session,
    faux,
    terminal,
    events,
    errors,
    store,
    root,
    bind,
    /** Texts of the nudges that the session holds. */
    nudges: () => customs(session, "til-done-continue"),
    notices: () => notices(session),
    run: () => store.runs.find("pi", session.sessionManager.getSessionId()),
    [Symbol.asyncDispose]: async () => {
      session.dispose();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type InProcess = Awaited<ReturnType<typeof openInProcess>>;

/** Turns the event loop until it holds. There is a clock in the tests, but pi's own work takes real turns. */
export async function until(holds: () => boolean, what = "the condition"): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what} never came`);
    await new Promise((done) => setImmediate(done));
  }
}

function createTerminal() {
  const widgets = new Map<string, readonly string[]>();
  const statuses = new Map<string, string>();
  const said: string[] = [];
  const listeners = new Set<(data: string) => unknown>();
  /** What the user answers to questions, in order; without one: no. */
  const answers: boolean[] = [];
  const asked: string[] = [];
  const put = <T>(map: Map<string, T>, key: string, value: T | undefined) =>
    value === undefined ? map.delete(key) : map.set(key, value);
  const ui = {
    notify: (text: string) => said.push(text),
    setStatus: (key: string, text: string | undefined) => put(statuses, key, text),
    setWidget: (key: string, lines: readonly string[] | undefined) => put(widgets, key, lines),
    onTerminalInput: (listener: (data: string) => unknown) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    select: async () => undefined,
    confirm: async (title: string, text: string) => {
      asked.push(`${title}\n${text}`);
      return answers.shift() ?? false;
    },
    input: async () => undefined,
    editor: async () => undefined,
    custom: async () => undefined,
    theme: {
      fg: (_role: string, text: string) => text,
      bold: (text: string) => text,
      strikethrough: (text: string) => text,
    },
  };
  return {
    ui,
    widgets,
    statuses,
    said,
    answers,
    asked,
    press: (data: string) => {
      for (const listener of listeners) listener(data);
    },
    get watchers() {
      return listeners.size;
    },
    countdown: () => widgets.get("til-done-countdown")?.[0],
  };
}

function customs(session: AgentSession, type: string): readonly string[] {
  return session.sessionManager
    .getEntries()
    .flatMap((entry) => (entry.type === "custom_message" && entry.customType === type ? [String(entry.content)] : []));
}

function notices(session: AgentSession): readonly string[] {
  return session.sessionManager
    .getEntries()
    .flatMap((entry) =>
      entry.type === "custom" && entry.customType === "til-done-notice" ? [(entry.data as { text: string }).text] : [],
    );
}
