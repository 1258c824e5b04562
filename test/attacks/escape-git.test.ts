import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenedShell, openShell } from "../../src/agent/open-shell.ts";

/**
 * The agent's shell may commit, and what it leaves in the repository is used outside, by you and by tildone. Each row tries to leave
 * something that git runs there; `evil` says so in a file that no confined command can make.
 */
let top = "";
let app = "";
let shell: OpenedShell & { status: "open" };
const ID = [
  "-c",
  "user.name=A",
  "-c",
  "user.email=a@b",
  "-c",
  "protocol.file.allow=always",
  "-c",
  "commit.gpgsign=false",
];
const git = (cwd: string, ...args: string[]) =>
  spawnSync("git", [...ID, ...args], { cwd, encoding: "utf8", env: variables() });
const variables = () => ({ PATH: process.env.PATH ?? "", HOME: join(top, "home"), TILDONE_HOME: join(top, "home/.t") });
const pwned = () => existsSync(join(top, "pwned"));

let template = "";

beforeAll(() => {
  template = realpathSync(mkdtempSync(join(tmpdir(), "tildone-escape-git-")));
  top = template;
  const [work, other] = [join(template, "home/app"), join(template, "home/lib")];
  for (const folder of [work, other]) {
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "-q");
    writeFileSync(join(folder, "f"), "f");
    git(folder, "add", "f");
    git(folder, "commit", "-qm", "one");
  }
  git(work, "submodule", "add", "-q", other, "sub");
  writeFileSync(join(work, "evil"), `#!/bin/sh\ntouch "$HOME/../pwned"\n`);
  chmodSync(join(work, "evil"), 0o755);
  git(work, "add", ".");
  git(work, "commit", "-qm", "two");
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "tildone-escape-git-")));
  app = join(top, "home/app");
  cpSync(template, top, { recursive: true, verbatimSymlinks: true });
});
afterEach(() => {
  shell?.dispose();
  rmSync(top, { recursive: true, force: true });
});

async function openIn(cwd: string, confine: string): Promise<void> {
  const opened = await openShell({
    cwd,
    env: variables(),
    home: join(top, "home"),
    flags: { confine },
    shellPath: undefined,
  });
  if (opened.status === "refused") throw new Error(opened.problem);
  shell = opened;
}

async function bash(cwd: string, command: string): Promise<void> {
  await shell.operations.exec(command, cwd, { onData: () => {}, env: variables(), timeout: 30 });
}

/** What people do in a repository. */
function useIt(cwd: string): void {
  for (const folder of [cwd, join(cwd, "sub")].filter(existsSync)) {
    git(folder, "diff", "HEAD");
    git(folder, "checkout", "-q", "-b", "later");
    git(folder, "commit", "-q", "--allow-empty", "-m", "yours");
  }
}

