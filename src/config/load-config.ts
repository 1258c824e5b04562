import { relative } from "node:path";
import { assemble, type Config } from "./config.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { directories } from "./directories.ts";
import { findProject, type Project } from "./find-project.ts";
import type { Layer } from "./layer.ts";
import type { ConfigProblem, ConfigWarning } from "./problem.ts";
import { type Environment, type Flags, readEnvironment, readFlags } from "./read-process.ts";
import { readTree } from "./read-tree.ts";
import { defaultLayer, type Explained, resolve, type Scope } from "./resolve.ts";
import { openTrust, type TrustedFile } from "./trust.ts";

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
  /** Whether its config is trusted as it is now; true if it has none. */
  readonly isTrusted: boolean;
}

/** Defaults, user file, project file, environment, flags. One mistake anywhere, and nothing is applied. */
export async function loadConfig({ cwd, env, home, flags = {}, ...scope }: ConfigRequest): Promise<LoadedConfig> {
  const places = directories({ env, home });
  const project = findProject(cwd);
  const user = await readConfigFile(places.config);
  const own = project?.folder ? await readConfigFile(project.folder, project.root) : { status: "absent" as const };

  const errors: ConfigProblem[] = [];
  const keep = <T extends { readonly layer: Layer; readonly problems: readonly ConfigProblem[] }>(read: T): T => {
    errors.push(...read.problems);
    return read;
  };
  for (const reading of [user, own]) if (reading.status === "refused") errors.push(reading.problem);
  const variables = keep(readEnvironment(env));
  const layers = [
    defaultLayer,
    ...(user.status === "read"
      ? [keep(readTree(user.file.tree, { layer: "user", source: user.file.path })).layer]
      : []),
    ...(own.status === "read"
      ? [keep(readTree(own.file.tree, { layer: "project", source: own.file.path })).layer]
      : []),
    variables.layer,
    keep(readFlags(flags)).layer,
  ];
  if (errors.length > 0) return { ok: false, errors };

  const found = project && describe(project, own.status === "read" ? own.file : undefined, places.state);
  const resolved = resolve(layers, scope, { isTrusted: found?.isTrusted ?? true });
  const ruleErrors = await problemsOfRules(resolved.values["approval.rules"]);
  if (ruleErrors.length > 0) return { ok: false, errors: ruleErrors };
  return {
    ok: true,
    config: assemble(resolved.values, scope, offBy(env)),
    warnings: [...variables.warnings, ...resolved.warnings],
    explain: resolved.explain,
    ...(found && { project: found }),
  };
}

function describe(project: Project, file: ConfigFile | undefined, state: string): LoadedProject {
  if (file === undefined) return { ...project, isTrusted: true };
  const known: TrustedFile = { path: relative(project.root, file.path), digest: file.digest };
  return { ...project, file: known, isTrusted: openTrust({ state }).isTrusted(project.root, [known]) };
}

/** Whoever wants it off gets it off: any value but a clear "no" counts. */
function offBy({ TILDONE_OFF: value }: Environment): string | undefined {
  if (value === undefined || ["", "0", "false", "no", "off"].includes(value.toLowerCase())) return undefined;
  return `TILDONE_OFF=${value.slice(0, 20)} is set.`;
}

/** Rules carry examples that are tried on the spot; the room that knows how is loaded only if there are rules. */
async function problemsOfRules(rules: Parameters<typeof assemble>[0]["approval.rules"]): Promise<ConfigProblem[]> {
  if (rules.length === 0) return [];
  const { loadPolicy } = await import("../core/call/index.ts");
  const load = loadPolicy({ rules });
  if (load.ok) return [];
  return load.problems.map(({ path, message }) => ({
    code: "wrong_value",
    source: "approval",
    path,
    says: `${message}.`,
  }));
}
