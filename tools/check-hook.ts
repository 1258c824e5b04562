// Bundles the hook beside the build: a module that makes every hook load more than it needs is refused.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleHook } from "./bundle-hook.ts";

const out = mkdtempSync(join(tmpdir(), "tildone-hook-"));
try {
  await bundleHook(out);
} finally {
  rmSync(out, { recursive: true, force: true });
}
