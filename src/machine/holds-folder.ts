import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { attempt } from "./attempt.ts";

/** Whether a folder is another one or lies above it, wherever links lead. */
export function holdsFolder(outer: string, inner: string): boolean {
  const way = attempt(() => relative(realpathSync(outer), realpathSync(inner)));
  return way !== undefined && !/^\.\.(?:$|[/\\])/.test(way) && !isAbsolute(way);
}
