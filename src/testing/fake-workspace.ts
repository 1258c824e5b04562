import type { Workspace } from "../engine/index.ts";

/** A workspace whose state is what the test last set; `breaks` lets the next look fail with these words, `slow` makes looks wait for it. */
export interface FakeWorkspace extends Workspace {
  state: string;
  breaks: string | undefined;
  slow: Promise<void> | undefined;
}

/** Files whose state the test sets. */
export function createFakeWorkspace(state = "files-0"): FakeWorkspace {
  const workspace: FakeWorkspace = {
    state,
    breaks: undefined,
    slow: undefined,
    async observe() {
      await workspace.slow;
      const { breaks } = workspace;
      workspace.breaks = undefined;
      if (breaks !== undefined) throw new Error(breaks);
      return workspace.state;
    },
  };
  return workspace;
}
