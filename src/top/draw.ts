import { changeText } from "../core/notify/index.ts";
import { exactLine, width } from "../core/text/index.ts";
import { themedList } from "../core/todo/index.ts";
import { drawAnswer } from "./draw-answer.ts";
import type { Screen } from "./screen.ts";
import {
  type Chosen,
  type Listed,
  type Mode,
  selectedRun,
  shownRuns,
  type TopData,
  type TopState,
} from "./top-state.ts";

/** The whole screen: as many lines as it has rows, none wider than it. */
export function draw(state: TopState, data: TopData, screen: Screen): readonly string[] {
  const { rows, columns, style } = screen;
  const body = state.mode.type === "answer" ? drawAnswer(state.mode, screen) : drawRuns(state, data, screen);
  const middle = rows - 3;
  return [
    style.strong(padded(headline(state, data, screen), columns)),
    ...body.slice(0, middle),
    ...Array.from({ length: Math.max(0, middle - body.length) }, () => ""),
    promptLine(state, data, screen),
    style.role("dim", screen.clip(keysOf(state.mode), columns)),
  ];
}

const KEYS = {
  runs: "↑↓  a answer  h hold  u unhold  s say  / search  q quit",
  answer: "y approve once  A always  n deny  ↑↓ scroll  Esc back",
} as const;
const WRITING = {
  search: "Enter keep  Esc clear",
  say: "Enter send  Esc cancel",
  deny: "Enter deny  Esc cancel",
} as const;

const keysOf = (mode: Mode): string => (mode.type === "write" ? WRITING[mode.for.type] : KEYS[mode.type]);

