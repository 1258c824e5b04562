import type { Action } from "./action.ts";
import type { History, Logged } from "./simulate.ts";

/** A history for a reader: what happened, and under each step what the logs took in. */
export function historyText({ setup, actions, violation, logged }: History): string {
  const { host, limits: _numbers, ...rest } = setup;
  const steps = actions.flatMap((action, index) => [`${index + 1}. ${actionText(action)}`, ...logText(logged[index])]);
  const ending = logged.slice(actions.length).flatMap((events) => logText(events));
  return [
    `violated: ${violation?.invariant ?? "nothing"}`,
    `          ${violation?.text ?? ""}`,
    `host ${host} ${JSON.stringify(rest)}`,
    ...steps,
    ...(ending.length > 0 ? ["then nothing but time:", ...ending.slice(-30)] : []),
  ].join("\n");
}

function actionText({ do: what, ...rest }: Action): string {
  const details = JSON.stringify(rest);
  return details === "{}" ? what : `${what} ${clipped(details)}`;
}

const logText = (events: readonly Logged[] | undefined): readonly string[] =>
  (events ?? []).map(({ run, seq, at, by, event }) => `     ${run}/${seq} @${at - 1_000_000} ${by}: ${clipped(JSON.stringify(event))}`);

const clipped = (text: string): string => (text.length > 220 ? `${text.slice(0, 219)}…` : text);
