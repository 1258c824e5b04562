import { exactRows, span } from "../core/text/index.ts";
import type { Role } from "../core/todo/index.ts";
import type { Screen } from "./screen.ts";
import type { Mode } from "./top-state.ts";

/** Rows for the command itself: the others say what it is and what to press. */
export const answerRoom = ({ rows }: Pick<Screen, "rows">): number => Math.max(3, rows - 9);

/** One call that waits, with every character of it. */
export function drawAnswer({ run, ask, top }: Mode & { readonly type: "answer" }, screen: Screen): readonly string[] {
  const { columns, style, clip, wrap, now } = screen;
  const rows = exactRows(ask.what ?? "", columns - 4);
  const room = answerRoom(screen);
  const shown = rows.slice(top, top + room);
  const more = rows.length - top - shown.length;
  const ends = ask.endsAt === undefined ? "" : ` Denied in ${span(ask.endsAt - now)} without an answer.`;
  const because = ask.because === undefined ? [] : wrap(`Why it asks: ${ask.because}.${ends}`, columns).slice(0, 2);
  return [
    style.role("warning", clip(`WAITING FOR YOU: ${ask.says} (run ${run})`, columns)),
    ...because.map((line) => clip(line, columns)),
    "",
    ...shown.map((row) => `    ${style.role(ask.shows === "diff" ? roleOf(row) : "text", row)}`),
    "",
    style.role("dim", clip(rowsText(top, shown.length, rows.length, more), columns)),
  ];
}

/** Of a row of a diff: what is added, taken away, or says where it is. */
const roleOf = (row: string): Role =>
  /^(\+\+\+|---) /.test(row)
    ? "dim"
    : (({ "+": "success", "-": "error", "@": "accent" } as const)[row[0] ?? ""] ?? "text");

const rowsText = (top: number, shown: number, all: number, more: number): string => {
  if (all === shown) return "This is all of it.";
  return more > 0
    ? `Rows ${top + 1}-${top + shown} of ${all}; ↓ shows more.`
    : `Rows ${top + 1}-${all} of ${all}: the end.`;
};