function headline({ search }: TopState, data: TopData, { clip, columns }: Screen): string {
  const waiting = data.runs.filter(({ asks }) => asks > 0).length;
  const parts = [
    `tildone  ${data.runs.length === 1 ? "1 run" : `${data.runs.length} runs`}`,
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for you`] : []),
    ...(search === "" ? [] : [`search: ${search}`]),
    ...(data.hidden > 0 ? [`${data.hidden} older`] : []),
    ...(data.away === undefined ? [] : ["runs of the fleet may be missing or old"]),
  ];
  return clip(parts.join("  ·  "), columns);
}

function promptLine({ mode, notice }: TopState, { away = "" }: TopData, { clip, columns, style }: Screen): string {
  if (mode.type !== "write") return style.role("warning", clip(notice === "" ? away : notice, columns));
  const label = { search: "Search", say: "Message", deny: "Deny; why (empty: stop the run)" }[mode.for.type];
  const room = columns - label.length - 4;
  const text = [...mode.text].slice(-Math.max(5, room)).join(""); // its end is where you write
  return clip(`${label}: ${text}█`, columns);
}

function drawRuns(state: TopState, data: TopData, screen: Screen): readonly string[] {
  const { rows, columns } = screen;
  const left = Math.min(40, Math.max(20, Math.floor(columns * 0.36)));
  const right = columns - left - 3;
  const height = rows - 3;
  const shown = shownRuns(data, state.search);
  const selected = selectedRun(data, state);
  const at = Math.max(
    0,
    shown.findIndex(({ run }) => run === selected?.run),
  );
  const first = Math.max(0, Math.min(at - Math.floor(height / 4), shown.length - Math.floor(height / 2)));
  const list = shown.slice(first).flatMap((one) => listedLines(one, one === selected, left, screen));
  const { chosen } = data;
  const detail = chosen && chosen.read.card.run === selected?.run ? chosenLines(chosen, right, height, screen) : [];
  const empty =
    data.runs.length === 0 ? EMPTY : shown.length === 0 ? "No run fits the search. Esc clears it." : undefined;
  if (empty !== undefined) return screen.wrap(empty, columns);
  return Array.from({ length: height }, (_, row) =>
    `${padded(list[row] ?? "", left)} ${screen.style.role("dim", "│")} ${detail[row] ?? ""}`.trimEnd(),
  );
}

const EMPTY = 'No run yet. It begins when an agent writes its todo list: tildone run "what to do".';
const ROLE = { good: "success", attention: "warning", over: "dim" } as const;

/** Two lines a run: its name and state, then what it is about. */
function listedLines(one: Listed, isSelected: boolean, columns: number, { clip, style }: Screen): readonly string[] {
  const mark = isSelected ? "▸" : " ";
  const head = `${mark}${one.run} `;
  const word = clip(one.asks > 0 ? "WAITING" : one.word, Math.max(4, columns - width(head)));
  const count = one.count === "" ? "" : `${one.count} `;
  const about = clip(` ${count}${one.goal === "" ? one.place : one.goal}`, columns);
  const first = `${isSelected ? style.strong(head) : head}${style.role(ROLE[one.tone], word)}`;
  return [first, style.role("dim", about)];
}

function chosenLines({ read, decisions }: Chosen, columns: number, height: number, screen: Screen): readonly string[] {
  const { clip, style } = screen;
  const { view } = read;
  const head = [
    clip(`${view.host}  ${view.cwd}`, columns),
    ...(view.goal === undefined ? [] : [clip(view.goal, columns)]),
    ...standingLines(read, columns, screen),
    "",
  ];
  const tail = decisions.length === 0 ? [] : ["", style.strong("Last decisions")];
  const most = Math.max(0, Math.min(decisions.length, Math.floor(height / 4)));
  const told = decisions.slice(0, most).map((line) => style.role("dim", clip(line, columns)));
  const room = Math.max(1, height - head.length - tail.length - told.length - 1);
  return [...head, clip(view.count.text, columns), ...todoLines(read, columns, room, screen), ...tail, ...told].slice(
    0,
    height,
  );
}

/** How it stands; of what waits for you enough to know it, and the key that shows all of it. */
function standingLines(
  { run, view: { state, asks } }: Chosen["read"],
  columns: number,
  { clip, wrap, style }: Screen,
): readonly string[] {
  const coloured = (line: string) => style.role(ROLE[state.tone], clip(line, columns));
  const [ask] = asks;
  if (!ask) return wrap(state.line, columns).slice(0, 4).map(coloured);
  const { what = "", says, shows } = ask;
  const about = shows === "diff" ? changeText(what) : exactLine(what, 3 * columns);
  const held = run.ledger.held ? "On hold · " : "";
  const others = asks.length > 1 ? ` (1 of ${asks.length})` : "";
  return [
    ...wrap(`${held}WAITING FOR YOU: ${says}${others}`, columns).slice(0, 2).map(coloured),
    ...wrap(about, columns - 2)
      .slice(0, 2)
      .map((line) => clip(`  ${line}`, columns)),
    style.role("dim", clip("a shows all of it.", columns)),
  ];
}

/** The part of the list around what is worked on. */
function todoLines(
  { view }: Chosen["read"],
  columns: number,
  room: number,
  { clip, style }: Screen,
): readonly string[] {
  const lines = themedList(view.todos).map((segments) => {
    let left = columns;
    return segments
      .map(({ text, role, struck }) => {
        const shown = left <= 0 ? "" : clip(text, left);
        const whole = text.endsWith(" ") && shown !== "" && width(shown) < left ? `${shown.trimEnd()} ` : shown;
        left -= width(whole);
        return style.role(role, struck ? style.struck(whole) : whole);
      })
      .join("");
  });
  if (lines.length <= room) return lines;
  const active = view.todos.findIndex(({ status }) => status === "in_progress");
  const first = Math.min(Math.max(0, active - 1), lines.length - room + 1);
  return [...lines.slice(first, first + room - 1), style.role("dim", `… ${lines.length - room + 1} more`)];
}

const COLOUR = /\u001b\[[\d;]*m/g;
const padded = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - width(text.replace(COLOUR, ""))));
