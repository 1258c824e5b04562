import type { Action } from "./action.ts";
import type { DiskKind } from "./disk.ts";
import type { History, Logged } from "./simulate.ts";
import { BEGINNING } from "./world.ts";

export interface Result {
  readonly store: DiskKind;
  readonly seeds: number;
  readonly from: number;
  readonly ms: number;
  readonly workers: number;
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly seed: number;
  readonly history: History;
  /** Seeds that break the same promise. */
  readonly others?: readonly number[];
}

export function summaryText({ store, seeds, from, ms, workers, failures }: Result): string {
  const broken = failures.length === 0 ? "0 violations" : `${failures.length} broken promise(s)`;
  return `${seeds} seeds from ${from} on ${store}, ${workers} worker(s), ${(ms / 1000).toFixed(1)} s: ${broken}`;
}

export function progressText(count: number, seeds: number, ms: number): string {
  const left = count === 0 ? "?" : Math.ceil(((ms / count) * (seeds - count)) / 1000);
  return `${count}/${seeds} seeds, about ${left} s left`;
}

export function failureText({ seed, history, others = [] }: Failure): string {
  const { setup, actions } = history;
  const also = others.length > 0 ? [`also: ${others.length} other seeds (${others.slice(0, 8).join(", ")})`] : [];
  return [
    `seed ${seed}: ${historyText(history)}`,
    ...also,
    `again: npm run sim -- --seed ${seed}`,
    `shortened, for --replay: ${JSON.stringify({ setup, actions })}`,
  ].join("\n");
}

/** A history for a reader: what happened, and under each step what the logs took in. */
function historyText({ setup, actions, violation, logged }: History): string {
  const { host, limits: _numbers, ...rest } = setup;
  const steps = actions.flatMap((action, index) => [`${index + 1}. ${actionText(action)}`, ...logText(logged[index])]);
  const ending = logged.slice(actions.length).flatMap((events) => logText(events));
  return [
    `violated ${violation?.invariant ?? "nothing"}: ${violation?.text ?? ""}`,
    `host ${host} ${clipped(JSON.stringify(rest))}`,
    ...steps,
    ...(ending.length > 0 ? ["then nothing but time:", ...ending.slice(-30)] : []),
  ].join("\n");
}

function actionText({ do: what, ...rest }: Action): string {
  const details = JSON.stringify(rest);
  return details === "{}" ? what : `${what} ${clipped(details)}`;
}

function logText(events: readonly Logged[] = []): readonly string[] {
  const lines = events
    .slice(0, MOST_LINES)
    .map(
      ({ run, seq, at, by, event }) => `     ${run}/${seq} @${at - BEGINNING} ${by}: ${clipped(JSON.stringify(event))}`,
    );
  return events.length > MOST_LINES ? [...lines, `     … ${events.length - MOST_LINES} more`] : lines;
}

const MOST_LINES = 40;

const clipped = (text: string): string => (text.length > 220 ? `${text.slice(0, 219)}…` : text);
