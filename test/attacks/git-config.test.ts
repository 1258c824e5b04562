import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../../src/checks/workspace/index.ts";
import { systemClock } from "../../src/compose/index.ts";

let root: string;
let mark: string;
const env = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };
const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    env,
    stdio: "pipe",
  });
const look = (cwd: string) => createWorkspace({ clock: systemClock(), env }).observe(cwd);

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tildone-git-")));
  mark = join(root, "mark");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function repository(path: string, files: Readonly<Record<string, string>> = { "a.txt": "a" }): string {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "x");
  return path;
}

/** Names of filters as a config and an attribute can hold them both. */
const NAMES = [
  "x",
  "x=y",
  "=",
  "a=b=c",
  "a.b=c.d",
  "UPPER=x",
  "é=ü",
  "a]b",
  "a#b",
  "a;b",
  "-c",
  "a=clean",
  "filter.x",
  "x\\\\=y",
];
const more = Array.from({ length: 986 }, (_, at) => `n${at}${"=".repeat(at % 3)}${at % 5 === 0 ? ".x" : ""}`);

/** Added without its filters, then changed: the next look has to compare. */
function armed(repo: string, config: string, names: readonly string[]): void {
  mkdirSync(join(repo, "f"), { recursive: true });
  for (const at of names.keys()) writeFileSync(join(repo, `f/x${at}`), "aaaa");
  git(repo, "add", "-A");
  git(repo, "commit", "-q", "-m", "files");
  const touch = `touch '${mark}'; cat`;
  writeFileSync(join(repo, "f/.gitattributes"), names.map((name, at) => `x${at} filter=${name}`).join("\n"));
  appendFileSync(
    config,
    names
      .map(
        (name) =>
          `[filter ${quoted(name)}]\n\tclean = ${quoted(touch)}\n\tprocess = ${quoted(touch)}\n\trequired = true\n`,
      )
      .join(""),
  );
  for (const at of names.keys()) writeFileSync(join(repo, `f/x${at}`), "bbbb");
}
const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

