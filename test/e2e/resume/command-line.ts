import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BIN = resolve(import.meta.dirname, "../../../bin/tildone.js");

/** The command line as a person has it, a process for each line, in a home and a project of its own. */
export function aCommandLine(config = "") {
  const root = mkdtempSync(join(tmpdir(), "tildone-resume-"));
  const [project, home] = [join(root, "project"), join(root, "tildone")];
  for (const folder of [project, home]) mkdirSync(folder);
  if (config !== "") writeFileSync(join(home, "config.yaml"), config);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: root,
    TILDONE_HOME: home,
    PI_CODING_AGENT_DIR: join(root, "pi"),
    PI_OFFLINE: "1",
  };
  return {
    project,
    type,
    /** pi knows this server as a provider of its own, and what its model costs. */
    priced: (url: string): readonly string[] => {
      mkdirSync(join(root, "pi"), { recursive: true });
      writeFileSync(join(root, "pi", "models.json"), JSON.stringify(pricedModel(url)));
      return ["--model", "priced/m"];
    },
    /** Types a line as it was printed: `&&` runs the second part after the first. */
    paste: async (line: string, more: readonly string[] = []): Promise<Typed> => {
      let last: Typed = { code: 0, out: "", err: "" };
      for (const command of line.split(" && ")) {
        const [program, ...args] = wordsOf(command);
        if (program !== "tildone") throw new Error(`"${command}" is no command of ours`);
        last = await type([...args, ...(args[0] === "run" ? more : [])]);
        if (last.code !== 0) return last;
      }
      return last;
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };

  async function type(
    args: readonly string[],
    onOut: (text: string, stop: (signal?: NodeJS.Signals) => void) => void = () => {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<Typed> {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: project,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out.push(text);
      onOut(text, (signal = "SIGINT") => child.kill(signal));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => void err.push(text));
    const [code] = await once(child, "close");
    return { code: code ?? -1, out: out.join("").trimEnd(), err: err.join("").trimEnd() };
  }
}

const pricedModel = (url: string) => ({
  providers: {
    priced: {
      api: "openai-completions",
      apiKey: "x",
      baseUrl: `${url}/v1`,
      models: [
        {
          id: "m",
          contextWindow: 1_000_000,
          maxTokens: 4000,
          cost: { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 },
        },
      ],
    },
  },
});

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** As a shell reads it: quotes hold words together. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
