import { existsSync } from "node:fs";
import { openTildone, systemClock } from "../../compose/index.ts";
import { directories } from "../../config/index.ts";
import { SESSION_ARGUMENT } from "../../core/words/index.ts";
import { openRun, type Store } from "../../engine/index.ts";
import { openStore } from "../../store/index.ts";
import { asideOf } from "./aside.ts";
import { readCommand } from "./command.ts";
import type { Dialect, HostName } from "./dialect.ts";
import { DIALECTS } from "./dialects/index.ts";
import { noteFailure } from "./failures.ts";
import { gateCall } from "./gate-call.ts";
import type { Answer, EventName, Happening } from "./happening.ts";
import { createHookHost } from "./host.ts";
import { type Payload, readPayload, textAt } from "./payload.ts";
import { INTRODUCTION, respond } from "./respond.ts";
import { unrunChecks } from "./unrun-checks.ts";

export interface HookCall {
  readonly host: HostName;
  readonly event: EventName;
  /** What the host wrote on standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * One event of a host: resolves with exactly what is to be printed, most often nothing. An error of ours never traps the
 * agent: it is written down, and the host does what it would have done without us.
 */
export async function answerHook(call: HookCall): Promise<string> {
  const dialect = DIALECTS[call.host];
  let session: string | undefined;
  try {
    const payload = readPayload(call.input);
    if (!payload) throw new Error("the host sent no JSON object");
    session = textAt(payload, "session_id");
    if (session === undefined || session === "") throw new Error("the host sent no session_id");
    const happening = dialect.read(call.event, payload, asideOf(payload, call.env));
    const answer = happening && (await answered(happening, { ...call, dialect, payload, session }));
    const output = answer && dialect.write(call.event, answer);
    return output ? JSON.stringify(output) : "";
  } catch (error) {
    const { state } = directories(call);
    noteFailure(state, {
      at: systemClock().now(),
      host: call.host,
      event: call.event,
      ...(session !== undefined && { session }),
      message: error instanceof Error ? error.message : String(error),
    });
    return "";
  }
}

interface Told extends HookCall {
  readonly dialect: Dialect;
  readonly payload: Payload;
  readonly session: string;
}

async function answered(happening: Happening, told: Told): Promise<Answer | undefined> {
  const { dialect, session } = told;
  if (happening.type === "call.asked" && happening.tool.ours !== undefined && dialect.namesSession)
    return { type: "rewrite", args: { ...(happening.args as object), [SESSION_ARGUMENT]: session } };
  const path = directories(told).database;
  const mayBear = isForAnyone(happening);
  const store = mayBear || existsSync(path) ? await openStore({ path }) : undefined;
  try {
    const card = store?.runs.find(dialect.host, session);
    const isKnown = card?.live === true && card.session === session;
    if (!store || (!isKnown && !mayBear)) return unknownSession(happening, dialect);
    if (happening.type === "call.asked") return gateCall(happening, openRun(store.log, card!.run).run, store.log);
    return await inRun(happening, told, store, isKnown ? card.cwd : undefined);
  } finally {
    store?.close();
  }
}

/** A list of the host's own may begin a run, and words to tildone are answered in any session. */
function isForAnyone(happening: Happening): boolean {
  if (happening.type === "calls.ended") return happening.calls.some(({ list }) => list !== undefined);
  return happening.type === "prompted" && readCommand(happening.text) !== undefined;
}

/** Most sessions have no list: they cost a look and nothing else. */
function unknownSession(happening: Happening, { hidesTools }: Dialect): Answer | undefined {
  return hidesTools && happening.type === "session.started" ? INTRODUCTION : undefined;
}

async function inRun(
  happening: Exclude<Happening, { type: "call.asked" }>,
  { dialect, payload, session, env, home }: Told,
  store: Store,
  runsIn: string | undefined,
): Promise<Answer | undefined> {
  const clock = systemClock();
  const host = createHookHost(dialect.host);
  const agent = textAt(payload, "agent_type");
  const cwd = runsIn ?? textAt(payload, "cwd") ?? process.cwd();
  const opened = await openTildone({
    host,
    cwd,
    env,
    home,
    store,
    clock,
    runChecks: unrunChecks(clock),
    driver: `${dialect.host}:${session}`,
    ...(agent !== undefined && { agent }),
  });
  if (!opened.ok) throw new Error(`the configuration is wrong. ${opened.problems.join(" ")}`);
  const { engine, dispose } = opened.tildone;
  try {
    return await respond(happening, {
      dialect,
      engine,
      host,
      session,
      now: clock.now,
      startWorkflow: async (words) => (await import("./start-workflow.ts")).startWorkflow(words, { cwd, env, home }),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await engine.tell(session, { type: "host.failed", where: `hook ${happening.type}`, message });
    throw error;
  } finally {
    dispose();
  }
}
