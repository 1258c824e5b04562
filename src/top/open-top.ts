import { isKeyRelease, matchesKey, ProcessTerminal, parseKey, TuiAltScreen } from "@earendil-works/pi-tui";
import { draw } from "./draw.ts";
import { pressKey, shownFrom } from "./press-key.ts";
import type { Screen } from "./screen.ts";
import { type Act, FIRST, selectedRun, type TopData, type TopState } from "./top-state.ts";

export interface TopParts {
  readonly read: (selected: string | undefined) => Promise<TopData>;
  /** Does what a key asked for, and says the result in one sentence. */
  readonly act: (act: Exclude<Act, { type: "quit" }>) => Promise<string>;
  readonly paper: Omit<Screen, "columns" | "rows" | "now">;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** How often it looks: what another process writes is seen within half a second. */
const LOOK_EVERY_MS = 400;

/** Shows the runs until you leave. Only what changed is written to the terminal. */
export async function openTop({ read, act, paper, now, signal }: TopParts): Promise<void> {
  const terminal = new ProcessTerminal();
  const tui = new TuiAltScreen(terminal, false, undefined, { mouse: false }); // text can be selected as ever
  let state: TopState = FIRST;
  let data = await read(undefined);
  let leave = () => {};
  const left = new Promise<void>((done) => {
    leave = done;
  });
  const screen = (): Screen => ({ ...paper, columns: terminal.columns, rows: terminal.rows, now: now() });
  tui.addChild({
    render: () => [...draw(resized(), data, screen())],
    invalidate: () => {},
  });
  tui.addInputListener((key) => {
    if (!isKeyRelease(key)) take(key);
    return { consume: true };
  });
  signal.addEventListener("abort", () => leave());
  tui.start();
  tui.requestRender();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  try {
    await left;
  } finally {
    clearInterval(timer);
    tui.stop({ preserveScreen: true }); // what stood in the terminal before is there again
  }

  /** A screen that was made smaller shows fewer rows of a command: what was not on it was not seen. */
  function resized(): TopState {
    const { mode } = state;
    if (mode.type !== "answer") return state;
    return { ...state, mode: shownFrom(mode.run, mode.ask, mode.top, mode.seen, screen()) };
  }

  function take(key: string): void {
    const name = matchesKey(key, "ctrl+c") ? "ctrl+c" : (parseKey(key) ?? key);
    const text = [...key].length > 0 && !/[\u0000-\u001f\u007f]/.test(key) ? key : "";
    const pressed = pressKey(resized(), data, text.length === 1 ? text : name, text, screen());
    const isMoved = pressed.state.selected !== state.selected || pressed.state.search !== state.search;
    state = pressed.state;
    if (pressed.act?.type === "quit") leave();
    else if (pressed.act) void perform(pressed.act);
    if (isMoved) void look();
    tui.requestRender();
  }

  async function perform(asked: Exclude<Act, { type: "quit" }>): Promise<void> {
    const notice = await act(asked).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    state = { ...state, notice };
    await look();
  }

  async function look(): Promise<void> {
    try {
      data = await read(selectedRun(data, state)?.run ?? state.selected);
      forgetAnswered();
    } catch (error) {
      state = { ...state, notice: error instanceof Error ? error.message : String(error) };
    }
    tui.requestRender();
  }

  /** It was answered elsewhere, or it ended: there is nothing to press any more. */
  function forgetAnswered(): void {
    const { mode } = state;
    if (mode.type !== "answer" || data.chosen?.read.card.run !== mode.run) return;
    if (data.chosen.read.view.asks.some(({ id, what }) => id === mode.ask.id && what === mode.ask.what)) return;
    state = { ...state, mode: { type: "runs" }, notice: "It was answered elsewhere, or the call ended." };
  }
}
