import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** The machine's own Node, if it is one that tildone does not run on. */
export const oldNode = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((node) => {
      const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
      const [major = 0, minor = 0] = (stdout ?? "").replace("v", "").split(".").map(Number);
      return major > 0 && (major < 22 || (major === 22 && minor < 19));
    });
