import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../config/index.ts";
import type { Line, SessionFiles } from "../../hosts/index.ts";
import { lineOf } from "./line.ts";

const PIECE = 1 << 16;

/** The lines that were written to the session's files since the last look. A file that is not there yet has none. */
export function followSession({ folder, nameEnd }: SessionFiles, env: Environment): (session: string) => Line[] {
  const read = new Map<string, { at: number; rest: string }>();
  return (session) => filesOf(folder(env), nameEnd(session)).flatMap(linesSince);

  function linesSince(path: string): Line[] {
    const known = read.get(path) ?? { at: 0, rest: "" };
    const { text, at } = textFrom(path, known.at);
    const parts = `${known.rest}${text}`.split("\n");
    const rest = parts.pop() ?? "";
    read.set(path, { at, rest });
    return parts.map(lineOf).filter((line) => line !== undefined);
  }
}

function filesOf(folder: string, end: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(end)).map((name) => join(folder, name));
  } catch {
    return []; // nothing was kept yet
  }
}

/** What stands there from this place on; it stays where it is if the file cannot be read now. */
function textFrom(path: string, from: number): { readonly text: string; readonly at: number } {
  const decoder = new TextDecoder();
  let [text, at] = ["", from];
  try {
    const file = openSync(path, "r");
    const piece = new Uint8Array(PIECE);
    for (let size = readSync(file, piece, 0, PIECE, at); size > 0; size = readSync(file, piece, 0, PIECE, at)) {
      text += decoder.decode(piece.subarray(0, size), { stream: true });
      at += size;
    }
    closeSync(file);
  } catch {
    return { text: "", at: from };
  }
  return { text, at };
}
