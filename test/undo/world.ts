// A project with a history, and everything that can be seen of it without tildone.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const KINDS = [
  "repository",
  "no identity",
  "worktree",
  "crlf",
  "submodule",
  "shallow",
  "subfolder",
  "no git",
] as const;
export type Kind = (typeof KINDS)[number];

export interface World {
  readonly kind: Kind;
  readonly home: string;
  /** The top of the project. */
  readonly root: string;
  /** Where the run works. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  git(...args: readonly string[]): string;
  remove(): void;
}

/** What a file is: kind, executable bit, bytes. */
export type Files = ReadonlyMap<string, string>;

const templates = new Map<Kind, string>();

/** Repositories are made once and copied. */
export function makeWorld(kind: Kind): World {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "undo-")));
  const template = templates.get(kind) ?? makeTemplate(kind);
  templates.set(kind, template);
  cpSync(template, home, { recursive: true, verbatimSymlinks: true });
  if (kind === "worktree") {
    // A linked worktree names its repository by path.
    writeFileSync(join(home, "project/.git"), `gitdir: ${join(home, "main/.git/worktrees/project")}\n`);
    writeFileSync(join(home, "main/.git/worktrees/project/gitdir"), `${join(home, "project/.git")}\n`);
  }
  const root = join(home, "project");
  const env = environment(home, kind);
  return {
    ...{ kind, home, root, env },
    cwd: kind === "subfolder" ? join(root, "src") : root,
    git: (...args) => git(root, env, ...args),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export function removeTemplates(): void {
  for (const folder of templates.values()) rmSync(folder, { recursive: true, force: true });
  templates.clear();
}

const environment = (home: string, kind: Kind): World["env"] => ({
  PATH: process.env.PATH,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: "1",
  ...(kind !== "no identity" && {
    GIT_AUTHOR_NAME: "you",
    GIT_AUTHOR_EMAIL: "you@example.com",
    GIT_COMMITTER_NAME: "you",
    GIT_COMMITTER_EMAIL: "you@example.com",
  }),
});

function git(cwd: string, env: World["env"], ...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd,
    env: { ...env, BY_YOU: "1" } as NodeJS.ProcessEnv,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function makeTemplate(kind: Kind): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "undo-template-")));
  const first = join(home, kind === "worktree" ? "main" : kind === "shallow" ? "origin" : "project");
  const env = environment(home, "repository");
  mkdirSync(first);
  for (const [path, content] of Object.entries(FIRST)) write(first, path, content);
  chmodSync(join(first, "run.sh"), 0o755);
  if (kind === "no git") return home;
  git(first, env, "init", "-q", "-b", "main");
  if (kind === "crlf") {
    git(first, env, "config", "core.autocrlf", "true");
    write(first, ".gitattributes", "*.txt text eol=crlf\n");
  }
  if (kind === "submodule") {
    git(home, env, "init", "-q", "-b", "main", "inner");
    write(join(home, "inner"), "inside.txt", "inside\n");
    git(join(home, "inner"), env, "add", "-A");
    git(join(home, "inner"), env, "commit", "-qm", "inner");
    git(first, env, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./../inner", "module");
  }
  git(first, env, "add", "-A");
  git(first, env, "commit", "-qm", "first");
  write(first, "stashed.txt", "stashed\n");
  git(first, env, "add", "stashed.txt");
  git(first, env, "stash", "-q");
  if (kind === "worktree") git(first, env, "worktree", "add", "-q", "../project");
  if (kind === "shallow") git(home, env, "clone", "-q", "--depth=1", `file://${first}`, "project");
  const root = join(home, "project");
  // A hook that runs tells on itself.
  const hooks = git(root, env, "rev-parse", "--path-format=absolute", "--git-path", "hooks").trim();
  mkdirSync(hooks, { recursive: true });
  for (const hook of ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"]) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\n[ -n "$BY_YOU" ] || : > "$HOME/hook-ran"\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  rmSync(join(home, "hook-ran"), { force: true });
  return home;
}

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at}`);
const FIRST: Readonly<Record<string, string>> = {
  "a.txt": `${LINES.join("\n")}\n`,
  "b.txt": `${LINES.join("\r\n")}\r\n`,
  "src/c.ts": `${LINES.join("\n")}`,
  "src/ä ö.md": `${LINES.join("\n")}\n`,
  "run.sh": `#!/bin/sh\n${LINES.join("\n")}\n`,
  "deep/er/file": `${LINES.join("\n")}\n`,
  ".gitignore": "*.log\nbuild/\n",
  "own.log": "ignored\n",
  "build/out.js": "built\n",
};

export function write(root: string, path: string, content: string | Buffer): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Every file below, what is ignored included; folders are not files. */
export function filesOf(root: string, inner = ""): Files {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, inner), { withFileTypes: true })) {
    const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
    if (entry.name === ".git") continue;
    const stat = lstatSync(join(root, path));
    if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(root, path))}`);
    else if (stat.isDirectory()) for (const [each, is] of filesOf(root, path)) found.set(each, is);
    else found.set(path, `${stat.mode & 0o100 ? "x" : "-"} ${readFileSync(join(root, path)).toString("latin1")}`);
  }
  return found;
}

/** Your repository as its files say it: HEAD, branches, stash, reflogs, settings, worktrees; all but contents and the index. */
export function repositoryOf({ kind, root, home }: World) {
  const hooks = existsSync(join(home, "hook-ran"));
  if (kind === "no git") return { hooks };
  const folders = kind === "worktree" ? [join(home, "main/.git")] : [join(root, ".git")];
  return {
    hooks,
    files: folders.flatMap((folder) =>
      [...filesOf(folder)].filter(([path]) => !/(?:^|\/)(?:objects|index$)/.test(path)),
    ),
  };
}

/** The file itself: to look is not to touch. */
export const indexOf = ({ kind, root, home }: World): string =>
  kind === "no git"
    ? ""
    : readFileSync(
        kind === "worktree" ? join(home, "main/.git/worktrees/project/index") : join(root, ".git/index"),
        "latin1",
      );

export const headOf = (world: World): string =>
  JSON.stringify(repositoryOf(world).files?.filter(([path]) => /(?:^|\/)logs\/HEAD$/.test(path)));
export const statusOf = ({ kind, git }: World): string =>
  kind === "no git"
    ? ""
    : git("--no-optional-locks", "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all");

/** What the index holds that the last commit does not, by mode and content; git said it with the status, in one process. */
export const stagedIn = (status: string): string =>
  status
    .split("\0")
    .flatMap((line) => {
      const [kind, moved = "", , , inIndex, , , oid, ...path] = line.split(" ");
      if (kind === "u") return [line];
      return kind === "1" && moved[0] !== "." ? [`${moved[0]} ${inIndex} ${oid} ${path.join(" ")}`] : [];
    })
    .join("\0");
