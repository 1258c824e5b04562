import { STOP, stopRow, WAIT, waitRow } from "../core/reason/index.ts";
import { summaryOf } from "./card.ts";
import { isAgedOut, isGone } from "./is-working.ts";
import type { Driver, RunCard } from "./ports.ts";

/** A run in a list of many, drawn from its card alone: no log is read for it. */
export interface RunRow {
  readonly run: string;
  readonly host: string;
  readonly cwd: string;
  readonly goal?: string;
  readonly began: number;
  readonly updated: number;
  readonly done: number;
  readonly total: number;
  readonly proven: number;
  /** Approvals and questions that wait for you. */
  readonly asks: number;
  readonly held: boolean;
  readonly group: "needs_you" | "running" | "stopped";
  /** In two or three words how it stands. */
  readonly label: string;
  readonly tone: "good" | "attention" | "done" | "over";
}

export function rowOf(card: RunCard, drivers: readonly Driver[], now: number, ageOutMs: number): RunRow {
  const { goal, done, total, proven = 0, asks = 0, held } = summaryOf(card);
  const { run, host, cwd, began, updated } = card;
  const gone = card.live && isGone(card, drivers);
  const waiting = gone ? 0 : asks;
  return {
    ...{ run, host, cwd, began, updated, done, total, proven, held, asks: waiting },
    ...(goal !== undefined && { goal }),
    ...standing(card, waiting, gone, card.live && isAgedOut(card, drivers, now, ageOutMs)),
  };
}

type Standing = Pick<RunRow, "group" | "label" | "tone">;

/** The first that fits: what you have to do comes before what happens by itself. */
function standing(card: RunCard, asks: number, gone: boolean, aged: boolean): Standing {
  const { state, reason, held } = summaryOf(card);
  const group = aged ? "stopped" : "needs_you";
  if (!card.live) return { group: "stopped", ...ended(reason) };
  if (asks > 0) return { group: "needs_you", label: "waiting for you", tone: "attention" };
  if (held) return { group, label: "on hold", tone: "attention" };
  if (state === "left") return { group, label: "host exited", tone: "attention" };
  if (gone && state !== "stop") return { group, label: "cut off", tone: "attention" };
  if (state === "stop") return { group, label: stopRow(reason ?? "").label, tone: "attention" };
  if (state === "wait") return { group: "running", label: waiting(reason ?? ""), tone: "good" };
  return { group: "running", label: state === "continue" ? "continuing" : "working", tone: "good" };
}

/** What the table does not know, such as that it is queued, stands for itself. */
const waiting = (reason: string): string =>
  Object.hasOwn(WAIT, reason) ? `waits: ${waitRow(reason).label}` : reason || "waiting";

function ended(reason: string | undefined): Pick<RunRow, "label" | "tone"> {
  if (reason === undefined || !Object.hasOwn(STOP, reason)) return { label: reason ?? "ended", tone: "over" };
  const { label, tone } = stopRow(reason);
  return { label, tone: tone === "success" ? "done" : "over" };
}
