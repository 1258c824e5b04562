import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Call, Step } from "../../src/testing/index.ts";
import type { Sandbox } from "./sandbox.ts";

/** How an agent works on the three todos of the list. */
export interface Worker {
  shell(command: string): Call;
  /** The list with these completed, the last of them just now; none: the list is new. */
  list(...completed: readonly number[]): Call;
}

const FILES = ["zero.txt", "one.txt", "two.txt"] as const;
/** The check cannot tell good work from bad: you can, and you undo it. */
const CHECK = FILES.map((file) => `test -s ${file}`).join(" && ");

/** A project with one file of yours and a check that tildone runs. */
export function layOutProject(sandbox: Sandbox, settings: object = {}): void {
  sandbox.write("project/yours.txt", "yours\n");
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  spawnSync("git", ["-C", sandbox.project, "add", "-A"]);
  spawnSync("git", ["-C", sandbox.project, ...author, "commit", "-qm", "the project"]);
  sandbox.write("home/.config/tildone/config.json", JSON.stringify({ ...settings, checks: { run: [CHECK] } }));
}

/** Three todos, of which the first is done well and the second badly. */
export const badly = ({ shell, list }: Worker): readonly Step[] => [
  { calls: [list()] },
  { calls: [shell(`echo good > ${FILES[0]}`)] },
  { calls: [list(0)] },
  { calls: [shell(`echo bad > ${FILES[1]}`)] },
  { calls: [list(0, 1)] },
];

/** The third. */
export const third = ({ shell, list }: Worker): readonly Step[] => [
  { calls: [shell(`echo good > ${FILES[2]}`)] },
  { calls: [list(0, 1, 2)] },
];

/** The second again, as it should have been. */
export const again = ({ shell, list }: Worker, ...completed: readonly number[]): readonly Step[] => [
  { calls: [shell(`echo good > ${FILES[1]}`)] },
  { calls: [list(...completed, 1)] },
];

export const contentsOf = ({ project }: Sandbox): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    ["yours.txt", ...FILES].map((name) => {
      const path = join(project, name);
      return [name, existsSync(path) ? readFileSync(path, "utf8").trim() : undefined];
    }),
  );

/** Undoes todo [1]: its file is gone, and everything else stays. */
export function undoSecond(sandbox: Sandbox): void {
  const before = contentsOf(sandbox);
  expect(sandbox.tildone("undo", "1")).toMatch(
    /^Undid \[1\] item number 1 \(1 file, \+0 -1\)\. The todo is open again, and the agent is told\./,
  );
  expect(before["one.txt"]).toBe("bad");
  expect(contentsOf(sandbox)).toEqual({ ...before, "one.txt": undefined });
}

/** What an undo says that is refused. */
export function refusalOfUndo(sandbox: Sandbox): string {
  try {
    return sandbox.tildone("undo", "1");
  } catch (error) {
    return String(error);
  }
}

/** The work is done again, and its verdict rests on a check that tildone ran on the new files. */
export async function expectProven(sandbox: Sandbox, printed: string): Promise<void> {
  const [run, ...others] = await sandbox.runs();
  const log = sandbox.tildone("log", run!.id);
  expect(run!.ledger.decision, printed + log).toMatchObject({ type: "stop", reason: "all_done" });
  expect(others).toEqual([]);
  expect(run!.plan.todos.map(({ status }) => status)).toEqual(FILES.map(() => "completed"));
  expect(contentsOf(sandbox)).toEqual({
    "yours.txt": "yours",
    ...Object.fromEntries(FILES.map((file) => [file, "good"])),
  });
  expect(run!.ledger.words).toEqual([]);
  expect(Object.values(run!.ledger.receipts)).toMatchObject([{ status: "passed" }]);
}

/** How often a conversation holds the message about the undo. */
export const timesTold = (body: unknown): number => JSON.stringify(body).split("I undid your work on [1]").length - 1;
