import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export type Turn =
  | { readonly status: "taken"; readonly release: () => void }
  | { readonly status: "refused"; readonly by: number };

/** Two runs at once would write over each other's results, and slow each other. What a dead process left is taken over. */
export function takeTurn(path: string, own: number): Turn {
  mkdirSync(dirname(path), { recursive: true });
  const holder = holderOf(path);
  if (holder !== undefined && isAlive(holder)) return { status: "refused", by: holder };
  rmSync(path, { force: true });
  writeFileSync(path, `${own}\n`, { flag: "wx" });
  return { status: "taken", release: () => rmSync(path, { force: true }) };
}

function holderOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
