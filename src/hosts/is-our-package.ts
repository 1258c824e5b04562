import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether a host that loads packages names ours there: by its name, or by a folder that holds it. */
export function isOurPackage(spec: string, folder: string): boolean {
  if (/^(npm:)?tildone(@|$)/.test(spec)) return true;
  const path = spec.startsWith("file:") ? fileURLToPath(spec) : isAbsolute(spec) ? spec : resolve(folder, spec);
  for (let above = path; above !== dirname(above); above = dirname(above)) {
    const manifest = join(above, "package.json");
    if (existsSync(manifest)) return readFileSync(manifest, "utf8").includes('"name": "tildone"');
  }
  return false;
}
