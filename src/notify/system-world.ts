import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Environment } from "../config/index.ts";
import { withoutPrivate } from "../core/secret/index.ts";
import { attempt, findProgram } from "../machine/index.ts";
import type { Ended, World } from "./world.ts";

export interface SystemParts {
  readonly env: Environment;
  /** What a terminal is sent to show a text. */
  readonly alert: (text: string, env: Environment) => string;
  readonly tty?: string;
}

/** How much of an answer is read: what it says is one line of the log. */
const MOST_READ = 4_096;

export function systemWorld({ env, alert, tty }: SystemParts): World {
  return {
    fetch: async (url, { headers, body, ms }) => {
      const signal = AbortSignal.timeout(ms);
      // Followed, a redirect would take the message to a place that you did not name.
      const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
      return { status: answer.status, text: await beginningOf(answer) };
    },
    start: ([file = "", ...args], more, ms) =>
      new Promise<Ended>((done) => {
        const child = spawn(file, args, { env: { ...withoutPrivate(env), ...more }, stdio: "ignore" });
        const timer = setTimeout(() => {
          child.unref();
          done({ status: "running" });
        }, ms);
        const end = (ended: Ended) => {
          clearTimeout(timer);
          done(ended);
        };
        child.on("error", (error) => end({ status: "failed", why: error.message }));
        child.on("exit", (code) => end({ status: "exited", code: code ?? 1 }));
      }),
    find: (program) => findProgram(program, { env }),
    alert: (text) =>
      tty !== undefined && attempt(() => writeFileSync(terminalOf(tty), alert(text, env)) ?? true) === true,
    random: (bytes) => randomBytes(bytes),
  };
}

const terminalOf = (tty: string): string => (tty.startsWith("/") ? tty : `/dev/${tty}`);

async function beginningOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done && text.length < MOST_READ; part = await reader.read())
    text += decoder.decode(part.value, { stream: true });
  await reader.cancel().catch(() => {});
  return text.slice(0, MOST_READ);
}
