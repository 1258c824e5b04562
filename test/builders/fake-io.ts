import type { Io } from "../../src/cli/io.ts";

/** A command line without a terminal, and what it printed. */
export function fakeIo(given: Partial<Io> & Pick<Io, "home" | "cwd">) {
  const [out, err, all]: [string[], string[], string[]] = [[], [], []];
  const into = (lines: string[]) => (text: string) => {
    lines.push(text);
    all.push(text);
  };
  const io: Io = {
    out: into(out),
    err: into(err),
    isTerminal: false,
    isInteractive: false,
    columns: 80,
    hasColour: false,
    env: {},
    now: () => 0,
    ask: async () => undefined,
    pause: async () => {},
    every: () => () => {},
    signal: new AbortController().signal,
    signalAgain: new AbortController().signal,
    works: () => {},
    alert: () => {},
    ...given,
  };
  return { io, out, err, all };
}
