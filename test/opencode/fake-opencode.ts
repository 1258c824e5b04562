import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/engine/index.ts";
import type { Driver } from "../../src/hosts/opencode/capabilities.ts";
import type { Client, PromptBody, Stored, ToastBody } from "../../src/hosts/opencode/payload.ts";
import { createPlugin } from "../../src/hosts/opencode/plugin.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";

const ALLOW = [{ permission: "*", pattern: "*", action: "allow" }] as const;
const DENY = [...ALLOW, { permission: "edit", pattern: "*", action: "deny" }] as const;

type Hooks = Extract<Awaited<ReturnType<typeof createPlugin>>, { event: unknown }>;
type Item = string | readonly [status: string, content: string];
interface Speaker {
  readonly agent?: string;
  readonly sessionID?: string;
}

/** OpenCode as its plugin sees it, event by event in the orders that were recorded from the real one. */
export interface FakeOpenCode {
  readonly clock: FakeClock;
  readonly folder: string;
  readonly hooks: Hooks;
  /** What was sent, and to which session. */
  readonly prompts: readonly { readonly session: string; readonly body: PromptBody }[];
  /** Ids of parts that lie in the loop. */
  readonly laid: ReadonlySet<string>;
  readonly toasts: readonly ToastBody[];
  /** Answers to permissions that OpenCode was given. */
  readonly replies: readonly object[];
  /** Every call that the plugin made, by its name. */
  readonly asked: readonly string[];
  readonly said: string;
  todos: readonly object[];
  busy: Readonly<Record<string, unknown>>;
  /** How OpenCode takes the next prompts and answers reads. */
  prompting: "taken" | "refused" | "hangs" | "lost";
  reading: "answers" | "fails" | "hangs";
  replying: "taken" | "gone";
  /** The newest message that OpenCode stored, and the prompt that it answers. */
  newest: Stored | undefined;
  prompt: Stored | undefined;

