import type { ContextEvent, ExtensionContext, MessageUpdateEvent } from "@earendil-works/pi-coding-agent";
import { NO_USAGE, type Usage } from "../../core/run/index.ts";
import type { Clock } from "../../engine/index.ts";
import type { Notices } from "./notices.ts";
import type { SessionRun } from "./session-run.ts";
import type { AssistantWords } from "./translate.ts";
import type { Turns } from "./turns.ts";
import { charactersIn, estimateUsage, isUnpriced, toldUsage } from "./usage.ts";

export interface AnswersParts {
  readonly ctx: Pick<ExtensionContext, "model" | "getSystemPrompt">;
  readonly clock: Clock;
  readonly own: SessionRun;
  readonly turns: Turns;
  readonly notices: Notices;
}

/** Model answers as they come: what each used is told when it ends, and about once a second while it arrives. */
export function createAnswers({ ctx, clock, own, turns, notices }: AnswersParts) {
  let asked: { readonly messages: ContextEvent["messages"]; characters?: number } = { messages: [] };
  let arriving = { characters: 0, told: 0, toldAt: 0 };
  /** Answers before there was a run: the first one that is told takes them along. */
  let untold: Usage = NO_USAGE;
  let before: Usage | undefined;
  let saidNoUsage = false;

  return { requested, grew, ended };

  function requested(messages: ContextEvent["messages"]): void {
    asked = { messages };
    arriving = { characters: 0, told: 0, toldAt: clock.now() };
    if (isUnexpected()) void growing();
  }

  /** A run that was born in this turn does not know it yet; or the last answer called nothing, and pi asks again all the same. */
  function isUnexpected(): boolean {
    const { turn, boundary } = own.run()?.ledger ?? {};
    return turn ? turn.pace.phase === "settling" : boundary === undefined;
  }

  async function grew({ assistantMessageEvent: event }: MessageUpdateEvent): Promise<void> {
    if (!("delta" in event)) return;
    arriving.characters += event.delta.length;
    const isNews = arriving.characters - arriving.told >= TELL_EVERY_CHARACTERS;
    if (isNews || clock.now() - arriving.toldAt >= TELL_EVERY_MS) await growing();
  }

  async function growing(): Promise<void> {
    arriving = { ...arriving, told: arriving.characters, toldAt: clock.now() };
    if (own.run()?.status !== "live") return;
    const turn = turns.current()?.turn;
    await own.tell({ type: "answer.growing", usage: plus(untold, estimate()), turn });
  }

  async function ended(message: AssistantWords): Promise<void> {
    turns.heard(message);
    const turn = turns.current()?.turn;
    if (turn === undefined) return;
    const isCut = message.stopReason === "aborted" || message.stopReason === "error";
    const told = toldUsage(message);
    const wasHeard = charactersIn(message.content) > 0;
    if (isCut && !told && !wasHeard && message.stopReason === "error") return; // refused before it cost anything
    const estimated = told === undefined || isCut;
    if (!isCut && !told) sayNoUsage();
    const usage = estimated ? greater(told, estimate(charactersIn(message.content))) : told;
    const sum = plus(untold, usage);
    const reply = await own.tell({
      type: "answer.seen",
      turn,
      usage: sum,
      ...(estimated && { estimated }),
      ...(isCut ? { cut: true } : { calls: message.content.filter(({ type }) => type === "toolCall").length }),
      ...(isUnpriced(fromSession(() => ctx.model?.cost)) && { unpriced: true }),
    });
    untold = reply.type === "ignored" && reply.why === "no_run" ? sum : NO_USAGE;
    before = usage;
  }

  function estimate(answered = arriving.characters): Usage {
    asked.characters ??=
      charactersIn(asked.messages.map((message) => ("content" in message ? message.content : ""))) +
      (fromSession(() => ctx.getSystemPrompt().length) ?? 0);
    return estimateUsage(
      { asked: asked.characters, answered },
      before,
      fromSession(() => ctx.model?.cost),
    );
  }

  /** pi refuses what belongs to a session that was replaced meanwhile; an estimate can do without. */
  function fromSession<T>(ask: () => T): T | undefined {
    try {
      return ask();
    } catch {
      return undefined;
    }
  }

  function sayNoUsage(): void {
    if (saidNoUsage || own.run()?.ledger.budget.tokens === undefined) return;
    saidNoUsage = true;
    notices.show({ type: "text", text: NO_USAGE_TOLD });
  }
}

export type Answers = ReturnType<typeof createAnswers>;

const TELL_EVERY_MS = 1_000;
const TELL_EVERY_CHARACTERS = 2_000;

const NO_USAGE_TOLD =
  "The model's server does not report how many tokens it used. tildone estimates them (4 characters are a token), and the token budget follows that estimate.";

/** A provider that was cut may have told part of it already. */
const greater = (told: Usage | undefined, estimated: Usage): Usage =>
  told === undefined
    ? estimated
    : { ...told, output: Math.max(told.output, estimated.output), cost: Math.max(told.cost, estimated.cost) };

const plus = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  cost: a.cost + b.cost,
});
