import { loadPolicy } from "../core/call/index.ts";
import { assemble, type Config } from "./config.ts";
import { type FileReading, readConfigFile } from "./config-file.ts";
import { directories } from "./directories.ts";
import { findProject, type Project } from "./find-project.ts";
import type { Layer, LayerName, LayerReading } from "./layer.ts";
import type { ConfigProblem, ConfigWarning } from "./problem.ts";
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
}

/** Defaults, user file, project file, environment, flags. One mistake anywhere, and nothing is applied. */
export async function loadConfig({ cwd, env, home, flags = {}, ...scope }: ConfigRequest): Promise<LoadedConfig> {
  const places = directories({ env, home });
  const project = findProject(cwd);
  const user = await readConfigFile(places.config);
  const own = project?.folder ? await readConfigFile(project.folder, project.root) : ({ status: "absent" } as const);

  const variables = readEnvironment(env);
  const readings = [...readLayer("user", user), ...readLayer("project", own), variables, readFlags(flags)];
  const layers = readings.map(({ layer }) => layer);
  const refused = [user, own].flatMap((reading) => (reading.status === "refused" ? [reading.problem] : []));
  const errors = [...refused, ...readings.flatMap(({ problems }) => problems), ...problemsOfRules(layers)];
  if (errors.length > 0) return { ok: false, errors };

  const found = project && describe(project, own, openTrust(places));
  const resolved = resolve([defaultLayer, ...layers], scope, found?.standing ?? "trusted");
  return {
    ok: true,
    config: assemble(resolved.values, scope, offBy(env)),
    warnings: [...variables.warnings, ...resolved.warnings],
    explain: resolved.explain,
    ...(found && { project: found }),
  };
}

function readLayer(layer: LayerName, reading: FileReading): LayerReading[] {
  return reading.status === "read" ? [readTree(reading.file.tree, { layer, source: reading.file.path })] : [];
}

function describe(project: Project, own: FileReading, trust: Trust): LoadedProject {
  if (own.status !== "read") return { ...project, standing: "trusted" };
  const file = trustedFile(project.root, own.file.path, own.file.content);
  return { ...project, file, standing: trust.standing(project.root, [file]).status };
}

/** Whoever wants it off gets it off: any value but a clear "no" counts. */
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
