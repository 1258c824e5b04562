import type { ExtensionContext, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, matchesKey, truncateToWidth } from "@earendil-works/pi-tui";

export interface Choice {
  /** Pressed, it is taken at once. */
  readonly key: string;
  readonly text: string;
}

export interface ChoiceAsked {
  readonly title: string;
  /** What would be done, row by row: all of it, a page at a time. */
  readonly rows: readonly string[];
  readonly below: string;
  readonly choices: readonly Choice[];
  /** Which one Enter takes at first. */
  readonly first: number;
  readonly signal: AbortSignal;
}

/** Lines of a small terminal that the question leaves to the rest: choices, keys, list, editor, status. */
const OTHERS = 19;
const FEWEST_ROWS = 4;

/** Asks with the whole command or diff on the screen, paged where it is long. Undefined: left without an answer. */
export const askChoice = (
  ui: Pick<ExtensionContext["ui"], "custom">,
  asked: ChoiceAsked,
): Promise<Choice | undefined> =>
  ui.custom<Choice | undefined>((tui, theme, _keys, done) => {
    const left = () => done(undefined);
    asked.signal.addEventListener("abort", left, { once: true });
    const view = new ChoiceView(
      asked,
      theme,
      () => tui.requestRender(),
      done,
      () => process.stdout.rows ?? 24,
    );
    return Object.assign(view, { dispose: () => asked.signal.removeEventListener("abort", left) });
  });

export class ChoiceView implements Component {
  readonly #asked: ChoiceAsked;
  readonly #theme: Pick<Theme, "fg" | "bold">;
  readonly #redraw: () => void;
  readonly #done: (choice: Choice | undefined) => void;
  readonly #terminalRows: () => number;
  #cursor: number;
  #top = 0;

  constructor(
    asked: ChoiceAsked,
    theme: Pick<Theme, "fg" | "bold">,
    redraw: () => void,
    done: (choice: Choice | undefined) => void,
    terminalRows: () => number,
  ) {
    this.#asked = asked;
    this.#theme = theme;
    this.#redraw = redraw;
    this.#done = done;
    this.#terminalRows = terminalRows;
    this.#cursor = asked.first;
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const { choices } = this.#asked;
    const pressed = choices.find(({ key }) => data === key);
    if (pressed) this.#done(pressed);
    else if (matchesKey(data, "enter")) this.#done(choices[this.#cursor]);
    else if (matchesKey(data, "escape")) this.#done(undefined);
    else if (matchesKey(data, "up")) this.#cursor = (this.#cursor + choices.length - 1) % choices.length;
    else if (matchesKey(data, "down")) this.#cursor = (this.#cursor + 1) % choices.length;
    else if (matchesKey(data, "pageDown")) this.#scroll(this.#page());
    else if (matchesKey(data, "pageUp")) this.#scroll(-this.#page());
    else return;
    this.#redraw();
  }

  render(width: number): string[] {
    const { title, rows, below, choices } = this.#asked;
    const { fg } = this.#theme;
    const page = this.#page();
    const shown = rows.slice(this.#top, this.#top + page);
    const isPaged = rows.length > page;
    const where = `lines ${this.#top + 1}-${this.#top + shown.length} of ${rows.length} · PgUp/PgDn`;
    return [
      fg.call(this.#theme, "border", "─".repeat(width)),
      ...(title.length + (rows[0]?.length ?? 0) < width && rows.length === 1
        ? [`${this.#theme.bold(title)} ${rows[0]}`]
        : [this.#theme.bold(title), ...shown.map((row) => `  ${this.#painted(row)}`)]),
      ...(isPaged ? [fg.call(this.#theme, "accent", where)] : []),
      fg.call(this.#theme, "dim", below),
      ...choices.map(({ key, text }, at) =>
        at === this.#cursor ? fg.call(this.#theme, "accent", `→ ${text} (${key})`) : `  ${text} (${key})`,
      ),
      fg.call(this.#theme, "dim", "↑↓ and Enter, or the letter · Esc answers later"),
      fg.call(this.#theme, "border", "─".repeat(width)),
    ].map((line) => truncateToWidth(line, width));
  }

  #page(): number {
    const room = Math.max(FEWEST_ROWS, this.#terminalRows() - OTHERS);
    return Math.min(room, this.#asked.rows.length);
  }

  #scroll(by: number): void {
    this.#top = Math.max(0, Math.min(this.#top + by, this.#asked.rows.length - this.#page()));
  }

  #painted(row: string): string {
    const role = /^\+(?!\+\+)/.test(row) ? "success" : /^-(?!--)/.test(row) ? "error" : undefined;
    return role === undefined ? row : this.#theme.fg(role, row);
  }
}