describe("looking at a workspace carries nothing out that its configuration names", () => {
  test("the plant works: git itself runs the filters", () => {
    const repo = repository(join(root, "repo"));
    armed(repo, join(repo, ".git/config"), ["x=y"]);
    expect(() => git(repo, "status")).toThrow("filter"); // it does not speak git's protocol
    expect(existsSync(mark)).toBe(true);
  });

  test.each([
    ["strange names", NAMES],
    ["a thousand filters", [...NAMES, ...more]],
    [
      "more filters than can be switched off",
      [...NAMES, ...more, "one more", "x1"].map((name) => name.replace(" ", "-")),
    ],
  ])("filters of the repository: %s", async (_what, names) => {
    const repo = repository(join(root, "repo"));
    armed(repo, join(repo, ".git/config"), names);
    expect(await look(repo)).toMatch(/^(git|files):/);
    expect(existsSync(mark)).toBe(false);
  });

  // Among others a name that git cannot switch off hides that the rest of them can be run: so each stands alone, too.
  test.each(NAMES)("one filter, named %j", async (name) => {
    const repo = repository(join(root, "repo"));
    armed(repo, join(repo, ".git/config"), [name]);
    const seen = await look(repo);
    expect(existsSync(mark), "it ran").toBe(false);
    expect(seen).toMatch(/^git:/);
  });

  test.each(["untracked", "module"])("one filter in a repository within: %s", async (path) => {
    const outer = repository(join(root, "outer"));
    const inner = repository(join(outer, path));
    if (path === "module") git(outer, "add", "-f", "module");
    armed(inner, join(inner, ".git/config"), ["x=y"]);
    const seen = await look(outer);
    expect(existsSync(mark), "it ran").toBe(false);
    expect(seen).toMatch(/^git:/);
  });

  test("one filter in a git folder elsewhere", async () => {
    const repo = repository(join(root, "repo"));
    renameSync(join(repo, ".git"), join(root, "elsewhere.git"));
    writeFileSync(join(repo, ".git"), `gitdir: ${join(root, "elsewhere.git")}\n`);
    armed(repo, join(root, "elsewhere.git/config"), ["x=y"]);
    const seen = await look(repo);
    expect(existsSync(mark), "it ran").toBe(false);
    expect(seen).toMatch(/^git:/);
  });

  test.each<[string, (repo: string) => string]>([
    [
      "a file that the config includes",
      (repo) => {
        appendFileSync(join(repo, ".git/config"), "[include]\n\tpath = more\n");
        return join(repo, ".git/more");
      },
    ],
    [
      "the config of a worktree",
      (repo) => {
        git(repo, "config", "extensions.worktreeConfig", "true");
        return join(repo, ".git/config.worktree");
      },
    ],
    [
      "a git folder elsewhere",
      (repo) => {
        renameSync(join(repo, ".git"), join(root, "elsewhere.git"));
        writeFileSync(join(repo, ".git"), `gitdir: ${join(root, "elsewhere.git")}\n`);
        return join(root, "elsewhere.git/config");
      },
    ],
  ])("filters in %s", async (_what, place) => {
    const repo = repository(join(root, "repo"));
    armed(repo, place(repo), NAMES);
    expect(await look(repo)).toMatch(/^git:/);
    expect(existsSync(mark)).toBe(false);
  });

  test("filters of repositories within: untracked, as a submodule, and deeper", async () => {
    const outer = repository(join(root, "outer"));
    for (const path of ["untracked", "module", "deep/er/inner"]) {
      const inner = repository(join(outer, path));
      armed(inner, join(inner, ".git/config"), NAMES);
    }
    git(outer, "add", "-f", "module");
    git(outer, "commit", "-q", "-m", "a link");
    expect(await look(outer)).toMatch(/^git:/);
    expect(existsSync(mark)).toBe(false);
  });

  test("a filter that comes after the first look, in a process that stays", async () => {
    const repo = repository(join(root, "repo"));
    const workspace = createWorkspace({ clock: systemClock(), env });
    await workspace.observe(repo);
    armed(repo, join(repo, ".git/config"), ["later=x"]);
    expect(await workspace.observe(repo)).toMatch(/^git:/);
    expect(existsSync(mark)).toBe(false);
  });

  test("whatever else a config can name", async () => {
    const repo = repository(join(root, "repo"), { "a.txt": "a", "b.txt": "b" });
    const run = join(root, "run");
    writeFileSync(run, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    for (const key of COMMANDS) git(repo, "config", key, run);
    for (const [key, value] of OTHERS) git(repo, "config", key, value.replace("RUN", run));
    mkdirSync(join(repo, "hooks"));
    for (const hook of HOOKS)
      for (const folder of ["hooks", ".git/hooks"])
        writeFileSync(join(repo, folder, hook), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    writeFileSync(join(repo, ".gitattributes"), "*.txt diff=x merge=x filter=x text");
    writeFileSync(join(repo, "a.txt"), "changed");
    rmSync(join(repo, ".git/objects"), { recursive: true }); // a partial clone would fetch what is missing
    mkdirSync(join(repo, ".git/objects"));
    await look(repo);
    expect(existsSync(mark)).toBe(false);
  });

  test("a config that claims a folder elsewhere is not looked at there", async () => {
    const repo = repository(join(root, "repo"));
    mkdirSync(join(root, "private"));
    git(repo, "config", "core.worktree", join(root, "private"));
    expect(await look(repo)).toMatch(/^files:/);
  });
});

describe("a look ends, whatever lies there", () => {
  const pipes = [
    ".gitignore",
    ".gitattributes",
    "sub/.gitignore",
    "index",
    "HEAD",
    "config",
    "info/exclude",
    "packed-refs",
  ];

  test("a pipe where git expects a file costs seconds once, and nothing the next time", async () => {
    const cacheDirectory = join(root, "cache");
    const looks = async (repo: string) => {
      const began = performance.now();
      const seen = await createWorkspace({ clock: systemClock(), env, cacheDirectory }).observe(repo);
      expect(seen).toMatch(/^(files|git):/);
      return performance.now() - began;
    };
    const repos = pipes.map((name, at) => {
      const repo = repository(join(root, `repo${at}`));
      mkdirSync(join(repo, "sub"));
      writeFileSync(join(repo, "sub/b.txt"), "b");
      const path = join(repo, name.includes(".git") ? name : `.git/${name}`);
      rmSync(path, { force: true });
      execFileSync("mkfifo", [path]);
      return repo;
    });
    for (const took of await Promise.all(repos.map(looks))) expect(took).toBeLessThan(20_000);
    for (const repo of repos) expect(await looks(repo)).toBeLessThan(2_500);
  });
});

const COMMANDS =
  "core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand diff.external diff.x.command diff.x.textconv merge.x.driver filter.x.clean filter.x.process filter.x.smudge pager.status pager.config credential.helper gpg.program gpg.ssh.program sequence.editor interactive.diffFilter uploadpack.packObjectsHook remote.origin.uploadpack trailer.x.command browser.x.cmd man.x.cmd".split(
    " ",
  );
const OTHERS = [
  ["alias.status", "!RUN"],
  ["alias.config", "!RUN"],
  ["alias.rev-parse", "!RUN"],
  ["alias.ls-files", "!RUN"],
  ["core.hooksPath", "hooks"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ["protocol.file.allow", "always"],
  ["remote.origin.url", "ext::RUN"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.partialCloneFilter", "blob:none"],
  ["extensions.partialClone", "origin"],
  ["core.repositoryFormatVersion", "1"],
] as const;
const HOOKS = [
  "post-index-change",
  "fsmonitor-watchman",
  "post-checkout",
  "pre-auto-gc",
  "reference-transaction",
  "query-watchman",
];
