import type { Call, ModelRequest } from "../scripted/index.ts";

/**
 * A host in a home of its own, with a model on loopback that follows a script: for the demo and for tests. It reads and writes
 * nothing of yours, and it asks no permission, because all it can reach is a temporary folder.
 */
export interface ScriptedHost {
  /** Its files, by their path in that home. */
  files(place: ScriptedPlace): Readonly<Record<string, string>>;
  env(place: ScriptedPlace): Readonly<Record<string, string>>;
  /** More arguments, each time it is started. */
  args(place: ScriptedPlace): readonly string[];
  /** How its tools are called, for one conversation. */
  tools(): ScriptedTools;
  /** A request with tools that is not part of the conversation. */
  isAside?(request: ModelRequest): boolean;
  /** Its own list holds no checks: the checks of the settings run when everything is done. */
  readonly checksAtEnd?: true;
}

export interface ScriptedPlace {
  readonly home: string;
  readonly project: string;
  /** For temporary files. */
  readonly tmp: string;
  /** Of the model. */
  readonly url: string;
  /** Our adapter, as a host loads it. */
  readonly adapter: string;
}

export interface ScriptedTools {
  /** A todo tool of tildone, or what the host has in its place. */
  ours(tool: string, args: object): Call;
  shell(command: string): Call;
  /** What stands on the list by now, also what the agent did not write; for a list that is always told whole. */
  sees?(todos: readonly string[]): void;
}
