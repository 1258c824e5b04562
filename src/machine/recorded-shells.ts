import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ProcessGroups, StartedBy } from "./process-groups.ts";

/** The shells that a host starts, recorded so that they end even if this process is killed, and to know whose they are. */
export interface RecordedShells {
  readonly mark: Readonly<Record<string, string>>;
  /** The host is about to start a shell for this command; what it gives is called when it will not any more. */
  readonly expect: (command: string, by: StartedBy) => () => void;
  readonly dispose: () => void;
}

interface Expected {
  readonly command: string;
  readonly by: StartedBy;
  readonly known: () => void;
}

/** pi starts the shells itself and does not say which process each one is; Node tells it on a channel. */
export function recordShells(groups: ProcessGroups): RecordedShells {
  const expected = new Set<Expected>();
  subscribe(CHANNEL, onProcess);
  return {
    mark: groups.mark,
    expect(command, by) {
      const entry: Expected = { command, by, known: groups.expect(by) };
      expected.add(entry);
      return () => {
        expected.delete(entry);
        entry.known();
      };
    },
    dispose: () => void unsubscribe(CHANNEL, onProcess),
  };

  function onProcess(message: unknown): void {
    if (expected.size === 0) return;
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const given = child.spawnargs.at(-1) ?? "";
      // The host may put something of its own before the command.
      const entry = [...expected].find(({ command }) => given === command || given.endsWith(`\n${command}`));
      if (entry === undefined || child.pid === undefined) return;
      expected.delete(entry);
      child.once("exit", groups.record(child.pid, entry.by));
      entry.known();
    });
  }
}

const CHANNEL = "child_process";
