type Json = Readonly<Record<string, unknown>>;

/** What configures a runner in a package.json; everything else there is the work. */
const RUNNER_KEYS: readonly string[] = [
  "jest",
  "mocha",
  "ava",
  "tap",
  "tape",
  "nyc",
  "c8",
  "vitest",
  "karma",
  "jasmine",
  "babel",
  "eslintConfig",
  "eslintIgnore",
  "stylelint",
  "xo",
  "standard",
  "tsd",
  "uvu",
  "config",
  "wireit",
  "nx",
  "packageManager",
  "lint-staged",
  "prettier",
  "commitlint",
  "size-limit",
  "type-coverage",
];

export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  const { scripts } = jsonOf(text);
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/**
 * Scripts and runner settings from before, everything else from after. A script of a new name is work, unless the package runner
 * would run it along with one that was there. `changed` names what was put back or left out.
 */
export function mergePackageJson(
  before: string,
  after: string | undefined,
): { readonly text: string; readonly changed: readonly string[] } {
  const [old, now] = [jsonOf(before), jsonOf(after ?? before)];
  const [oldScripts, newScripts] = [scriptsOf(before), scriptsOf(after ?? before)];
  const changed: string[] = [];
  const scripts: Record<string, string> = { ...oldScripts };
  for (const [name, script] of Object.entries(newScripts)) {
    if (oldScripts[name] === script) continue;
    if (name in oldScripts || isRunAlong(name, oldScripts)) changed.push(name);
    else scripts[name] = script;
  }
  for (const name of Object.keys(oldScripts)) if (!(name in newScripts)) changed.push(name);
  const merged: Record<string, unknown> = { ...now };
  for (const key of RUNNER_KEYS) {
    if (JSON.stringify(old[key]) === JSON.stringify(now[key])) continue;
    changed.push(key);
    if (key in old) merged[key] = old[key];
    else delete merged[key];
  }
  const members = membersOf(old, now);
  if (members) {
    changed.push("workspaces");
    merged.workspaces = members;
  }
  if (Object.keys(scripts).length > 0 || "scripts" in now) merged.scripts = scripts;
  return {
    text: changed.length === 0 && after !== undefined ? after : `${JSON.stringify(merged, undefined, 2)}\n`,
    changed,
  };
}

/** A package may be added, and none be left out; undefined: none is. */
function membersOf(old: Json, now: Json): unknown {
  const listed = ({ workspaces }: Json): readonly unknown[] | undefined => {
    const packages = Array.isArray(workspaces) ? workspaces : (workspaces as Json | undefined)?.packages;
    return Array.isArray(packages) ? packages : undefined;
  };
  const [before, after] = [listed(old), listed(now)];
  const isWhole = !before || (after && before.every((name) => after.includes(name)));
  const shuts = after?.some((name) => typeof name === "string" && name.startsWith("!") && !before?.includes(name));
  if (isWhole && !shuts) return undefined;
  return [...new Set([...(before ?? []), ...(after ?? []).filter((name) => !`${name}`.startsWith("!"))])];
}

function isRunAlong(name: string, scripts: Readonly<Record<string, string>>): boolean {
  const inner = /^(?:pre|post)(.+)$/.exec(name)?.[1];
  return inner !== undefined && inner in scripts;
}

function jsonOf(text: string | undefined): Json {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {}; // half-written: it defines nothing now, and what it defined before is what counts
  }
}
