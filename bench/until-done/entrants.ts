import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookHostName } from "../../src/config/index.ts";
import type { Call } from "../../src/testing/index.ts";
import type { Asked } from "../../test/hosts/hosts.ts";
import type { Sandbox } from "../../test/hosts/sandbox.ts";
import type { Shown } from "./cell.ts";
import type { Means } from "./play.ts";

/** What only a benchmark has to know of a host with hooks. A host that is not named here has its columns all the same. */
export interface EntrantFacts {
  /** Retries as the host is shipped; its tests turn them off. */
  readonly retries?: Pick<Asked, "env" | "flags">;
  /** When the model must say that its context is full, where that differs from the host's tests, and what else it takes. */
  readonly compaction?: Partial<NonNullable<Means["compacts"]>> & { prepare?(sandbox: Sandbox): void };
  readonly background?: (prompt: string) => Call;
  /** Flags beside our installation. */
  readonly besideTildone?: readonly string[];
  /** The host's own way to work until a goal is reached. */
  readonly goal?: Goal;
  /** It is also played in the loop that people write around it: asked the same again until the check passes. */
  readonly isLooped?: true;
}

interface Goal {
  readonly title: string;
  /** How the goal is told, and what is started to tell it. */
  readonly prompt?: (asks: string) => string;
  readonly command?: (binary: string, asks: string, flags: readonly string[]) => readonly [string, ...string[]];
  /** The call by which a model says that all of its list is done. */
  readonly reached?: Call;
  /** What it says of its goal in what it prints, where that is not that it is reached. */
  readonly shown?: (output: string) => Shown | undefined;
}

const CODEX_GOAL = join(import.meta.dirname, "codex-goal.ts");

export const ENTRANTS: Partial<Readonly<Record<HookHostName, EntrantFacts>>> = {
  "claude-code": {
    retries: { env: { CLAUDE_CODE_MAX_RETRIES: "10" } },
    background: (prompt) => [
      "Agent",
      { description: "product", prompt, subagent_type: "general-purpose", run_in_background: true },
    ],
    goal: { title: "Claude Code /goal", prompt: (asks) => `/goal ${asks}` },
    isLooped: true,
  },
  codex: {
    retries: {
      flags: ["-c", "model_providers.fake.request_max_retries=4", "-c", "model_providers.fake.stream_max_retries=5"],
    },
    // It looks before it asks on within a turn.
    compaction: { in: "the one before" },
    // On a busy machine Codex asks the model before a server is up; a model that sees no list tool writes no list.
    besideTildone: ["-c", "mcp_servers.tildone.required=true"],
    goal: {
      title: "Codex goal",
      command: (binary, asks, flags) => [process.execPath, CODEX_GOAL, binary, asks, ...flags],
      reached: ["update_goal", { status: "complete" }],
    },
  },
  gemini: {
    compaction: {
      tokens: 900_000,
      prepare: ({ home, write }) => {
        const settings = JSON.parse(readFileSync(join(home, ".gemini/settings.json"), "utf8")) as object;
        const model = { compressionThreshold: 0.001 };
        write("home/.gemini/settings.json", JSON.stringify({ ...settings, model }));
      },
    },
  },
  qwen: {
    background: (prompt) => [
      "agent",
      { description: "product", prompt, subagent_type: "general-purpose", run_in_background: true },
    ],
    goal: {
      title: "Qwen Code /goal",
      prompt: (asks) => `/goal ${asks}`,
      reached: ["update_goal", { status: "complete", reason: "The check succeeds." }],
      shown: (output) => {
        const status = output
          .match(/"goal_state":\{.*?"status":"\w+"/g)
          ?.at(-1)
          ?.match(/\w+(?="$)/)?.[0];
        return status === undefined || status === "complete"
          ? undefined
          : { state: "not done", words: `its goal is ${status}` };
      },
    },
  },
};
