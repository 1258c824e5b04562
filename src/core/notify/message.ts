import { type News, stopRow, waitRow } from "../reason/index.ts";
import {
  type ButtonAnswer,
  decisionText,
  type Notification,
  type NotifyKind,
  nextStepText,
  type Run,
} from "../run/index.ts";
import { clipLine, exactRows } from "../text/index.ts";
import { changeText } from "./change-text.ts";

/** What a notification says. It holds no contents of files, and of commands only what the log holds: no secrets. */
export interface Message {
  /** The same at every try: a receiver that gets it twice can tell. */
  readonly id: string;
  readonly kind: NotifyKind;
  readonly news: News;
  readonly reason: string;
  readonly run: string;
  readonly goal?: string;
  readonly title: string;
  readonly text: string;
  /** The command that waits for your approval, as far as it is shown. */
  readonly command?: string;
  /** The answers that a button may give: to approve, you must have seen all of it. */
  readonly answers: readonly ButtonAnswer[];
}

/** Whether commands may be shown at all. */
export type ShownCommands = "redacted" | "hidden";

export function messageOf(run: Run, notification: Notification, commands: ShownCommands): Message {
  const { kind, reason, id } = notification;
  const { goal } = run;
  const said = kind === "approval" ? ofApproval(run, notification, commands) : ofStop(run, notification);
  return {
    ...{ id: `${run.id}/${id}`, kind, reason, run: run.id },
    ...(goal !== undefined && { goal: clipLine(goal, LONGEST_GOAL) }),
    ...said,
    news: said.news,
    title: goal === undefined ? said.title : `${said.title}: ${clipLine(goal, LONGEST_GOAL)}`,
  };
}

type Saying = Pick<Message, "news" | "title" | "text" | "command" | "answers">;

/** In characters. A phone shows about this much, and ntfy takes 4096 bytes in all. */
const LONGEST_GOAL = 60;
const LONGEST_TEXT = 300;
const LONGEST_COMMAND = 1_000;

function ofApproval(run: Run, { about }: Notification, commands: ShownCommands): Saying {
  const asked = run.ledger.approvals.find(({ call }) => call === about);
  const news = waitRow("approval").news ?? "needs_you";
  const title = `${asked?.tool ?? "A call"} needs your approval`;
  if (!asked) return { news, title, text: title, answers: [] };
  if (asked.shows !== "command") return { news, title, text: `${title}: ${changeText(asked.what)}`, answers: ["deny"] };
  if (commands === "hidden") return { news, title, text: title, answers: ["deny"] };
  const shown = exactRows(asked.what, LONGEST_COMMAND).join("\n");
  const isWhole = shown.length <= LONGEST_COMMAND && !shown.includes("[redacted");
  const command = shown.length <= LONGEST_COMMAND ? shown : `${shown.slice(0, LONGEST_COMMAND - 30)}\n… (cut here)`;
  return { news, title, text: `${title}: ${command}`, command, answers: isWhole ? ["approve", "deny"] : ["deny"] };
}

function ofStop(run: Run, { kind, reason, about }: Notification): Saying {
  if (kind === "question" && about !== undefined) {
    const asks = run.ledger.questionTexts?.[about];
    const { says, news } = waitRow("question");
    const text = asks === undefined ? says : `The agent asks: ${asks}`;
    return { news: news ?? "needs_you", title: "The agent asks you", text: clipLine(text, LONGEST_TEXT), answers: [] };
  }
  const { decision } = run.ledger;
  const row = stopRow(reason);
  const isTheirs = decision?.type === "stop" && decision.reason === reason;
  const text = isTheirs ? `${decisionText(decision)} ${nextStepText(decision)}` : `${row.says} ${row.next}`;
  const label = row.label.replace(/^[^\p{L}]+/u, "");
  const title = TITLES[kind] ?? `Stopped (${label})`;
  return { news: row.news, title, text: clipLine(text.trim(), LONGEST_TEXT), answers: [] };
}

const TITLES: Partial<Record<NotifyKind, string>> = {
  question: "The agent asks you",
  release: "A todo waits for your release",
  budget: "Budget spent",
  done: "Done",
};
