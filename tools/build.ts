// Compiles src/ to dist/. Old output is removed first: a deleted file must not live on in the package.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
process.exit(status ?? 1);
