import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { Finding, Whereabouts as Place } from "../../hooks/index.ts";
import { isOurPackage } from "../is-our-package.ts";

/** Whether OpenCode loads us, by what stands in its files: it says nothing about a plugin that it does not load. */
export function examineOpenCode(place: Place, folder: string): readonly Finding[] {
  const files = configFiles(place).filter((path) => existsSync(path));
  const broken = files.flatMap((path) => brokenIn(path));
  const isThere = files.some((path) => namesUs(readConfig(path), path)) || isInline(place) || hasPluginFile(place);
  const isInTerminal = folders(place).some((folder) => {
    const path = join(folder, "tui.json");
    return existsSync(path) && namesUs(readConfig(path), path);
  });
  return [
    ...broken,
    isThere
      ? { status: "ok", says: "opencode: installed" }
      : { status: "fix", says: `opencode: tildone is not in it. Add ${installedBy(folder)}` },
    ...(isThere && !isInTerminal
      ? [{ status: "note", says: `${NO_ESCAPE} ${lineOf(folder)} to tui.json beside opencode.json` } as const]
      : []),
  ];
}

const NO_ESCAPE = "opencode: escape does not cancel a countdown in the terminal. Add";
const lineOf = (folder: string): string => `"plugin": [${JSON.stringify(folder)}]`;
export const installedBy = (folder: string): string => `${lineOf(folder)} to opencode.json`;

function configFiles(place: Place): readonly string[] {
  const named = place.env.OPENCODE_CONFIG;
  return [
    ...folders(place).flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...(named === undefined ? [] : [resolve(place.cwd, named)]),
  ];
}
const NAMES = ["opencode.json", "opencode.jsonc", "config.json"];

/** Its own folder, and those of the project from here upwards. */
function folders({ env, home, cwd }: Place): readonly string[] {
  const above: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    above.push(folder, join(folder, ".opencode"));
    if (folder === dirname(folder)) break;
  }
  const own = join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "opencode");
  return [own, ...(env.OPENCODE_CONFIG_DIR === undefined ? [] : [env.OPENCODE_CONFIG_DIR]), ...above];
}

function brokenIn(path: string): readonly Finding[] {
  const errors: ParseError[] = [];
  parse(readFileSync(path, "utf8"), errors, { allowTrailingComma: true });
  return errors.length > 0 ? [{ status: "fix", says: `opencode: ${path} is not valid JSON. Fix that first` }] : [];
}

const readConfig = (path: string): unknown => parse(readFileSync(path, "utf8"), [], { allowTrailingComma: true });

const isInline = ({ env, cwd }: Place): boolean =>
  namesUs(parse(env.OPENCODE_CONFIG_CONTENT ?? "{}"), join(cwd, "opencode.json"));

const hasPluginFile = (place: Place): boolean =>
  folders(place)
    .flatMap((folder) => [join(folder, "plugin"), join(folder, "plugins")])
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .some((path) => /\.[jt]s$/.test(path) && readFileSync(path, "utf8").includes("tildone"));

function namesUs(config: unknown, path: string): boolean {
  const { plugin } = (typeof config === "object" && config !== null ? config : {}) as { plugin?: unknown };
  return (Array.isArray(plugin) ? plugin : [])
    .map((one: unknown) => (Array.isArray(one) ? (one[0] as unknown) : one))
    .some((spec) => typeof spec === "string" && isOurPackage(spec, dirname(path)));
}
