import { directories } from "../config/index.ts";
import { answerHappening, type Told } from "./answer-happening.ts";
import type { Dialect } from "./dialect.ts";
import { openDoorOf } from "./door/door-of.ts";
import { likenessOf } from "./door/likeness.ts";
import { type Answered, QUESTION_VERSION } from "./door/question.ts";
import { noteFailure } from "./failures.ts";
import type { Answer, EndedCall, EventName, Happening } from "./happening.ts";
import { hostFilesOf } from "./host-files.ts";
import { readPayload, textAt } from "./payload.ts";

export interface HookCall {
  readonly dialect: Dialect;
  readonly event: EventName;
  /** What the host wrote on standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly now: () => number;
  /** What started the hook, where it is a process of its own. */
  readonly parent?: number;
  /** Nobody waits for the answer any more. */
  readonly gone?: AbortSignal;
}

/**
 * One event of a host: `print` is called with exactly what it is to read, most often not at all. Messages that the answer
 * holds are delivered once it was printed, and stay queued if it could not be. An error of ours never traps the agent: it is
 * written down, and the host does what it would have done without us.
 */
export async function answerHook(call: HookCall, print: (output: string) => void): Promise<void> {
  const { dialect } = call;
  let session: string | undefined;
  let isPrinted = false;
  try {
    const payload = readPayload(call.input);
    if (!payload) throw new Error("the host sent no JSON object");
    session = textAt(payload, "session_id");
    if (session === undefined || session === "") throw new Error("the host sent no session_id");
    const happening = dialect.read(call.event, payload, hostFilesOf(payload, dialect, call.env));
    const answer = happening && (await answered(happening, { ...call, payload, session }));
    const output = answer && dialect.write(call.event, answer);
    if (!answer || !output || (answer.type === "show" && UNSEEN.has(call.event))) return;
    isPrinted = true;
    print(JSON.stringify(output));
    if ("carries" in answer && answer.carries)
      await (await import("./delivered.ts")).delivered(answer.carries, directories(call).database);
  } catch (error) {
    const { state } = directories(call);
    const message = error instanceof Error ? error.message : String(error);
    noteFailure(state, {
      at: call.now(),
      host: dialect.host,
      event: call.event,
      ...(session !== undefined && { session }),
      message,
    });
    sayWhereRead(message);
  }

  /** You are the only one who can do anything about it: above all at a stop, where the agent may have stopped early. */
  function sayWhereRead(message: string): void {
    const show = `tildone could not decide here: ${message.split("\n")[0]!.slice(0, 300)} Run: tildone doctor`;
    const output =
      READ.has(call.event) && session !== undefined && !isPrinted
        ? dialect.write(call.event, { type: "show", show })
        : undefined;
    try {
      if (output) print(JSON.stringify(output));
    } catch {
      // the host does not read it
    }
  }
}

/** Moments at which you look at the screen, and few enough to say it each time. */
const READ: ReadonlySet<EventName> = new Set<EventName>(["session-start", "prompt", "stop"]);

/** Moments of which no host shows anything. */
const UNSEEN: ReadonlySet<EventName> = new Set<EventName>(["failure", "session-end", "host-gone", "subagent-stop"]);

async function answered(happening: Happening, told: Told): Promise<Answer | undefined> {
  const byServer = await answeredByServer(happening, told);
  if (byServer?.failed !== undefined) throw new Error(byServer.failed);
  return byServer ? byServer.answer : answerHappening(happening, told);
}

/**
 * The server of the session, which is awake and has everything loaded, answers what comes often. Undefined: there is none.
 * What a shell command did stands in files that only the hook may wait for.
 */
async function answeredByServer(happening: Happening, told: Told): Promise<Answered | undefined> {
  const isOften =
    happening.type === "stopped" || (happening.type === "calls.ended" && !happening.calls.some(isCommand));
  const door = isOften ? openDoorOf(directories(told).state, told.dialect.host, told.session) : undefined;
  if (door === undefined) return undefined;
  const { event, session, payload, env, home } = told;
  const like = likenessOf(env, home);
  const { path, secret } = door;
  const question = {
    v: QUESTION_VERSION,
    host: told.dialect.host,
    event,
    session,
    happening,
    payload,
    secret,
    like,
  } as const;
  return (await import("./door/ask-server.ts")).askServer(path, question, told.gone);
}

const isCommand = ({ command }: EndedCall): boolean => command !== undefined;
