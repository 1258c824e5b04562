import type { HookHostName } from "../../src/config/index.ts";
import type { Call, Step } from "../../src/testing/index.ts";
import type { Ended, Sandbox } from "./sandbox.ts";

/** How a real host is set up, started and read. */
export interface RealHost {
  readonly name: HookHostName;
  /** What its configuration holds before we come. */
  configure(sandbox: Sandbox, url: string): void;
  env(sandbox: Sandbox, url: string): Readonly<Record<string, string>>;
  start(sandbox: Sandbox, binary: string, url: string, asked: Asked): Promise<Ended>;
  /** A limit that the host itself does not wait for, where the usual one is. */
  readonly limit?: Step;
  /** What a supervisor has to pass on so that nobody is asked. */
  readonly unasked: readonly string[];
  /** What `ps` shows of it. */
  readonly program: string;
  /** Files that an installation may change. */
  config(sandbox: Sandbox): readonly string[];
  sessionOf(out: string): string | undefined;
  ours(tool: string, args: object): Call;
  shell(command: string): Call;
  /** How the host's own configuration spells the stop hook. */
  readonly stopHook: string;
  /** And the one before a tool. */
  readonly toolHook: string;
  /** What makes it compact its context, where that can be provoked: flags, environment, and how much the model says it read. */
  readonly compaction?: {
    readonly flags: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly tokens: number;
  };
}
export interface Asked {
  readonly prompt: string;
  readonly resume?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** What a host printed, as far as it is JSON. */
export const lines = (out: string): Record<string, unknown>[] =>
  out.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
