import { existsSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../core/call/index.ts";

/** What the smallest of the systems we know takes for the path of a socket. */
const LONGEST_PATH = 100;

/** Where the server of a session answers its hooks. Undefined: nowhere; paths of sockets are short, and Windows has none. */
export function doorOf(state: string, host: string, session: string): string | undefined {
  const path = join(state, "doors", digestOf(host, session, ""));
  return process.platform === "win32" || Buffer.byteLength(path) > LONGEST_PATH ? undefined : path;
}

export function openDoorOf(state: string, host: string, session: string): string | undefined {
  const door = doorOf(state, host, session);
  return door !== undefined && existsSync(door) ? door : undefined;
}
