import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Script, type ScriptedModel, startScriptedModel } from "../../../src/testing/index.ts";

/** What a line printed, and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * The machine of someone who follows a page: `tildone` and pi on the PATH, a home with nothing in it but a model that pi is set to, a project
 * whose tests fail. Lines are given to bash as they stand on the page.
 */
export async function aReader(script: Script) {
  const model: ScriptedModel = await startScriptedModel(script);
  const root = mkdtempSync(join(tmpdir(), "tildone-reader-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [join(home, ".pi/agent"), project, bin]) mkdirSync(folder, { recursive: true });
  symlinkSync(resolve("bin/tildone.js"), join(bin, "tildone"));
  symlinkSync(resolve("node_modules/.bin/pi"), join(bin, "pi"));
  const models = [{ id: "m", contextWindow: 100_000, maxTokens: 4000 }];
  const scripted = { api: "openai-completions", apiKey: "x", baseUrl: `${model.url}/v1`, models };
  writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { scripted } }));
  const settings = { defaultProvider: "scripted", defaultModel: "m", quietStartup: true };
  writeFileSync(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  writeFileSync(join(project, "package.json"), JSON.stringify({ scripts: { test: "test -f file-0.txt" } }));
  execFileSync("git", ["init", "-q"], { cwd: project });
  const env: Record<string, string> = {
    PATH: [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    PI_OFFLINE: "1",
    npm_config_update_notifier: "false",
  };
  const running = new Set<ChildProcess>();

  function start(line: string) {
    const child = spawn("bash", ["-c", line], { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    let [out, err] = ["", ""];
    const watchers = new Set<() => void>();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      for (const look of watchers) look();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const ended = new Promise<Ended>((done) =>
      child.once("close", (code) => {
        running.delete(child);
        for (const look of watchers) look();
        done({ code, out, err });
      }),
    );
    /** Resolves when the output holds it; rejects if the process ended without. */
    const printed = (pattern: RegExp) =>
      new Promise<RegExpExecArray>((done, fail) => {
        const look = () => {
          const found = pattern.exec(out);
          if (found) done(found);
          else if (running.has(child)) return;
          else fail(new Error(`${line} ended without ${pattern}:\n${out}\n${err}`));
          watchers.delete(look);
        };
        watchers.add(look);
        look();
      });
    return { child, ended, printed };
  }

  return {
    root,
    home,
    project,
    model,
    env,
    start,
    /** Runs a line to its end; standard input is empty. */
    sh: (line: string): Promise<Ended> => {
      const begun = start(line);
      begun.child.stdin.end();
      return begun.ended;
    },
    /** Puts a program on the PATH. */
    program: (name: string, script: string) => {
      writeFileSync(join(bin, name), script);
      chmodSync(join(bin, name), 0o755);
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of running) child.kill("SIGKILL");
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type Reader = Awaited<ReturnType<typeof aReader>>;
