import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { LIMITS } from "./limits.ts";

export type ReadText =
  | { readonly status: "read"; readonly text: string; readonly bytes: number }
  | { readonly status: "missing" }
  | { readonly status: "wrong"; readonly message: string };

/** A text file of reasonable size, with plain line ends. A pipe or a device is never opened: reading it could hang. */
export function readText(path: string): ReadText {
  try {
    const found = statSync(path);
    if (!found.isFile()) return wrong("expected a file");
    if (found.size > LIMITS.fileBytes) return wrong(`expected at most ${LIMITS.fileBytes} bytes, got ${found.size}`);
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) return wrong("expected UTF-8 text");
    return { status: "read", text: plain(bytes.toString("utf8")), bytes: bytes.length };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : wrong(`cannot be read: ${message}`);
  }
}

const plain = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
const wrong = (message: string): ReadText => ({ status: "wrong", message });
