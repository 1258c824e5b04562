import { describe, expect, test } from "vitest";
import { fromWhere, isAtTerminal, type ProcessFact, type RecordedShell, speakerOf, type WorkingHost } from "./index.ts";

/** From the one that speaks upwards: `5 4 3`, each its own group in the session of the last. */
const chain = (...pids: readonly number[]): readonly ProcessFact[] =>
  pids.map((pid, index) => ({
    pid,
    started: `s${pid}`,
    parent: pids[index + 1] ?? 1,
    group: pids.at(-1)!,
    session: pids.at(-1)!,
    name: `p${pid}`,
    tty: "pts/1",
  }));
const detached = (facts: readonly ProcessFact[]): readonly ProcessFact[] =>
  facts.map(({ tty: _, ...fact }) => ({ ...fact, session: 999, group: 999 }));
const shell = (pid: number, by: RecordedShell["by"] = "call"): RecordedShell => ({ pid, started: `s${pid}`, by });
const host = (pid: number, isWorking = true): WorkingHost => ({
  pid,
  started: `s${pid}`,
  name: "pi",
  isHere: true,
  isWorking,
});
const codex = (isWorking = true): WorkingHost => ({ ...host(7, isWorking), name: "codex", isHere: false });
const sandboxed = chain(9, 8, 1).map((fact) => (fact.pid === 1 ? { ...fact, name: "codex" } : fact));
const said = (given: Partial<Parameters<typeof speakerOf>[0]>): string => {
  const speaker = speakerOf({
    lineage: chain(9, 8, 7),
    shells: [],
    hosts: [],
    marks: [],
    sandboxes: { codex: "codex" },
    ...given,
  });
  return speaker.type === "agent" ? "agent" : speaker.unclear === undefined ? "you" : "unclear";
};

describe("who speaks", () => {
  test.each<[string, string, Partial<Parameters<typeof speakerOf>[0]>]>([
    ["a shell in a terminal", "you", {}],
    ["the shell of a call is above it", "agent", { shells: [shell(7)] }],
    ["the shell of a check is above it", "agent", { shells: [shell(8, "check")] }],
    ["another process has the number of the shell by now", "you", { shells: [{ ...shell(7), started: "before" }] }],
    ["another shell of a call runs beside it", "you", { shells: [shell(70)] }],
    ["its parents are gone, its session is the call's", "agent", { lineage: chain(9, 3), shells: [shell(3)] }],
    [
      "its parents are gone, its group is the call's",
      "agent",
      { lineage: [{ ...chain(9)[0]!, group: 70, session: 1 }], shells: [shell(70)] },
    ],
    ["a host whose agent works is above it", "agent", { hosts: [host(7)] }],
    ["a host whose agent does not work is above it", "unclear", { hosts: [host(7, false)] }],
    ["one of a host's two sessions works", "agent", { hosts: [host(7, false), host(7)] }],
    ["you typed it in a host whose agent works", "you", { hosts: [host(7)], shells: [shell(8, "human")] }],
    [
      "you typed it in a host that an agent started",
      "agent",
      { hosts: [host(7)], shells: [shell(8, "human"), shell(7)] },
    ],
    [
      "you typed it in a host above which another agent works",
      "agent",
      { lineage: chain(9, 8, 7, 6), hosts: [host(7), host(6)], shells: [shell(8, "human")] },
    ],
    ["a mark alone refuses nothing", "unclear", { marks: ["CLAUDECODE"] }],
    ["it left its session and its parents", "unclear", { lineage: detached(chain(9)), shells: [shell(7)] }],
    ["a program without a terminal, with its parents", "you", { lineage: detached(chain(9, 8)) }],
    ["it runs in the sandbox of a host that is at work", "agent", { lineage: sandboxed, hosts: [codex()] }],
    [
      "a program of that name is above it",
      "unclear",
      { lineage: chain(9, 8).map((fact) => ({ ...fact, name: "codex" })), hosts: [codex()] },
    ],
    ["it runs in the sandbox of a host that is not", "you", { lineage: sandboxed, hosts: [codex(false)] }],
    ["a host is at work in another container", "unclear", { hosts: [codex()] }],
    ["another process here has the number of a host there", "unclear", { hosts: [{ ...codex(), name: "pi" }] }],
    ["the system does not tell", "unclear", { lineage: [], shells: [shell(7)] }],
  ])("%s: %s", (_situation, expected, given) => expect(said(given)).toBe(expected));
});

test.each([
  ["at pts/3", true, { via: "terminal", tty: "pts/3" }],
  ["through pi on pts/3", true, { via: "host", host: "pi", tty: "pts/3" }],
  ["through pi, without a terminal", false, { via: "host", host: "pi" }],
  ["from a program without a terminal", false, { via: "process" }],
  [
    "at pts/3, perhaps from inside the agent's process tree (x)",
    false,
    { via: "terminal", tty: "pts/3", unclear: "x" },
  ],
] as const)("%s", (text, atTerminal, spoken) => {
  expect(fromWhere(spoken)).toBe(text);
  expect(isAtTerminal(spoken)).toBe(atTerminal);
});
