import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";

/** Hosts load what is shipped, so it is built before the first of these tests, unless nothing changed since. */
export default function build(): void {
  const built = statSync("dist/index.js", { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changed = [...globSync("src/**/*.{ts,tsx,css,html}"), ...globSync("tools/b*.ts"), "tsconfig.build.json"];
  if (changed.every((file) => statSync(file).mtimeMs < built)) return;
  const { status, error } = spawnSync("node", ["tools/build.ts"], { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error("npm run build failed; see above");
}
