import type { ExtensionCommandContext, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, type Focusable, Input, matchesKey, truncateToWidth } from "@earendil-works/pi-tui";
import type { Reply, Trigger } from "../../core/react/index.ts";
import type { HumanEdit } from "../../core/todo/index.ts";
import type { ListView } from "../../core/view/index.ts";
import type { BoundSession } from "./bound-session.ts";
import { paintedTodo } from "./tools/index.ts";

/** Opens the list for the user and resolves when it is closed. */
export async function showTodos(ctx: ExtensionCommandContext, session: BoundSession): Promise<void> {
  await ctx.ui.custom<void>((tui, theme, _keys, done) => {
    const view = new TodosView({
      view: () => session.list.view(),
      tell: session.tell,
      theme,
      redraw: () => tui.requestRender(),
      close: () => done(),
    });
    return Object.assign(view, { dispose: session.tildone.engine.watch(() => tui.requestRender()) });
  });
}

export interface TodosViewOptions {
  readonly view: () => ListView;
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  readonly theme: Pick<Theme, "fg" | "bold" | "strikethrough">;
  readonly redraw: () => void;
  readonly close: () => void;
}

const KEYS = [
  "↑↓ select · shift+↑↓ move · space done · o reopen · u unblock · r release",
  "a add · e edit · x remove · esc close",
] as const;

const SHOWN = 15;
const END = "\x05";

/** The list under a cursor. It holds no copy: what is drawn is what the run says. */
export class TodosView implements Component, Focusable {
  readonly #options: TodosViewOptions;
  #cursor = 0;
  #problem = "";
  #writing: { readonly input: Input; readonly done: (text: string) => Trigger } | undefined;
  focused = false;

  constructor(options: TodosViewOptions) {
    this.#options = options;
  }

  handleInput(data: string): void {
    if (this.#writing) this.#writing.input.handleInput(data);
    else this.#command(data);
    this.#options.redraw();
  }

  render(width: number): string[] {
    const { theme } = this.#options;
    const { todos, count } = this.#options.view();
    this.#cursor = Math.max(0, Math.min(this.#cursor, count.total - 1));
    const from = Math.max(0, Math.min(this.#cursor - Math.floor(SHOWN / 2), count.total - SHOWN));
    const lines = todos.slice(from, from + SHOWN).map((todo, at) => {
      const index = from + at;
      return `${index === this.#cursor ? theme.fg("accent", "›") : " "} ${paintedTodo(todo, index, theme)}`;
    });
    const rows = [
      theme.fg("accent", theme.bold(`Todos ${count.text}`)),
      ...(count.total === 0 ? [theme.fg("dim", "  No todos")] : lines),
      ...(this.#problem === "" ? [] : [theme.fg("warning", this.#problem)]),
      ...this.#writingRows(width),
      ...KEYS.map((line) => theme.fg("dim", line)),
    ];
    return rows.map((row) => truncateToWidth(row, width));
  }

  invalidate(): void {}

  #writingRows(width: number): readonly string[] {
    if (!this.#writing) return [];
    this.#writing.input.focused = this.focused;
    return this.#writing.input.render(width);
  }

  #command(data: string): void {
    const at = this.#cursor;
    const last = this.#options.view().todos.length - 1;
    this.#problem = "";
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c") || matchesKey(data, "q")) this.#options.close();
    else if (matchesKey(data, "shift+up") || data === "K") this.#move(at, at - 1);
    else if (matchesKey(data, "shift+down") || data === "J") this.#move(at, at + 1);
    else if (matchesKey(data, "up") || matchesKey(data, "k")) this.#cursor = Math.max(0, at - 1);
    else if (matchesKey(data, "down") || matchesKey(data, "j")) this.#cursor = Math.min(last, at + 1);
    else if (matchesKey(data, "space") || matchesKey(data, "d")) this.#edit({ action: "done", indices: [at] });
    else if (matchesKey(data, "o")) this.#edit({ action: "reopen", indices: [at] });
    else if (matchesKey(data, "u")) this.#edit({ action: "unblock", indices: [at] });
    else if (matchesKey(data, "r")) this.#edit({ action: "release", indices: [at] });
    else if (matchesKey(data, "x") || matchesKey(data, "delete")) this.#edit({ action: "drop", indices: [at] });
    else if (matchesKey(data, "a")) this.#write("", append);
    else if (matchesKey(data, "e")) this.#rewrite(at);
  }

  #move(index: number, to: number): void {
    if (to < 0 || to >= this.#options.view().todos.length) return;
    this.#cursor = to;
    this.#edit({ action: "move", index, to });
  }

  #rewrite(index: number): void {
    const todo = this.#options.view().todos[index];
    if (todo) this.#write(todo.text, (text) => human({ action: "change", index, text }));
  }

  #write(text: string, done: (text: string) => Trigger): void {
    const input = new Input();
    input.setValue(text);
    input.handleInput(END); // the cursor goes where one writes on
    input.onEscape = () => {
      this.#writing = undefined;
    };
    input.onSubmit = (value) => {
      this.#writing = undefined;
      if (value.trim() !== "") void this.#tell(done(value.trim()));
    };
    this.#writing = { input, done };
  }

  #edit(edit: HumanEdit): void {
    if (this.#options.view().todos.length > 0) void this.#tell(human(edit));
  }

  async #tell(trigger: Trigger): Promise<void> {
    const reply = await this.#options.tell(trigger);
    if (reply.type === "refused") this.#problem = reply.refusal.message;
    this.#options.redraw();
  }
}

const human = (edit: HumanEdit): Trigger => ({ type: "todos.human_edit", edit });
const append = (text: string): Trigger => ({
  type: "todos.write",
  by: "human",
  write: { mode: "append", todos: [{ text }] },
});
