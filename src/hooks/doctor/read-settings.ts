import { readFileSync } from "node:fs";
import { parseSettings } from "../install/index.ts";
import type { Payload } from "../payload.ts";

export function readSettings(path: string): Payload {
  try {
    return parseSettings(readFileSync(path, "utf8"));
  } catch {
    return {}; // not there, or not readable: the installation says so
  }
}
