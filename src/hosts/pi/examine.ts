import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import type { Finding, Whereabouts } from "../../hooks/index.ts";
import { isOurPackage } from "../is-our-package.ts";

/** Whether pi loads us, by what its settings name. */
export function examinePi({ env, home, cwd }: Whereabouts, folder: string): readonly Finding[] {
  const own = env.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent");
  const files = [join(own, "settings.json"), join(cwd, ".pi", "settings.json")];
  return files.some((path) => existsSync(path) && namesUs(path))
    ? [{ status: "ok", says: "pi: installed" }]
    : [{ status: "fix", says: `pi: tildone is not in it. Run: ${installedBy(folder)}` }];
}

export const installedBy = (folder: string): string => `pi install ${folder}`;

function namesUs(path: string): boolean {
  const { packages, extensions } = settingsIn(path);
  return [packages, extensions]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((one: unknown) => (typeof one === "object" && one !== null ? (one as { source?: unknown }).source : one))
    .some((spec) => typeof spec === "string" && isOurPackage(spec, dirname(path)));
}

function settingsIn(path: string): { readonly packages?: unknown; readonly extensions?: unknown } {
  const settings: unknown = parse(readFileSync(path, "utf8"), [], { allowTrailingComma: true });
  return typeof settings === "object" && settings !== null ? settings : {};
}
