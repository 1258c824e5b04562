import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../machine/index.ts";

/** A failure of ours inside a host: the host was let continue, so this line is all that anybody sees of it. */
export interface HookFailure {
  readonly at: number;
  readonly host: string;
  readonly event: string;
  readonly session?: string;
  readonly message: string;
}

const LARGEST = 65_536;
const fileIn = (state: string): string => join(state, "hook-failures.jsonl");

/** Never throws: this is what happens when something threw. */
export function noteFailure(state: string, failure: HookFailure): void {
  try {
    makeFolder(state, 0o700);
    const file = fileIn(state);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST)
      writeFileSync(file, `${readFileSync(file, "utf8").split("\n").slice(-50).join("\n")}`);
    appendFileSync(file, `${JSON.stringify({ ...failure, message: failure.message.slice(0, 1000) })}\n`, {
      mode: 0o600,
    });
  } catch {
    // Nowhere to write it down; the host continues all the same.
  }
}

/** The newest last; lines that cannot be read are left out. */
export function readFailures(state: string): readonly HookFailure[] {
  const text = statSync(fileIn(state), { throwIfNoEntry: false }) ? readFileSync(fileIn(state), "utf8") : "";
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as HookFailure];
    } catch {
      return [];
    }
  });
}
