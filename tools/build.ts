// Compiles src/ to dist/ and bundles what lives for a moment. Old output is removed first: a deleted file must not live on
// in the package.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { buildPage } from "./build-page.ts";
import { bundle } from "./bundle.ts";
import { bundleCli } from "./bundle-cli.ts";
import { bundleHook } from "./bundle-hook.ts";
import { buildPlugins } from "./plugins.ts";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await bundleCli("dist/cli");
await bundleHook("dist/hook");
await buildPage("dist/page");
await bundle({ sender: "src/compose/sender-main.ts" }, "dist/sender");
await buildPlugins("plugins");