const HOOK = "cp evil .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit";
const WAYS: readonly (readonly [string, string])[] = [
  ["a hook", HOOK],
  ["a hook that is a link", "ln -s $PWD/evil .git/hooks/post-checkout"],
  ["hooks moved away", "mv .git/hooks .git/old; mkdir .git/hooks; cp evil .git/hooks/pre-commit"],
  ["hooks removed", "rm -rf .git/hooks; mkdir .git/hooks; cp evil .git/hooks/pre-commit"],
  ["hooks that are a link", "rm -rf .git/hooks; mkdir h; cp evil h/pre-commit; ln -s $PWD/h .git/hooks"],
  ["a folder for hooks", "mkdir h; cp evil h/pre-commit; git config core.hooksPath $PWD/h"],
  ["a file system monitor", "git config core.fsmonitor $PWD/evil"],
  ["a written configuration", 'printf "[core]\\n\\tfsmonitor = %s\\n" "$PWD/evil" >> .git/config'],
  [
    "a moved configuration",
    'cp .git/config c; printf "[core]\\n\\tfsmonitor = %s\\n" "$PWD/evil" >> c; mv -f c .git/config',
  ],
  [
    "a configuration by another name",
    'rm -f .git/config; printf "[core]\\n\\tfsmonitor = %s\\n" "$PWD/evil" > .git/config',
  ],
  ["a configuration of the user", "git config --global core.fsmonitor $PWD/evil"],
  [
    "a configuration of the worktree",
    "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $PWD/evil",
  ],
  ["another repository in its place", `mv .git .old; git init -q; ${HOOK}`],
  ["another repository after removal", `rm -rf .git; git init -q; ${HOOK}`],
  ["a repository elsewhere", "git init -q --separate-git-dir=$PWD/g; cp evil g/hooks/pre-commit"],
  [
    "another common folder",
    "git init -q --bare e; cp evil e/hooks/pre-commit; git -C e config core.fsmonitor $PWD/evil; echo ../e > .git/commondir",
  ],
  [
    "a file instead of the repository",
    "git init -q e; cp evil e/.git/hooks/pre-commit; rm -rf .git; echo 'gitdir: e/.git' > .git",
  ],
  ["a hook by a mount taken away", `unshare -Urm sh -c 'umount .git/hooks; ${HOOK}'`],
  [
    "a filter by attributes",
    'echo "* filter=e diff=e" > .git/info/attributes; git config filter.e.clean $PWD/evil; git config diff.e.textconv $PWD/evil',
  ],
  ["a hook of a submodule", "cp evil .git/modules/sub/hooks/pre-commit"],
  ["a configuration of a submodule", "git -C sub config core.fsmonitor $PWD/evil"],
  [
    "a submodule with another repository",
    "mv .git/modules/sub .git/modules/old; cp -r .git/modules/old .git/modules/sub; cp evil .git/modules/sub/hooks/pre-commit",
  ],
  [
    "another common folder of a submodule",
    "git init -q --bare e; cp evil e/hooks/pre-commit; git -C e config core.fsmonitor $PWD/evil; echo ../../../e > .git/modules/sub/commondir",
  ],
  [
    "submodules moved away",
    "mv .git/modules .git/m; cp -r .git/m .git/modules; cp evil .git/modules/sub/hooks/pre-commit",
  ],
  ["a template", "mkdir -p ~/.t2/hooks; cp evil ~/.t2/hooks/pre-commit; git config --global init.templateDir ~/.t2"],
];

test.each(WAYS)("the agent's shell leaves %s that runs nothing outside", async (_what, line) => {
  await openIn(app, "required");
  await bash(app, line);
  useIt(app);
  expect(pwned()).toBe(false);
  // What it may do is destroy its own work.
  if (!line.includes("rm -rf .git;")) expect(git(app, "log", "--format=%s", "-1").stdout).toBe("yours\n");
});

test.each(WAYS.filter(([what]) => !/mount|template/.test(what)))("unconfined, %s would run", async (_what, line) => {
  await openIn(app, "off");
  await bash(app, line);
  useIt(app);
  expect(pwned()).toBe(true);
});

test("a linked worktree changes nothing of the repository and of the others", async () => {
  const tree = join(top, "home/tree");
  git(app, "worktree", "add", "-q", tree);
  git(app, "worktree", "add", "-q", join(top, "home/third"));
  await openIn(tree, "required");
  await bash(
    tree,
    `C=$(git rev-parse --git-common-dir); for h in pre-commit post-checkout; do cp evil $C/hooks/$h; done
     git config core.fsmonitor $PWD/evil; git init -q --bare e; cp evil e/hooks/pre-commit
     echo $PWD/e > $C/commondir; echo $PWD/e > $C/worktrees/third/commondir; echo $PWD/e > $C/worktrees/tree/commondir; echo "gitdir: $PWD/e" > .git
     git -c user.name=A -c user.email=a@b commit -q --allow-empty -m mine`,
  );
  for (const folder of [app, tree, join(top, "home/third")]) useIt(folder);
  expect(pwned()).toBe(false);
  expect(git(tree, "log", "--format=%s", "-5").stdout).toContain("mine\n");
});
