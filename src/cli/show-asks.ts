import type { Run } from "../core/run/index.ts";
import { type Ask, asksOf } from "../core/words/index.ts";
import type { Io } from "./io.ts";
import { span } from "./span.ts";
import { styleOf } from "./style.ts";
import { printable, wrap } from "./wrap.ts";

/** The first word on every screen while somebody has to answer. */
export const WAITING_FOR_YOU = "WAITING FOR YOU";

/** What waits for you and how to answer it. Commands stand on lines of their own, so that they can be pasted. */
export function askLines(run: Run, io: Pick<Io, "columns" | "hasColour">, now: number): readonly string[] {
  const style = styleOf(io);
  return asksOf(run).flatMap((ask) => [
    style.role("warning", `${WAITING_FOR_YOU}: ${ask.says}`),
    ...bodyLines(ask, io, now),
    ...ask.answers.map(({ word, how }) => `  ${`${word}:`.padEnd(8)}${how}`),
  ]);
}

/** All of it, however long: what is cut off cannot be approved. */
export function bodyLines({ what, because, endsAt }: Ask, io: Pick<Io, "columns">, now: number): readonly string[] {
  const text = what === undefined ? [] : wrap(printable(what), io.columns - 4).split("\n");
  const denied = endsAt === undefined ? "" : `; denied in ${span(endsAt - now)} if nobody answers`;
  return [
    ...text.map((line) => `    ${line}`),
    ...(because === undefined
      ? []
      : wrap(`because: ${because}${denied}`, io.columns - 2)
          .split("\n")
          .map((line) => `  ${line}`)),
  ];
}
