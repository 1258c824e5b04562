import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Script, type ScriptedModel, startScriptedModel } from "../../../src/testing/index.ts";

export const PI = fileURLToPath(new URL("./bundle/cli.js", import.meta.resolve("@earendil-works/pi-coding-agent")));
/** What is shipped is what is tested. */
export const EXTENSION = fileURLToPath(new URL("../../../dist/hosts/pi/index.js", import.meta.url));

export interface SandboxOptions {
  readonly script: Script;
  readonly settings?: object;
  /** Which of pi's provider APIs the model is spoken to in. */
  readonly api?: keyof typeof BASES;
  readonly env?: Readonly<Record<string, string>>;
  /** Extensions beside ours, and where they stand: before it or after it. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Neither our extension nor any other is given on the command line: what is installed is found. */
  readonly bare?: boolean;
  /** Sessions are kept on disk, to be resumed. */
  readonly keepsSession?: boolean;
  readonly flags?: readonly string[];
}

export interface Sandbox extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command line of pi without its mode and prompt. */
  readonly argv: readonly string[];
  readonly store: string;
  run(...args: readonly string[]): Promise<Ended>;
  /** The same with another extension that pi loads before ours. */
  runBeside(extension: string, ...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): ChildProcess;
  /** The lines of the newest session file. */
  session(): readonly SessionLine[];
  file(name: string, text: string): string;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SessionLine {
  readonly type: string;
  readonly id?: string;
  readonly customType?: string;
  readonly data?: unknown;
  readonly details?: unknown;
  readonly content?: unknown;
  readonly message?: {
    readonly role: string;
    readonly content: unknown;
    readonly toolName?: string;
    readonly details?: unknown;
  };
}

/** Real pi in throw-away folders, with a model on loopback that follows a script. Nothing of the machine is read. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const model = await startScriptedModel(options.script);
  const root = mkdtempSync(join(tmpdir(), "tildone-pi-"));
  const [agent, cwd] = [join(root, "agent"), join(root, "cwd")];
  for (const folder of [agent, cwd]) mkdirSync(folder);
  writeFileSync(join(agent, "models.json"), JSON.stringify(models(model.url, options.api ?? "openai-completions")));
  writeFileSync(
    join(agent, "settings.json"),
    JSON.stringify({
      quietStartup: true,
      enableInstallTelemetry: false,
      retry: { enabled: false },
      ...options.settings,
    }),
  );
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: root,
    TILDONE_HOME: join(root, "tildone"),
    PI_CODING_AGENT_DIR: agent,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    ...options.env,
  };
  const extensions = options.bare
    ? []
    : [...(options.before ?? []), EXTENSION, ...(options.after ?? [])].flatMap((path) => ["-e", path]);
  const argv = [
    PI,
    ...["--provider", "scripted", "--model", "m", ...(options.bare ? [] : ["-ne"]), "-ns", "-np", "-nc", "--no-themes"],
    ...(options.keepsSession ? [] : ["--no-session"]),
    ...extensions,
    ...(options.flags ?? []),
  ];
  const running = new Set<ChildProcess>();

  return {
    model,
    cwd,
    root,
    env,
    argv,
    store: join(root, "tildone", "tildone.db"),
    start,
    run: (...args) => ended(start(...args)),
    runBeside: (extension, ...args) => ended(startWith([PI, "-e", extension, ...argv.slice(1), ...args])),
    session: () => readSession(join(agent, "sessions")),
    file: (name, text) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of running) child.kill("SIGKILL");
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  function start(...args: readonly string[]): ChildProcess {
    return startWith([...argv, ...args]);
  }

  function startWith(line: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, line, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    if (!line.includes("rpc")) child.stdin?.end(); // an open pipe would be read as part of the prompt
    child.on("close", () => running.delete(child));
    return child;
  }
}

async function ended(child: ChildProcess): Promise<Ended> {
  const [out, err] = [collected(child.stdout), collected(child.stderr)];
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, out: out(), err: err() };
}

/** Where each API expects the provider: some add the version themselves. */
const BASES = { "openai-completions": "/v1", "openai-responses": "/v1", "anthropic-messages": "" } as const;

const models = (url: string, api: keyof typeof BASES) => ({
  providers: {
    scripted: {
      api,
      apiKey: "x",
      baseUrl: `${url}${BASES[api]}`,
      models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
    },
  },
});

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function readSession(folder: string): readonly SessionLine[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const newest = files.sort().at(-1);
  if (newest === undefined) return [];
  return readFileSync(join(folder, newest), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SessionLine);
}
