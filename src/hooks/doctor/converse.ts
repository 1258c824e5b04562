import { spawn } from "node:child_process";

export interface Conversation {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is written at once; standard input then ends, unless there is an `answer`. */
  readonly say: string;
  /** Called with every line of JSON; what it returns is said next, `null` ends the conversation. */
  readonly answer?: (message: Record<string, unknown>) => object | null | undefined;
}
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const LONGEST_MS = 15_000;

/** Talks to a program over its standard streams until it ends, is told all, or takes too long. */
export function converse({ command, args, cwd, env, say, answer }: Conversation): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env });
    // Ours, because that of spawn stays for a program that could not be started, and keeps the process alive.
    const tooLong = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
    const done = (ended: Ended) => {
      clearTimeout(tooLong);
      resolve(ended);
    };
    let out = "";
    let err = "";
    let read = 0;
    child.on("error", (error) => done({ code: null, out, err: error.message }));
    child.on("close", (code) => done({ code, out, err }));
    child.stdin.on("error", () => {}); // it ended before it heard us; its exit code says why
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      err += chunk;
    });
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
      while (answer && out.indexOf("\n", read) >= 0) {
        const end = out.indexOf("\n", read);
        const next = answer(messageIn(out.slice(read, end)));
        read = end + 1;
        if (next === null) child.kill();
        else if (next) child.stdin.write(`${JSON.stringify(next)}\n`);
      }
    });
    child.stdin.write(say);
    if (!answer) child.stdin.end();
  });
}

function messageIn(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
