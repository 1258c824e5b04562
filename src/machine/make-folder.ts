import { dirname } from "node:path";
import { errorCode } from "./attempt.ts";
import { files } from "./builtins.ts";

/**
 * Makes a folder and those above it. Node's own recursive way never returns where a folder can be seen but nothing
 * can be made in it, such as below /proc: one folder after the other either is there or fails with the reason.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const { mkdirSync, statSync } = files();
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse())
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error; // another process was first
    }
  if (!statSync(path).isDirectory()) throw notAFolder(path);
}

const notAFolder = (path: string): Error =>
  Object.assign(new Error(`ENOTDIR: not a folder: ${path}`), { code: "ENOTDIR" });
