import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ProcessGroups } from "../machine/index.ts";

/** The shells of bash calls, recorded so that they end even if this process is killed. */
export interface RecordedShells {
  readonly mark: Readonly<Record<string, string>>;
  /** pi is about to start a shell for this command. */
  readonly expect: (command: string) => void;
  readonly dispose: () => void;
}

/** pi starts the shells itself and does not say which process each one is; Node tells it on a channel. */
export function recordShells(groups: ProcessGroups): RecordedShells {
  const expected: string[] = [];
  subscribe(CHANNEL, onProcess);
  return {
    mark: groups.mark,
    expect: (command) => {
      expected.push(command);
    },
    dispose: () => void unsubscribe(CHANNEL, onProcess),
  };

  function onProcess(message: unknown): void {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const index = expected.indexOf(child.spawnargs.at(-1) ?? "");
      if (index < 0 || child.pid === undefined) return;
      expected.splice(index, 1);
      child.once("exit", groups.record(child.pid));
    });
  }
}

const CHANNEL = "child_process";
