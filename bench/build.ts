import { spawnSync } from "node:child_process";

/** What is shipped is what is measured. */
export function build(): void {
  const { status } = spawnSync(process.execPath, ["tools/build.ts"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("npm run build failed; see above");
}
