/**
 * Files that a runner reads by itself and that decide how it judges. One that is new since the beginning is left out of the room,
 * one that changed is what it was.
 */
const STEERING: readonly RegExp[] = [
  // package managers and their shells
  /^\.npmrc$|^\.yarnrc(?:\.yml)?$|^\.pnpmfile\.c?js$|^pnpm-workspace\.yaml$|^bunfig\.toml$|^\.pnp\.(?:c?js|loader\.mjs)$/,
  // make
  /^GNUmakefile$|^makefile$/,
  // what Python loads by itself
  /^(?:sitecustomize|usercustomize)\.py$|\.pth$/,
  // environment
  /^\.env(?:\..+)?$|^\.envrc$/,
  /^\.tool-versions$|^\.nvmrc$|^\.node-version$|^\.python-version$|^\.ruby-version$/,
];
/** Settings of test runners: with the first tests of a project come the first settings. */
const SETTINGS: readonly RegExp[] = [
  /^(?:conftest|noxfile)\.py$|^(?:pytest|tox)\.ini$|^\.pytest\.ini$|^\.coveragerc$/,
  /^(?:jest|vitest|vite|playwright|cypress|karma|ava|babel|wdio|cucumber|stryker|nightwatch)\.(?:config|conf|workspace|setup)\.[\w.]+$/,
  /^vitest\.workspace\.\w+$|^\.(?:mocharc|nycrc|c8rc|taprc|babelrc|swcrc|eslintrc|stylelintrc|prettierrc|jasmine)(?:\.\w+)?$/,
  /^(?:eslint|prettier|stylelint|biome|tslint)\.(?:config\.\w+|jsonc?)$|^deno\.jsonc?$|^\.eslintignore$|^\.prettierignore$/,
  /^(?:\.rspec|\.bundle|phpunit\.xml(?:\.dist)?|\.runsettings|Directory\.Build\.(?:props|targets)|rust-toolchain(?:\.toml)?|go\.work)$/,
  /^(?:turbo|nx|lerna|\.lintstagedrc|\.commitlintrc|\.jshintrc|\.markdownlint|\.pre-commit-config)(?:\.(?:json|ya?ml|c?js))?$|^(?:lint-staged|commitlint)\.config\.\w+$/,
  /^\.(?:shellcheckrc|pylintrc|flake8|mypy\.ini|yamllint(?:\.ya?ml)?|rubocop\.yml|golangci\.ya?ml|clang-tidy|luacheckrc|jshintignore)$|^(?:mypy|pylintrc|ruff|\.ruff)(?:\.ini|\.toml)?$/,
];
const STEERING_FOLDER =
  /(?:^|\/)(?:\.cargo\/config(?:\.toml)?|\.yarn\/(?:releases|plugins)\/.*|\.mvn\/.*|[^/]+\.(?:egg-info|dist-info)\/.*)$/;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const DEPENDENCIES =
  /^(?:.*?\/)?(?:node_modules|\.venv|venv|bower_components|\.yarn\/cache|\.pnpm-store|site-packages)(?=\/|$)/;

const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|requirements[\w.-]*\.(?:txt|lock)|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock)$/;
/** What tools derive from files and believe later. */
const DERIVED =
  /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.nyc_output|\.turbo|\.parcel-cache)\/|(?:^|\/)\.(?:eslint|stylelint|prettier)cache$|\.tsbuildinfo$|\.py[co]$|(?:^|\/)node_modules\/(?:\.cache|\.vite|\.vite-temp|\.vitest)\//;
const RECORDED = /(?:^|\/)(?:__snapshots__|__image_snapshots__|__file_snapshots__|.+-snapshots)\/|\.snap(?:shot)?$/;

/** What a path alone says of a file. */
interface Role {
  readonly isSteering: boolean;
  readonly isRunnerSettings: boolean;
  readonly dependencies: string | undefined;
  readonly isLock: boolean;
  readonly isDerived: boolean;
  readonly isRecorded: boolean;
  readonly merge: "package" | "makefile" | "sections" | undefined;
}

const PLAIN: Role = {
  isSteering: false,
  isRunnerSettings: false,
  dependencies: undefined,
  isLock: false,
  isDerived: false,
  isRecorded: false,
  merge: undefined,
};

/** A large project is asked about path by path for every room, and the answers stay the same. */
const known = new Map<string, Role>();
const MOST_KNOWN = 200_000;

function roleOf(path: string): Role {
  const before = known.get(path);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const role = readRole(path);
  known.set(path, role);
  return role;
}

function readRole(path: string): Role {
  const name = nameOf(path);
  const isRunnerSettings = SETTINGS.some((pattern) => pattern.test(name));
  const dependencies = DEPENDENCIES.exec(path)?.[0];
  const role: Role = {
    isSteering: isRunnerSettings || STEERING_FOLDER.test(path) || STEERING.some((pattern) => pattern.test(name)),
    isRunnerSettings,
    dependencies,
    isLock: dependencies === undefined && LOCK.test(path),
    isDerived: DERIVED.test(path),
    isRecorded: RECORDED.test(path),
    merge: mergeOf(name),
  };
  return Object.values(role).some(Boolean) ? role : PLAIN;
}

/** The path is text, relative to the project's root. */
export const isSteering = (path: string): boolean => roleOf(path).isSteering;
export const isRunnerSettings = (path: string): boolean => roleOf(path).isRunnerSettings;
/** The folder of dependencies that a path lies in. */
export const dependenciesOf = (path: string): string | undefined => roleOf(path).dependencies;
export const isLock = (path: string): boolean => roleOf(path).isLock;
/** A room begins without it. */
export const isDerived = (path: string): boolean => roleOf(path).isDerived;
/** What a runner writes from the work; listed where it changed, and never the judge unless you say so. */
export const isRecorded = (path: string): boolean => roleOf(path).isRecorded;
/** How a file that is both work and judge is put together from before and after. */
export const mergeKind = (path: string): Role["merge"] => roleOf(path).merge;

function mergeOf(name: string): Role["merge"] {
  if (name === "package.json") return "package";
  if (/^(?:GNUmakefile|[Mm]akefile)$|\.mk$/.test(name)) return "makefile";
  return /^(?:pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml)$/.test(name) ? "sections" : undefined;
}
