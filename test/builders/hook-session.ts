/** One session of a host with our hooks, told of event by event with the fields that the real hosts were seen to send. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openTildone } from "../../src/compose/index.ts";
import { readToolCall, type Trigger } from "../../src/core/react/index.ts";
import type { Envelope, Run } from "../../src/core/run/index.ts";
import { openRun, speak } from "../../src/engine/index.ts";
import { answerHook } from "../../src/hooks/answer-hook.ts";
import type { EventName } from "../../src/hooks/happening.ts";
import { createHookHost } from "../../src/hooks/host.ts";
import { CAPABILITIES } from "../../src/hosts/mcp/capabilities.ts";
import { openStore } from "../../src/store/index.ts";
import { dialectOf, type Tabled } from "./hook-hosts.ts";

export interface HookSession {
  readonly host: Tabled;
  readonly session: string;
  /** What the host read; `print` stands for its end of the pipe. */
  tell(event: EventName, fields?: object, print?: (output: string) => void): Promise<string>;
  prompt(text: string, print?: (output: string) => void): Promise<string>;
  stop(fields?: object, print?: (output: string) => void): Promise<string>;
  /** The agent writes its list with our own tool. */
  write(...todos: string[]): Promise<void>;
  /** What you type in another terminal. */
  say(trigger: Trigger): Promise<void>;
  run(): Promise<Run>;
  log(): Promise<readonly Envelope[]>;
}

export function hookSession(host: Tabled, home: string, session: string): HookSession {
  const work = join(home, "work");
  const env = { TILDONE_HOME: home, PATH: process.env.PATH };
  const transcript = join(home, `${session}.jsonl`);
  let counter = 0;
  let turn = "";
  mkdirSync(work, { recursive: true });

  return { host, session, tell, prompt, stop, write, say, run: () => inLog(({ run }) => run), log };

  async function tell(event: EventName, fields: object = {}, print?: (output: string) => void): Promise<string> {
    let read = "";
    appendFileSync(transcript, `{"message":${++counter}}\n`);
    const input = JSON.stringify({ session_id: session, cwd: work, transcript_path: transcript, ...fields });
    await answerHook({ dialect: dialectOf(host), event, input, env, home, now: () => 0 }, (output) => {
      try {
        print?.(output);
      } catch (error) {
        if (error instanceof Killed && error.after) appendFileSync(transcript, readIn[host](output));
        throw error;
      }
      appendFileSync(transcript, readIn[host](output));
      read = output;
    });
    return read;
  }

  function prompt(text: string, print?: (output: string) => void): Promise<string> {
    turn = `${session}-t${++counter}`;
    return tell(
      "prompt",
      { prompt: text, prompt_id: turn, turn_id: turn, timestamp: turn, permission_mode: "default" },
      print,
    );
  }

  function stop(fields: object = {}, print?: (output: string) => void): Promise<string> {
    return tell(
      "stop",
      {
        last_assistant_message: "That is it for now.",
        prompt_response: "That is it for now.",
        prompt_id: turn,
        turn_id: turn,
        timestamp: `${session}-s${++counter}`,
        stop_hook_active: false,
        permission_mode: "default",
        ...fields,
      },
      print,
    );
  }

  async function write(...todos: string[]): Promise<void> {
    const opened = await openTildone({
      host: { ...createHookHost(dialectOf(host)), capabilities: CAPABILITIES.hooked },
      cwd: work,
      env,
      home,
      driver: `${host}:${session}`,
    });
    if (!opened.ok) throw new Error(opened.problems.join(" "));
    const read = readToolCall("write_todos", { mode: "replace", todos: todos.map((text) => ({ text })) }, "model", "b");
    if (read.type === "trigger") await opened.tildone.engine.tell(session, read.trigger);
    opened.tildone.dispose();
  }

  async function say(trigger: Trigger): Promise<void> {
    await inLog(({ run, store }) => void speak(store.log, run.id, trigger, Date.now()));
  }

  async function log(): Promise<readonly Envelope[]> {
    return inLog(({ run, store }) => store.log.read(run.id, 0).events);
  }

  async function inLog<T>(act: (open: { run: Run; store: Awaited<ReturnType<typeof openStore>> }) => T): Promise<T> {
    const store = await openStore({ path: join(home, "tildone.db") });
    try {
      return act({ run: openRun(store.log, store.runs.find(host, session)!.run).run, store });
    } finally {
      store.close();
    }
  }
}

/** How a hook dies while it prints: the host has its answer by then, or not. */
export class Killed extends Error {
  readonly after: boolean;
  constructor(when: "before" | "after") {
    super(`killed ${when} it printed`);
    this.after = when === "after";
  }
}

/** How each host writes down what it was answered, as seen in its own files. */
const readIn: Readonly<Record<Tabled, (output: string) => string>> = {
  "claude-code": (output) =>
    `{"type":"attachment","attachment":{"type":"hook_additional_context","content":[${JSON.stringify(output)}]}}\n`,
  codex: (output) =>
    `{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"text":${JSON.stringify(output)}}]}}\n`,
  gemini: (output) => `{"$set":{"messages":[{"type":"user","content":[{"text":${JSON.stringify(output)}}]}]}}\n`,
};
