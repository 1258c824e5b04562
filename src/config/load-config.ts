import { loadPolicy } from "../core/call/index.ts";
import { commandsOf, type ProjectCommand } from "./commands-of.ts";
import { assemble, type Config } from "./config.ts";
import { type FileReading, readConfigFile } from "./config-file.ts";
import { directories } from "./directories.ts";
import { findProject, type Project } from "./find-project.ts";
import type { Layer, LayerName, LayerReading } from "./layer.ts";
import { located } from "./line-of.ts";
import { type ConfigProblem, type ConfigWarning, dropped, foreign } from "./problem.ts";
import { type Environment, type Flags, readEnvironment, readFlags } from "./read-process.ts";
import { readTree } from "./read-tree.ts";
import { defaultLayer, type Explained, resolve, type Scope } from "./resolve.ts";
import type { Values } from "./settings.ts";
import { openTrust, type Standing, type Trust, type TrustedFile, trustedFile } from "./trust.ts";

export interface ConfigRequest extends Scope {
  readonly cwd: string;
  readonly env: Environment;
  readonly home: string;
  readonly flags?: Flags;
  /** Why the project's own settings cannot hold here, where the caller found that out. */
  readonly unfit?: string;
}

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly ConfigWarning[];
      readonly project?: LoadedProject;
      readonly explain: readonly Explained[];
    }
  | { readonly ok: false; readonly errors: readonly ConfigProblem[] };

export interface LoadedProject extends Project {
  /** The project's own config, for the one who trusts it. */
  readonly file?: TrustedFile;
  /** Of its config as it is now; `trusted` if it has none. */
  readonly standing: Standing["status"];
  /** What it would run or let run, by the setting that says so. */
  readonly commands: readonly ProjectCommand[];
  /** What is wrong with it: then none of it is applied. */
  readonly mistakes: readonly ConfigProblem[];
}

/**
 * Defaults, user file, project file, environment, flags. A mistake of yours, and nothing is applied; a mistake of the project's,
 * and it is the project's file that is not.
 */
export async function loadConfig({
  cwd,
  env,
  home,
  flags = {},
  unfit,
  ...scope
}: ConfigRequest): Promise<LoadedConfig> {
  const places = directories({ env, home });
  const project = findProject(cwd);
  const user = await readConfigFile(places.config);
  const own = project?.folder ? await readConfigFile(project.folder, project.root) : ({ status: "absent" } as const);

  const variables = readEnvironment(env);
  const yours = [...readLayer("user", user), variables, readFlags(flags)];
  const errors = await problemsIn(user, yours);
  if (errors.length > 0) return { ok: false, errors };

  const theirs = readLayer("project", own);
  const mistakes = await problemsIn(own, theirs);
  if (unfit !== undefined && own.status === "read")
    mistakes.push({ code: "wrong_value", source: own.file.path, path: "", says: unfit });
  const [ofUser, ofProject] = [yours.filter(isOf("user")), mistakes.length > 0 ? [] : theirs];
  const layers = [...ofUser, ...ofProject, ...yours.filter((reading) => !isOf("user")(reading))].map(
    ({ layer }) => layer,
  );

  const found = project && {
    ...describe(project, own, openTrust(places)),
    commands: theirs.flatMap(({ layer }) => commandsOf(layer)),
    mistakes,
  };
  const resolved = resolve([defaultLayer, ...layers], scope, found?.standing ?? "trusted");
  return {
    ok: true,
    config: assemble(resolved, scope, offBy(env)),
    warnings: [
      ...(mistakes.length > 0 ? [dropped(mistakes)] : []),
      ...(project?.foreign === undefined ? [] : [foreign(project.foreign)]),
      ...variables.warnings,
      ...resolved.warnings,
    ],
    explain: resolved.explain,
    project: found,
  };
}

const isOf =
  (name: LayerName) =>
  ({ layer }: LayerReading): boolean =>
    layer.name === name;

/** Every mistake of a file and of what came along with it, with its line. */
async function problemsIn(file: FileReading, readings: readonly LayerReading[]): Promise<ConfigProblem[]> {
  const refused = file.status === "refused" ? [file.problem] : [];
  const found = [
    ...readings.flatMap(({ problems }) => problems),
    ...problemsOfRules(readings.map(({ layer }) => layer)),
  ];
  return [...refused, ...(file.status === "read" && found.length > 0 ? await located(found, file.file) : found)];
}

function readLayer(layer: LayerName, reading: FileReading): LayerReading[] {
  return reading.status === "read" ? [readTree(reading.file.tree, { layer, source: reading.file.path })] : [];
}

function describe(project: Project, own: FileReading, trust: Trust): Omit<LoadedProject, "mistakes" | "commands"> {
  if (own.status !== "read") return { ...project, standing: "trusted" };
  const file = trustedFile(project.root, own.file.path, own.file.content);
  return { ...project, file, standing: trust.standing(project.root, [file]).status };
}

/** It is off as soon as it is asked for: any value but a clear "no" counts. */
function offBy({ TILDONE_OFF: value }: Environment): string | undefined {
  if (value === undefined || ["", "0", "false", "no", "off"].includes(value.toLowerCase())) return undefined;
  return `TILDONE_OFF=${value.slice(0, 20)} is set.`;
}

/** Rules carry examples that are tried on the spot. */
function problemsOfRules(layers: readonly Layer[]): ConfigProblem[] {
  const given = layers.filter(({ entries }) => entries.has("approval.rules"));
  return given.flatMap(({ source, entries }) => {
    const load = loadPolicy({ rules: entries.get("approval.rules") as Values["approval.rules"] });
    if (load.ok) return [];
    return load.problems.map(({ path, message }): ConfigProblem => {
      return { code: "wrong_value", source, path: `approval.${path}`, says: `${message}.` };
    });
  });
}
