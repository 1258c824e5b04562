import type { HookHostName } from "../../src/config/index.ts";
import type { ScriptedHost, ScriptedPlace } from "../../src/hosts/index.ts";
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
  /** What a supervisor has to pass on so that it does not ask. */
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
  /** The one before a tool. */
  readonly toolHook: string;
  /** And the one before a prompt. */
  readonly promptHook: string;
  /** Its own list, as its tool takes it, and what lets it keep one without a terminal. */
  ownList(items: readonly OwnItem[]): Call;
  readonly ownListNeeds?: Pick<Asked, "env" | "flags"> & { prepare?(sandbox: Sandbox): void };
  /** An item of its own list as it is shipped, where that is another tool. */
  readonly ownItem?: Call;
  /** Rules of the person under which `touch` may not run, by what they are. */
  readonly forbidding: Readonly<Record<string, (sandbox: Sandbox) => void>>;
  /** It prints what its hooks have to say to you also where it has no screen. */
  readonly printsNotices?: true;
  /** Without a screen nothing of it says that the provider failed. */
  readonly hidesFailures?: true;
  /** A session that it resumes does not hold what a stop hook said. */
  readonly forgetsStops?: true;
  /** A limit of its own ends a turn of calls that are all the same. */
  readonly endsSameCalls?: true;
  readonly screen: HostScreen;
  /** What makes it compact its context, where that can be provoked: flags, environment, and how much the model says it read. */
  readonly compaction?: {
    readonly flags: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly tokens: number;
  };
}

/** The host in a terminal. */
export interface HostScreen {
  /** How it is started there, with its first prompt. */
  line(binary: string, prompt: string): readonly string[];
  /** What keeps it from asking about itself before its first prompt; called before anything is installed. */
  prepare?(sandbox: Sandbox): void;
  /** What it asks all the same: the keys that answer, what shows that the first of them was taken, and that it begins. */
  readonly asks?: {
    readonly shows: string;
    readonly keys: readonly [choose: string, take: string];
    readonly chosen: RegExp;
    readonly begins: string;
  };
  /**
   * At which words a prompt can be typed, where one on the command line would reach a model that has no list tool yet: it does not wait for
   * servers there.
   */
  readonly typedAt?: string;
  /** How often it asks the model by itself after Esc, with or without tildone. */
  readonly asksAfterStop?: number;
  /** It calls all that a stop hook says an error, and has no other form for it. */
  readonly callsNudgesErrors?: true;
  /** It writes nothing down of an Esc while the model thinks: only the next prompt shows it. */
  readonly hidesEsc?: true;
}

/** An item of a host's own list. */
export interface OwnItem {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
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

/** How the host is set up for a scripted model: in the demo, and in a sandbox. */
export const setUpAs = (scripted: ScriptedHost) => ({
  configure: (sandbox: Sandbox, url: string): void => {
    for (const [path, text] of Object.entries(scripted.files(placeIn(sandbox, url))))
      sandbox.write(`home/${path}`, text);
  },
  env: (sandbox: Sandbox, url: string) => scripted.env(placeIn(sandbox, url)),
  ...scripted.tools(),
});

export const placeIn = ({ home, project, env }: Sandbox, url: string, adapter = ""): ScriptedPlace => ({
  home,
  project,
  tmp: env.TMPDIR!,
  url,
  adapter,
});
