import type { ModelRequest } from "../../src/testing/index.ts";

/** A request to the model, and the machine that sent it. */
export interface Asked {
  readonly at: number;
  readonly machine: string;
  readonly run: string;
  readonly isNudge: boolean;
}

/** The agent is told its folder, and the folder names machine and run. */
export function askedBy(request: ModelRequest): Asked | undefined {
  const [, machine, run] = /\/([^/\s]+)\/state\/runs\/([^/\s]+)\/work/.exec(request.system) ?? [];
  const last = request.messages.at(-1);
  if (machine === undefined || run === undefined) return undefined;
  return { at: Date.now(), machine, run, isNudge: last?.role === "user" && /^Todos remain: /.test(last.text) };
}
