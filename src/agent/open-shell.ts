import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type BashOperations, createLocalBashOperations } from "@earendil-works/pi-coding-agent";
import { type Config, directories, type Environment, type Flags, loadConfig } from "../config/index.ts";
import type { Confinement } from "../confine/index.ts";
import { cannotConfine, confinedHint, confinedText, refusesUnconfined } from "../core/words/index.ts";
import { processStart, thisMachine } from "../machine/index.ts";
import { confinedShell } from "./confined-shell.ts";

/** How the commands of the agent's `bash` tool are started. */
export interface AgentShell {
  readonly operations: BashOperations;
  /** For the model, where its commands run confined. */
  readonly guideline?: string;
  /** For you, once: what `auto` could not do. */
  readonly notice?: string;
  readonly dispose: () => void;
}

export type OpenedShell =
  | ({ readonly status: "open" } & AgentShell)
  | { readonly status: "refused"; readonly problem: string };

interface Here {
  readonly cwd: string;
  readonly env: Environment;
  readonly home: string;
  readonly flags?: Flags | undefined;
  readonly shellPath: string | undefined;
}

/** Asked before anything starts: with `required` nothing does where commands cannot be confined. */
export async function openShell(here: Here): Promise<OpenedShell> {
  const { cwd, env, home, flags = {}, shellPath } = here;
  const plain: OpenedShell = {
    status: "open",
    operations: createLocalBashOperations(shellPath === undefined ? {} : { shellPath }),
    dispose: () => {},
  };
  const loaded = await loadConfig({ cwd, env, home, flags });
  if (!loaded.ok || loaded.config.confine.mode === "off") return plain; // what is wrong with it is said where it is opened
  const { confine } = loaded.config;
  const opened = await confined(here, confine);
  if ("operations" in opened) return { status: "open", ...opened };
  if (confine.mode === "required") return { status: "refused", problem: refusesUnconfined(opened.cause, opened.fix) };
  return { ...plain, notice: cannotConfine(opened.cause, opened.fix) };
}

async function confined(
  { cwd, env, home, shellPath }: Here,
  { network, read, write, env: names }: Config["confine"],
): Promise<AgentShell | Extract<Confinement, { status: "unconfined" }>> {
  // Loaded when it is wanted: most runs are not confined.
  const { allowedEnvironment, confinementFor, dropPlanted, gitFiles, workspaceAround } = await import(
    "../confine/index.ts"
  );
  const { state, config } = directories({ env, home });
  const root = workspaceAround(cwd, home);
  const git = gitFiles(root);
  const temp = takeTemp(state);
  const at = (path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : resolve(home, path);
  const confinement = await confinementFor({
    ...{ root, network, temp, env, home, state, hidden: [state, config] },
    writable: [...write.map(at), ...git.writable],
    readable: read.map(at),
    kept: git.kept,
  });
  if (confinement.status === "unconfined") {
    rmSync(temp, { recursive: true, force: true });
    return confinement;
  }
  const identity = identityIn(cwd, env);
  return {
    operations: confinedShell(confinement, {
      shellPath,
      allow: (given) => ({ ...identity, ...CACHES, ...allowedEnvironment(given, names) }),
      onEnd: () => dropPlanted(root),
      hint: (output) => (LOOKS_CONFINED.test(output) ? `\n${confinedHint(root, network)}\n` : ""),
    }),
    guideline: confinedText(root, network),
    dispose: () => {
      dropPlanted(root);
      rmSync(temp, { recursive: true, force: true });
    },
  };
}

/** The home folder is new for every command; what is downloaded is kept for the session. */
const CACHES = {
  npm_config_cache: "/tmp/.cache/npm",
  YARN_CACHE_FOLDER: "/tmp/.cache/yarn",
  UV_CACHE_DIR: "/tmp/.cache/uv",
  GOCACHE: "/tmp/.cache/go-build",
};

const LOOKS_CONFINED =
  /Read-only file system|EROFS|Device or resource busy|EBUSY|Could not resolve host|EAI_AGAIN|ENOTFOUND|Network is unreachable|ENETUNREACH|publickey/i;

/** One folder per session, seen as /tmp by all its commands. Those of processes that were killed are removed here. */
function takeTemp(state: string): string {
  const folder = join(state, "confine", "temp");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const space = thisMachine().space.replace(/\D/g, ""); // a number means another process in another container
  for (const name of readdirSync(folder)) {
    const [where, pid, started] = name.split(".");
    const isOver = where === space && processStart(Number(pid)) !== started;
    if (isOver) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, `${space}.${process.pid}.${processStart(process.pid) ?? ""}.`));
}

/** Who commits: your configuration of git is in the home folder, which is not seen. */
function identityIn(cwd: string, env: Environment): Readonly<Record<string, string>> {
  const ask = (name: string) =>
    spawnSync("git", ["config", "--get", name], { cwd, env: { ...env }, encoding: "utf8" }).stdout?.trim() ?? "";
  const [name, email] = [ask("user.name"), ask("user.email")];
  return {
    ...(name !== "" && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== "" && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}
