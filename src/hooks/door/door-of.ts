import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../core/call/index.ts";

/** What the smallest of the systems we know takes for the path of a socket. */
const LONGEST_PATH = 100;

/** Where the server of a session answers its hooks. Undefined: nowhere; paths of sockets are short, and Windows has none. */
export function doorOf(state: string, host: string, session: string): string | undefined {
  const path = join(state, "doors", digestOf(host, session, ""));
  return process.platform === "win32" || Buffer.byteLength(path) > LONGEST_PATH ? undefined : path;
}

/** Beside the door, for its owner's eyes. */
export const secretOf = (door: string): string => `${door}.key`;

/** A door that is open, and is ours: another user's would be told what our tools printed. */
export function openDoorOf(state: string, host: string, session: string): OpenDoor | undefined {
  const path = doorOf(state, host, session);
  if (path === undefined || !isOurs(path)) return undefined;
  const secret = readSecret(secretOf(path));
  return secret === undefined ? undefined : { path, secret };
}

export interface OpenDoor {
  readonly path: string;
  readonly secret: string;
}

function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.uid === process.getuid?.();
}

function readSecret(path: string): string | undefined {
  try {
    return isOurs(path) ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
