import { NAMED_BY } from "./toolchains.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that a confined command may have. A list of what is allowed: keys and the addresses of agents, displays and daemons
 * have too many names to be listed themselves.
 */
export function allowedEnvironment(env: Environment, more: readonly string[] = []): Environment {
  const own = new Set([...ALLOWED, ...NAMED_BY, ...more]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => own.has(name) || FAMILIES.test(name)));
}

const ALLOWED: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "HOSTNAME", "TERM", "COLORTERM", "COLUMNS", "LINES", "TZ", "TZDIR"],
  ...["LANG", "LANGUAGE", "EDITOR", "PAGER", "LS_COLORS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"],
  ...["CI", "NODE_ENV", "NODE_PATH", "RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV", "DEBIAN_FRONTEND"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["CARGO_HOME", "GOPATH", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN", "CGO_ENABLED", "CC", "CXX", "CFLAGS", "CXXFLAGS"],
  ...["LDFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "RUSTFLAGS", "RUST_BACKTRACE", "JAVA_OPTS"],
  ...["MAVEN_OPTS", "GRADLE_OPTS", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "NVM_BIN"],
  ...["npm_config_cache", "YARN_CACHE_FOLDER", "UV_CACHE_DIR", "GOCACHE"],
  ...["PIP_FIND_LINKS", "PIP_DISABLE_PIP_VERSION_CHECK", "SOURCE_DATE_EPOCH", "GIT_PAGER", "TILDONE_GROUP"],
];

/** `PI_MODEL` and the like: what the agent may know of its session. */
const FAMILIES = /^(LC_[A-Z]+|PI_[A-Z_]+|GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|CONDA_(EXE|DEFAULT_ENV)|SDKMAN_\w+)$/;
