import type { Agent } from "../agent/index.ts";
import { visible } from "../core/text/index.ts";
import { asksOf } from "../core/view/index.ts";
import type { Answered } from "../scheduler/index.ts";
import type { Io } from "./io.ts";
import { bodyLines, WAITING_FOR_YOU } from "./show-asks.ts";

interface Waiting {
  readonly args: unknown;
  readonly mayAlways: boolean;
  /** Aborted when no answer is needed any more. */
  readonly gone: AbortController;
}

/**
 * Asks about each call that waits in the terminal where the run was started, one after the other. An answer from another
 * terminal closes the question. `take` gives the terminal to the question until what it returns is called.
 */
export function askInPlace({ scheduler, tildone, session }: Agent, io: Io, take: () => () => void): void {
  const waiting = new Map<string, Waiting>();
  let isAsking = false;
  scheduler.observe((update) => {
    if (update.type !== "call.entered") return;
    const { call } = update;
    const { id, args } = call.request;
    waiting.get(id)?.gone.abort();
    waiting.delete(id);
    if (call.status !== "awaiting_approval") return;
    waiting.set(id, { args, mayAlways: call.approval.always !== undefined, gone: new AbortController() });
    // The log hears of it first: `tildone status` shows the same meanwhile.
    setImmediate(() => void askAll());
  });

  async function askAll(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const giveBack = take();
    try {
      for (let next = first(); next && !io.signal.aborted; next = first()) await ask(...next);
    } finally {
      isAsking = false;
      giveBack();
    }
  }

  function first(): readonly [id: string, question: Waiting] | undefined {
    return [...waiting].find(([, { gone }]) => !gone.signal.aborted);
  }

  async function ask(id: string, question: Waiting): Promise<void> {
    const { gone, mayAlways } = question;
    for (const line of shown(id)) io.out(line);
    io.alert("a call needs your approval");
    io.out(`  y = yes${mayAlways ? "   a = always exactly this" : ""}   e = edit first   n = no, and stop the run`);
    for (let isFirst = true; !gone.signal.aborted && !io.signal.aborted; isFirst = false) {
      const prompt = "y, n, or say what to do instead: ";
      const answer = await io.ask(prompt, { signal: gone.signal, isSudden: isFirst });
      if (gone.signal.aborted) io.out("\nAnswered elsewhere.");
      if (answer === undefined) return;
      if (await isTaken(id, answer.trim(), question)) return;
    }
  }

  async function isTaken(id: string, answer: string, { args, mayAlways, gone }: Waiting): Promise<boolean> {
    switch (answer.toLowerCase()) {
      case "y":
      case "yes":
        return isDone(scheduler.approve(id, { type: "once" }));
      case "n":
      case "no":
        return stop(id);
      case "a":
        return mayAlways && isDone(scheduler.approve(id, { type: "always_rule" }));
      case "e":
        return edit(id, visible(JSON.stringify(args)), gone.signal); // JSON all the same
      default:
        return answer.length > 1 && isDone(scheduler.deny(id, { words: answer }));
    }
  }

  /** Leaving the line empty leads back to the question; a mistake is said, and what was written stands there again. */
  async function edit(id: string, draft: string, signal: AbortSignal): Promise<boolean> {
    const written = (await io.ask("Arguments (JSON), then Enter: ", { signal, draft }))?.trim();
    if (!written) return false;
    let args: unknown;
    try {
      args = JSON.parse(written);
    } catch (error) {
      io.out(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`);
      return edit(id, written, signal);
    }
    return isDone(scheduler.approve(id, { type: "edited", args }));
  }

  function stop(id: string): boolean {
    const isDenied = isDone(scheduler.deny(id, { rest: "stops" }));
    if (isDenied) void session.abort();
    return isDenied;
  }

  function isDone(result: Answered): boolean {
    if (!result.ok) io.out(result.message);
    return result.ok;
  }

  function shown(id: string): readonly string[] {
    const run = tildone.engine.run(session.sessionManager.getSessionId());
    const at = run?.ledger.approvals.findIndex(({ call }) => call === id) ?? -1;
    const ask = run && at >= 0 ? asksOf(run)[at] : undefined;
    if (!ask) return [`${WAITING_FOR_YOU}: a call needs your approval`];
    return [`${WAITING_FOR_YOU}: ${ask.says}`, ...bodyLines(ask, io, io.now())];
  }
}
