import { randomUUID } from "node:crypto";
import type { Tildone } from "../../compose/index.ts";
import { answerToModel, readToolCall, type ToolAnswer } from "../../core/react/index.ts";
import { decisionText, type Run } from "../../core/run/index.ts";
import { plainList } from "../../core/todo/index.ts";
import { listOf } from "../../core/view/index.ts";
import { droppedText, hasOpenWork, openWorkText } from "../../core/words/index.ts";
import type { McpCall } from "../host-profile.ts";
import type { McpSession } from "./session-of.ts";

/** What one client sees of tildone. */
export interface Connection {
  call(name: string, args: unknown, meta: unknown): Promise<ToolAnswer>;
  run(meta: unknown): Promise<Run | undefined>;
  status(meta: unknown): Promise<unknown>;
}

export interface ConnectionPorts {
  readonly sessionOf: (call: McpCall) => McpSession;
  /** Opened at the first call: a server that is not called touches nothing. One per host name. */
  readonly tildone: (session: McpSession) => Promise<Tildone>;
}

export function createConnection({ sessionOf, tildone }: ConnectionPorts): Connection {
  const process = randomUUID().slice(0, 8);
  let calls = 0;
  let isWarned = false;
  // A client that named its session once and then does not, still means the same one.
  let last: McpSession | undefined;
  const whose = (call: McpCall): McpSession => {
    const named = sessionOf(call);
    last = named.host === "mcp" ? (last ?? named) : named;
    return last;
  };
  return {
    call: async (name, args, meta) => {
      const session = whose({ meta, args });
      const { engine } = await tildone(session);
      engine.look(session.session);
      // Each call a batch of its own, in every process: a list with a batch is known as one that our tools wrote.
      const read = readToolCall(name, args, "model", `${process}.${++calls}`);
      switch (read.type) {
        case "unknown":
          return { ok: false, text: `There is no tool ${name.slice(0, 100)}.` };
        case "refused":
          return { ok: false, text: read.refusal.message };
        case "list":
          return followed({ ok: true, text: plainList(listOf(engine.run(session.session)).todos) }, session);
        case "trigger":
          return followed(answerToModel(await engine.tell(session.session, read.trigger)), session);
      }
    },
    run: async (meta) => {
      const session = whose({ meta });
      return (await tildone(session)).engine.run(session.session);
    },
    status: async (meta) => {
      const session = whose({ meta });
      const run = (await tildone(session)).engine.run(session.session);
      if (!run) return { status: "none" };
      const { decision, held } = run.ledger;
      return {
        run: run.id,
        status: run.status,
        ...listOf(run).count,
        held,
        ...(decision && { decision: decisionText(decision) }),
      };
    },
  };

  /** A client without hooks learns in every result what is open, what the user said, and what is next. */
  async function followed(answer: ToolAnswer, whose: McpSession): Promise<ToolAnswer> {
    if (whose.hasHooks) return answer;
    const { session } = whose;
    const { engine, dropped } = await tildone(whose);
    const run = engine.run(session);
    if (!run) return answer;
    const words = [...run.ledger.words];
    if (words.length > 0) await engine.tell(session, { type: "words.delivered", ids: words.map(({ id }) => id) });
    if (run.status === "live" && !hasOpenWork(run)) {
      const settled = await engine.settle(session, { type: "turn.ended", outcome: "completed" });
      if (settled.type === "words") {
        words.push(...settled.words);
        await engine.tell(session, { type: "words.delivered", ids: settled.words.map(({ id }) => id) });
      }
    }
    const after = engine.run(session) ?? run;
    const news = isWarned ? "" : droppedText(dropped);
    isWarned = true;
    const said = words.map(({ text }) => `The user says: ${JSON.stringify(text)}`);
    const parts = [answer.text, ...said, news, openWorkText(after)];
    return { ...answer, text: parts.filter((part) => part !== "").join("\n\n") };
  }
}
