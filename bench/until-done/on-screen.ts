import { join } from "node:path";
import type { Setting } from "./stage.ts";

/** A program on a screen of its own, and what a person presses there. */
export interface Screen {
  readonly line: readonly string[];
  /** What it asks before it begins: the keys that answer, when it shows these words. */
  readonly asks?: { readonly shows: string; readonly keys: readonly string[] };
  /** What is typed a few seconds after it shows these words, where it is not given on the command line. */
  readonly types?: { readonly shows: string; readonly text: string };
  /** What stops a turn there. */
  readonly stop: readonly string[];
}

const RUNNER = join(import.meta.dirname, "screen-runner.ts");

/** The command that plays it in a real terminal. */
export const onScreen = (screen: Screen, env: Setting["env"]): Pick<Setting, "program" | "args" | "env"> => ({
  program: process.execPath,
  args: [RUNNER, JSON.stringify(screen)],
  env: { ...env, TERM: "xterm-256color" },
});
