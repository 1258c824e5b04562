import { readFileSync } from "node:fs";

/** Of this package, read from its own package.json: two folders up in `src` and in `dist` alike. */
export function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
