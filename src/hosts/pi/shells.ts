import { type ProcessGroups, recordShells } from "../../machine/index.ts";

/** Whose shells pi starts: those of its agent's calls, and those of commands that you type after `!`. */
export interface Shells {
  readonly began: (call: string, tool: string, args: unknown) => void;
  readonly ended: (call: string) => void;
  readonly typed: (command: string) => void;
  readonly dispose: () => void;
}

export function createShells(groups: ProcessGroups): Shells {
  const shells = recordShells(groups);
  const calls = new Map<string, () => void>();
  let typed: (() => void) | undefined;
  return {
    began(call, tool, args) {
      const { command } = (args ?? {}) as { command?: unknown };
      if (tool === "bash" && typeof command === "string") calls.set(call, shells.expect(command, "call"));
    },
    ended(call) {
      calls.get(call)?.();
      calls.delete(call);
    },
    typed(command) {
      typed?.(); // one at a time
      typed = shells.expect(command, "human");
    },
    dispose: shells.dispose,
  };
}
