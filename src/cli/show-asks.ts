import { exactRows, fold, span } from "../core/text/index.ts";
import type { Ask, StateWord } from "../core/view/index.ts";
import type { Io } from "./io.ts";
import { styleOf } from "./style.ts";
import { wrap } from "./wrap.ts";

export const WAITING_FOR_YOU = "WAITING FOR YOU" satisfies StateWord;

/** What waits for you and how to answer it. Commands stand on lines of their own, so that they can be pasted. */
export function askLines(asks: readonly Ask[], io: Pick<Io, "columns" | "hasColour">, now: number): readonly string[] {
  const style = styleOf(io);
  return asks.flatMap((ask) => [
    style.role("warning", `${WAITING_FOR_YOU}: ${ask.says}`),
    ...bodyLines(ask, io, now),
    ...ask.answers.map(({ word, how }) => `  ${`${word}:`.padEnd(8)}${how}`),
  ]);
}

/** Every character of it; of a long one the beginning, the end, and how to see the rest. */
export function bodyLines(
  { what, whole, because, endsAt }: Ask,
  io: Pick<Io, "columns">,
  now: number,
  mostRows = 40,
): readonly string[] {
  const rows = what === undefined ? [] : exactRows(what, io.columns - 4);
  const text = fold(
    rows,
    mostRows,
    (hidden) => `… ${hidden} lines are not shown; all of it: ${whole ?? "tildone log"}`,
  );
  const denied = endsAt === undefined ? "" : `; denied in ${span(endsAt - now)} without an answer`;
  return [
    ...text.map((line) => `    ${line}`),
    ...(because === undefined
      ? []
      : wrap(`because: ${because}${denied}`, io.columns - 2)
          .split("\n")
          .map((line) => `  ${line}`)),
  ];
}
