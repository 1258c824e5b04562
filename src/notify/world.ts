import type { Environment } from "../config/index.ts";

/** What sending needs from the system. */
export interface World {
  fetch(url: string, request: Request): Promise<{ readonly status: number; readonly text: string }>;
  /** Runs a program to its end, or until `ms` have passed: then it is left alone. */
  start(words: readonly string[], more: Environment, ms: number): Promise<Ended>;
  /** The program by its name; undefined: it is not installed. */
  find(program: string): string | undefined;
  /** Shows a text with the terminal that the run stands in; false: it has none. */
  alert(text: string): boolean;
  random(bytes: number): Uint8Array;
}

export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ms: number;
}

export type Ended =
  | { readonly status: "exited"; readonly code: number }
  | { readonly status: "running" }
  | { readonly status: "failed"; readonly why: string };
