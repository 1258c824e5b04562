import { exactRows } from "../core/text/index.ts";
import type { Ask } from "../core/view/index.ts";
import { answerRoom } from "./draw-answer.ts";
import type { Screen } from "./screen.ts";
import { type Act, type Mode, selectedRun, shownRuns, type TopData, type TopState, type Writing } from "./top-state.ts";

export interface Pressed {
  readonly state: TopState;
  readonly act?: Act;
}

/** What a key means. `key` is its name (`up`, `enter`, `a`), `text` what it writes, if anything. */
export function pressKey(before: TopState, data: TopData, key: string, text: string, screen: Screen): Pressed {
  const state = { ...before, notice: "" };
  if (key === "ctrl+c") return { state, act: { type: "quit" } };
  switch (state.mode.type) {
    case "runs":
      return inRuns(state, data, key, screen);
    case "answer":
      return inAnswer(state, state.mode, key, screen);
    case "write":
      return inWriting(state, state.mode, key, text);
  }
}

function inRuns(state: TopState, data: TopData, key: string, screen: Screen): Pressed {
  const selected = selectedRun(data, state)?.run;
  const step = STEPS[key];
  if (step !== undefined) return { state: moved(state, data, step) };
  if (key === "q") return { state, act: { type: "quit" } };
  if (key === "/") return { state: writing(state, { type: "search" }, state.search) };
  if (key === "escape") return { state: { ...state, search: "" } };
  if (selected === undefined) return { state: { ...state, notice: "There is no run to do this with." } };
  if (key === "h") return { state, act: { type: "hold", run: selected } };
  if (key === "u") return { state, act: { type: "unhold", run: selected } };
  if (key === "s") return { state: writing(state, { type: "say", run: selected }) };
  if (key === "a" || key === "enter") return { state: asked(state, data, screen) };
  return { state };
}

const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  pageUp: -10,
  pageDown: 10,
  home: -Infinity,
  end: Infinity,
};

function moved(state: TopState, data: TopData, step: number): TopState {
  const shown = shownRuns(data, state.search);
  const at = shown.findIndex(({ run }) => run === selectedRun(data, state)?.run);
  const next = shown[Math.min(Math.max(at + step, 0), shown.length - 1)];
  return { ...state, selected: next?.run };
}

const writing = (state: TopState, purpose: Writing, text = ""): TopState => ({
  ...state,
  mode: { type: "write", for: purpose, text },
});

/** The first thing that waits in the run; where nothing does, the run that waits is chosen. */
function asked(state: TopState, data: TopData, screen: Screen): TopState {
  const selected = selectedRun(data, state);
  const { chosen } = data;
  const [ask] = chosen?.read.card.run === selected?.run ? (chosen?.read.view.asks ?? []) : [];
  if (ask && selected) return { ...state, mode: shownFrom(selected.run, ask, 0, 0, screen) };
  const waiting = shownRuns(data, state.search).find((one) => one.asks > 0);
  if (waiting && waiting.run !== selected?.run)
    return { ...state, selected: waiting.run, notice: `${waiting.run} waits for you: press a again.` };
  return { ...state, notice: "Nothing waits for your answer." };
}

/** The answer to a call, with the rows from `top` on the screen. */
export function shownFrom(run: string, ask: Ask, top: number, seen: number, screen: Screen): Mode {
  const rows = exactRows(ask.what ?? "", screen.columns - 4).length;
  const room = answerRoom(screen);
  const first = Math.min(Math.max(top, 0), Math.max(0, rows - room));
  const isNext = first <= seen; // a leap to the end skips what stands before it
  return { type: "answer", run, ask, top: first, seen: isNext ? Math.max(seen, Math.min(rows, first + room)) : seen };
}

type Answering = Mode & { readonly type: "answer" };

function inAnswer(state: TopState, mode: Answering, key: string, screen: Screen): Pressed {
  const { run, ask, top, seen } = mode;
  const back: TopState = { ...state, mode: { type: "runs" } };
  const step = STEPS[key];
  if (step !== undefined) return { state: { ...state, mode: shownFrom(run, ask, top + step, seen, screen) } };
  if (key === "escape" || key === "q") return { state: back };
  const { id: call } = ask;
  if (ask.type !== "approval" || call === undefined)
    return { state: { ...state, notice: ask.answers.map(({ how }) => `Answer it ${how}.`).join(" ") } };
  if (key === "n") return { state: writing(state, { type: "deny", run, call }) };
  if (key !== "y" && key !== "A") return { state };
  if (seen < exactRows(ask.what ?? "", screen.columns - 4).length)
    return { state: { ...state, notice: "Read all of it first: ↓ shows more." } };
  if (key === "A" && ask.always === undefined)
    return { state: { ...state, notice: 'There is no exact rule for this, so there is no "always". Press y.' } };
  return { state: back, act: { type: "approve", run, call, how: key === "y" ? "once" : "always_rule" } };
}

function inWriting(
  state: TopState,
  { for: purpose, text }: Mode & { type: "write" },
  key: string,
  typed: string,
): Pressed {
  const back: TopState = { ...state, mode: { type: "runs" } };
  if (key === "escape") return { state: purpose.type === "search" ? { ...back, search: "" } : back };
  if (key === "enter") return finished(back, purpose, text.trim());
  const next = key === "backspace" ? [...text].slice(0, -1).join("") : key === "ctrl+u" ? "" : text + typed;
  const mode: Mode = { type: "write", for: purpose, text: next.slice(0, LONGEST) };
  return {
    state:
      purpose.type === "search" ? { ...state, mode, search: next.trim(), selected: undefined } : { ...state, mode },
  };
}

const LONGEST = 20_000;

function finished(back: TopState, purpose: Writing, text: string): Pressed {
  if (purpose.type === "search") return { state: { ...back, search: text } };
  if (purpose.type === "deny") return { state: back, act: { ...purpose, words: text } };
  if (text === "") return { state: { ...back, notice: "Nothing was sent: the message is empty." } };
  return { state: back, act: { type: "say", run: purpose.run, text } };
}
