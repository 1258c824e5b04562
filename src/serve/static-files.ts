import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { errorCode } from "../machine/index.ts";

export interface StaticFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** The files of the page, read once: no path of a request ever reaches the disk. Undefined: the page was not built. */
export function staticFiles(folder: string): ReadonlyMap<string, StaticFile> | undefined {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const found = files.flatMap((file): readonly (readonly [string, StaticFile])[] => {
      const path = join(file.parentPath, file.name);
      const type = TYPES[extname(file.name)];
      const name = path.slice(folder.length).replaceAll("\\", "/");
      const body = new Uint8Array(readFileSync(path));
      return type === undefined ? [] : [[name, { type, body, isImmutable: name.startsWith("/assets/") }]];
    });
    return found.some(([name]) => name === "/index.html") ? new Map(found) : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
