import { type QueuedWords, type Run, wordsWithPrompt } from "../core/run/index.ts";
import { carriedMark, contextText, speakerOf } from "../core/words/index.ts";
import { contextBlock } from "../core/workflow/index.ts";
import { carryOut } from "./carry-out.ts";
import type { HookCommand } from "./command.ts";
import type { Answer, Carried } from "./happening.ts";
import { bounded, fitting, wordsText } from "./own-words.ts";
import type { Respondent, Spoken } from "./respond.ts";
import { compacted, overBefore, wasCut } from "./turn-over.ts";

// A prompt, what it commands, and the messages that reach the agent with it.

/** Done, and said to you beside what the agent is told. */
export async function inPassing(command: HookCommand, respondent: Respondent): Promise<void> {
  const answer = await carryOut(command.order, respondent);
  if (answer.type === "deny") respondent.host.show(respondent.session, { type: "text", text: answer.reason });
}

/** A workflow is taken up at once: the agent hears of its first phase with the words that started it. */
export async function commanded(command: HookCommand, turn: string, respondent: Respondent): Promise<Answer> {
  const { engine, session } = respondent;
  const answer = await carryOut(command.order, respondent);
  if (answer.type !== "tell") return answer;
  await engine.tell(session, { type: "turn.started", turn, cause: "human" });
  const context = [answer.context, contextOf(engine.run(session))].filter((part) => part !== "").join("\n\n");
  return { type: "tell", context: bounded(context) };
}

export async function prompted(
  { from, text, turn, before: past }: Spoken & { type: "prompted" },
  before: Run,
  respondent: Respondent,
): Promise<Answer | undefined> {
  const { engine, session } = respondent;
  const speaker = speakerOf(before, text);
  if (speaker !== "other" || from === "host") {
    const cause = speaker === "nudge" ? "nudge" : speaker === "words" ? "human" : "host";
    const said = speaker === "words" ? before.ledger.sending.filter((id) => text.includes(carriedMark(id))) : [];
    const { words: heard = [] } = await heardOf(before, respondent, said);
    const words = [...said, ...heard];
    await engine.tell(session, { type: "turn.started", turn, cause, words });
    return cause === "host" ? carrying([], "host", respondent) : undefined;
  }
  await compacted(before, respondent);
  const { words = [] } = before.ledger.turn?.id === turn ? {} : await heardOf(before, respondent);
  if (wasCut(before)) await overBefore(past(), before, respondent);
  await engine.tell(session, { type: "human.spoke" });
  await engine.tell(session, { type: "turn.started", turn, cause: "human", words });
  return carrying([contextOf(before)], "human", respondent);
}

/** What became of messages whose process ended before it could say so. */
export async function heardOf(
  { ledger }: Run,
  respondent: Respondent,
  known: readonly string[] = [],
): Promise<{ readonly words?: readonly string[] }> {
  const ids = ledger.sending.filter((id) => !known.includes(id));
  const words = ids.length === 0 ? undefined : await respondent.heard(ids);
  return words ? { words } : {};
}

/** Messages come first: what follows them may be cut. That they go out is written down before they do. */
async function carrying(
  contexts: readonly string[],
  from: "human" | "host",
  { engine, session }: Respondent,
): Promise<Answer | undefined> {
  const now = engine.run(session);
  const words = now ? fitting(wordsWithPrompt(now, from)) : [];
  if (!now || words.length === 0) return telling(contexts);
  const carries = carriedIn(now, words);
  const reply = await engine.tell(session, { type: "words.send", ids: carries.ids });
  if (reply.type !== "done") return telling(contexts); // the host called two of us, and the other one says it
  const answer = telling([wordsText(words), ...contexts]);
  return answer && { ...answer, carries };
}

export function telling(contexts: readonly string[]) {
  const parts = contexts.filter((part) => part !== "");
  return parts.length === 0 ? undefined : ({ type: "tell", context: bounded(parts.join("\n\n")) } as const);
}

export const carriedIn = ({ id }: Run, words: readonly QueuedWords[]): Carried => ({
  run: id,
  ids: words.map(({ id }) => id),
});

export const contextOf = (run: Run | undefined): string =>
  run ? [contextBlock(run.plan.workflow) ?? "", contextText(run)].filter((part) => part !== "").join("\n\n") : "";