  event(type: string, properties: object): Promise<void>;
  status(type: "busy" | "idle" | "retry", session?: string): Promise<void>;
  human(text: string, by?: Speaker): Promise<void>;
  /** A prompt with these parts, from any sender, and the work that it begins. */
  prompted(parts: readonly object[], by?: Speaker): Promise<void>;
  /** The list as the model writes it; items are called "item 0" and so on unless a status brings its own words. */
  list(...items: readonly Item[]): Promise<void>;
  call(tool: string, args: object, output?: string): Promise<void>;
  /** The user's words, a list, and the end of the turn. */
  begin(...items: readonly Item[]): Promise<void>;
  /** The newest prompt is taken up; the turn does this and ends. */
  turn(does?: () => Promise<unknown>): Promise<void>;
  error(name: string, data?: object): Promise<void>;
  /** What follows an error: idle, the stored error, and idle once more. */
  troubled(name: string, data?: object): Promise<void>;
  command(name: string, words?: string): Promise<string>;
  /** What lies in the loop was taken up. */
  forgetLaid(): void;
  /** The toasts so far are gone, as from a real screen. */
  forgetShown(): void;
  wait(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function openFakeOpenCode({
  driver = "idle",
  env = {},
  store = memoryStore(),
}: {
  readonly driver?: Driver;
  readonly env?: Readonly<Record<string, string>>;
  readonly store?: Store;
} = {}): Promise<FakeOpenCode> {
  const folder = mkdtempSync(join(tmpdir(), "tildone-opencode-"));
  const clock = createFakeClock(1_000_000);
  const prompts: { session: string; body: PromptBody }[] = [];
  const toasts: ToastBody[] = [];
  const asked: string[] = [];
  const replies: object[] = [];
  const laid = new Set<string>();
  let messages = 0;

  const read = async <T>(name: string, value: () => T): Promise<{ data?: T; error?: unknown }> => {
    asked.push(name);
    if (fake.reading === "hangs") return new Promise(() => {});
    return fake.reading === "fails" ? { error: { name: "Unavailable" } } : { data: value() };
  };
  const client: Client = {
    session: {
      prompt: async ({ path, body }) => {
        asked.push("session.prompt");
        const id = `m${++messages}`;
        laid.add(`${id}.part`);
        await hooks["chat.message"]({ sessionID: path.id }, { message: { id, ...body }, parts: [...body.parts] });
        prompts.push({ session: path.id, body });
        return { data: { info: { id }, parts: [{ id: `${id}.part` }] } };
      },
      promptAsync: async ({ path, body }) => {
        asked.push("session.promptAsync");
        if (fake.prompting === "refused") return { error: { name: "Busy" } };
        prompts.push({ session: path.id, body });
        if (fake.prompting === "hangs") return new Promise(() => {});
        if (fake.prompting === "lost") throw new Error("socket hang up");
        return {};
      },
      get: ({ path: { id } }) => read("session.get", () => (id.startsWith("child") ? { parentID: "root" } : {})),
      todo: () => read("session.todo", () => fake.todos),
      messages: () => read("session.messages", () => (fake.newest ? [fake.newest] : [])),
      message: () => read("session.message", () => fake.prompt!),
      status: () => read("session.status", () => fake.busy),
      abort: () => read("session.abort", () => true),
    },
    app: {
      agents: () =>
        read("app.agents", () => [
          { name: "build", permission: ALLOW },
          { name: "plan", permission: DENY },
          { name: "mine", permission: ALLOW },
        ]),
    },
    tui: {
      showToast: async ({ body }) => {
        toasts.push(body);
        return {};
      },
    },
    _client: {
      delete: async ({ path }) => {
        laid.delete(path.part!);
      },
      post: async ({ path, body }) => {
        replies.push({ ...path, ...body });
        return fake.replying === "taken" ? {} : { error: { name: "NotFound" } };
      },
    },
  };
  const surroundings = { clock, store, env, home: folder };
  const hooks = (await createPlugin({ client, directory: folder }, { driver }, surroundings)) as Hooks;

  const fake: FakeOpenCode = {
    clock,
    folder,
    hooks,
    prompts,
    laid,
    toasts,
    replies,
    asked,
    get said() {
      return toasts.map(({ message }) => message).join("\n");
    },
    todos: [],
    busy: {},
    prompting: "taken",
    reading: "answers",
    replying: "taken",
    newest: { info: { role: "assistant", parentID: "m1", finish: "stop" }, parts: [] },
    prompt: { info: { id: "m1", role: "user" }, parts: [] },
    event: (type, properties) => hooks.event({ event: { type, properties: { ...properties } } }),
    status: (type, sessionID = "root") => fake.event("session.status", { sessionID, status: { type } }),
    human: (text, by) => fake.prompted([{ type: "text", text }], by),
    async prompted(parts, { agent = "build", sessionID = "root" } = {}) {
      const message = { id: `m${++messages}`, agent, model: { providerID: "p", modelID: "m", variant: "high" } };
      await hooks["chat.message"]({ sessionID }, { message, parts: [...parts] });
      await fake.status("busy", sessionID);
    },
    async list(...items) {
      const todos = items.map((item, at) => {
        const [status, content] = typeof item === "string" ? [item, `item ${at}`] : item;
        return { content, status, priority: "medium" };
      });
      fake.todos = todos;
      await hooks["tool.execute.after"]({ tool: "todowrite", sessionID: "root", args: { todos } }, { output: "" });
    },
    async call(tool, args, output = "") {
      await hooks["tool.execute.before"]({ tool, sessionID: "root" }, { args });
      await hooks["tool.execute.after"]({ tool, sessionID: "root", args }, { output, metadata: { exit: 0 } });
    },
    async begin(...items) {
      await fake.human("go");
      await fake.list(...items);
      await fake.status("idle");
    },
    async turn(does = async () => {}) {
      await fake.prompted(prompts.at(-1)!.body.parts);
      await does();
      await fake.status("idle");
    },
    error: (name, data = {}) => fake.event("session.error", { sessionID: "root", error: { name, data } }),
    async troubled(name, data) {
      await fake.error(name, data);
      await fake.status("idle");
      const info = { role: "assistant", error: { name, data } };
      await fake.event("message.updated", { sessionID: "root", info });
      await fake.status("idle");
    },
    async command(name, words = "") {
      const parts: { text?: string }[] = [{ text: words }];
      const input = { command: name, sessionID: "root", arguments: words };
      const refused = await hooks["command.execute.before"](input, { parts }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return refused ?? parts.map(({ text }) => text).join("\n");
    },
    forgetLaid: () => laid.clear(),
    forgetShown: () => void toasts.splice(0),
    wait: (ms) => clock.advance(ms),
    async close() {
      await hooks.dispose();
      await hooks.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return fake;
}
