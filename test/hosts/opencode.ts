import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { text as readText } from "node:stream/consumers";
import { scripted } from "../../src/hosts/opencode/scripted.ts";
import type { Call, ModelRequest, Script, Step } from "../../src/testing/index.ts";
import { placeIn } from "./real-host.ts";
import type { Ended, Sandbox } from "./sandbox.ts";

/** OpenCode in a sandbox: configured for the scripted model and the built plugin, and asking nothing outside of the machine. */
export interface OpenCode {
  readonly env: Readonly<Record<string, string>>;
  run(prompt: string, ...flags: string[]): Promise<Ended>;
  serve(): Promise<Served>;
}

/** A running `opencode serve` and what its event stream told so far. */
export interface Served {
  readonly url: string;
  readonly events: readonly HostEvent[];
  request(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  createSession(): Promise<string>;
  prompt(session: string, text: string, more?: object): Promise<void>;
  /** Resolves with the first event, past or coming, that fits. */
  seen(fits: (event: HostEvent, index: number) => boolean): Promise<HostEvent>;
  close(): Promise<void>;
}
export interface HostEvent {
  readonly type: string;
  readonly properties: Record<string, never> & { sessionID?: string };
}

export type Style = "openai" | "anthropic";
export interface Setting {
  readonly url: string;
  readonly style?: Style;
  readonly plugin?: string;
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
}

const OWN_CONFIG = ".config/opencode/opencode.json";

export function setUpOpenCode(sandbox: Sandbox, binary: string, setting: Setting): OpenCode {
  const { url, style = "openai", plugin = resolve("dist/hosts/opencode/index.js"), config = {} } = setting;
  const place = placeIn(sandbox, url, plugin);
  const env = { ...scripted.env(place), ...setting.env };
  const { [OWN_CONFIG]: own, ...files } = scripted.files(place);
  for (const [path, text] of Object.entries(files)) sandbox.write(`home/${path}`, text);
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  spawnSync("git", ["-C", sandbox.project, ...author, "commit", "-q", "--allow-empty", "-m", "first"]);
  const usual = JSON.parse(own!) as { provider: { fake: object } };
  const npm = style === "openai" ? "@ai-sdk/openai-compatible" : "@ai-sdk/anthropic";
  const provider = { fake: { ...usual.provider.fake, npm } };
  sandbox.write("project/opencode.json", JSON.stringify({ ...usual, provider, ...config }));
  return {
    env,
    run: (prompt, ...flags) => sandbox.run(binary, ["run", "--format", "json", ...flags, prompt], env),
    serve: () => serve(sandbox, binary, env),
  };
}

export async function serve(
  sandbox: Pick<Sandbox, "project" | "env">,
  binary: string,
  env: Readonly<Record<string, string>>,
): Promise<Served> {
  const child = spawn(binary, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: sandbox.project,
    env: { ...sandbox.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  process.once("exit", () => child.kill("SIGKILL")); // also where a test broke off before it could close it
  const base = await new Promise<string>((found, failed) => {
    let out = "";
    const read = (chunk: Buffer) => {
      out += chunk.toString("utf8");
      const [, url] = /listening on (http:\/\/\S+)/.exec(out) ?? [];
      if (url !== undefined) found(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", (code) => failed(new Error(`opencode serve ended with ${code}: ${out}`)));
  });
  const events: HostEvent[] = [];
  const listeners = new Set<() => void>();
  const stop = new AbortController();
  const asked = ask(`${base}/event`, { agent: false, signal: stop.signal })
    .on("error", () => {})
    .end();
  const [stream] = (await once(asked, "response")) as [IncomingMessage];
  const listening = listen(stream, (event) => {
    events.push(event);
    for (const listener of listeners) listener();
  }).catch(() => {});

  /** Over a connection of its own: one that is kept would be tried on the next server that has the same port. */
  async function request(method: string, path: string, body?: object) {
    const asked = ask(`${base}${path}`, { method, agent: false, headers: { "content-type": "application/json" } });
    asked.end(body && JSON.stringify(body));
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const text = await readText(response);
    return { status: response.statusCode ?? 0, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  }

  return {
    url: base,
    events,
    request,
    createSession: async () =>
      ((await request("POST", "/session", { title: "test" })).body as { readonly id: string }).id,
    prompt: async (session, text, more = {}) => {
      const { status, body } = await request("POST", `/session/${session}/prompt_async`, {
        parts: [{ type: "text", text }],
        ...more,
      });
      if (status >= 300) throw new Error(`prompt refused with ${status}: ${JSON.stringify(body)}`);
    },
    seen: (fits) =>
      new Promise((found) => {
        const look = () => {
          const event = events.find(fits);
          if (!event) return;
          listeners.delete(look);
          found(event);
        };
        listeners.add(look);
        look();
      }),
    close: async () => {
      stop.abort();
      child.kill("SIGKILL");
      await Promise.all([ended, listening]);
    },
  };
}

async function listen(stream: IncomingMessage, heard: (event: HostEvent) => void): Promise<void> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = (rest + (chunk as string)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) heard(JSON.parse(line.slice(6)) as HostEvent);
  }
}

/** The list as OpenCode's own tool takes it, with the first `done` items completed. */
export const todowrite = (count: number, done: number): Call => [
  "todowrite",
  {
    todos: Array.from({ length: count }, (_, at) => ({
      content: `item number ${at}`,
      status: at < done ? "completed" : "pending",
      priority: "medium",
    })),
  },
];
export const bash = (command: string): Call => ["bash", { command, description: "work" }];

/** The list, then after every nudge one piece of work, one item completed, and a stop. */
export function stepwise(count: number, narration?: string): readonly Step[] {
  const said = narration === undefined ? {} : { text: narration };
  const items = Array.from({ length: count }, (_, at): Step[] => [
    { ...said, calls: [bash(`echo ${at} >> work.txt`)] },
    { ...said, calls: [todowrite(count, at + 1)] },
    { text: `Item ${at} is done, I stop here.` },
  ]);
  return [{ calls: [todowrite(count, 0)] }, { text: "The list is written." }, ...items.flat()];
}

export const isMain = ({ tools }: ModelRequest): boolean => tools.length > 0;

/** Requests for a title bring no tools and use up no step. */
export function turns(steps: readonly Step[]): Script {
  let at = 0;
  return (request) => (isMain(request) ? (steps[at++] ?? { text: "The script is over." }) : { text: "A title" });
}
