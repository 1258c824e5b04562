import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import { createWorkspace } from "./create-workspace.ts";
import { createFileWalk } from "./file-walk.ts";

let home: string;
let root: string;
const clock = createFakeClock();
/** Long after any file changed: only then something is remembered by its times. */
const late = createFakeClock(Date.UTC(2100, 0));
const env = { PATH: process.env.PATH, HOME: "/nonexistent" };

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
  root = join(home, "project");
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (path: string, text = path): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const remove = (path: string): void => rmSync(join(root, path), { recursive: true });
const git = (...args: readonly string[]): void => gitIn(root, ...args);
const gitIn = (cwd: string, ...args: readonly string[]): void => {
  execFileSync(
    "git",
    [
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "-c",
      "protocol.file.allow=always",
      "-c",
      "init.defaultBranch=main",
      ...args,
    ],
    { cwd, env, stdio: "ignore" },
  );
};
const commit = (): void => {
  git("add", "-A");
  git("commit", "-qm", "x");
};

const places = {
  "a repository": () => git("init"),
  "a repository with sha256": () => git("init", "--object-format=sha256"),
  "a directory without git": () => {},
};

describe.each(Object.entries(places))("in %s", (_place, make) => {
  beforeEach(() => {
    make();
    write("a.txt", "one");
    write("dir/b.txt", "two");
  });

  test.each([
    ["a file's content changes", () => write("a.txt", "ONE")],
    ["a file appears", () => write("dir/new/c.txt")],
    ["a file goes", () => remove("a.txt")],
    ["a file moves", () => renameSync(join(root, "a.txt"), join(root, "z.txt"))],
    ["two files swap their content", () => [write("a.txt", "two"), write("dir/b.txt", "one")]],
    ["a file becomes executable", () => chmodSync(join(root, "a.txt"), 0o755)],
    ["a file becomes a link", () => [remove("a.txt"), symlinkSync("dir/b.txt", join(root, "a.txt"))]],
    ["a file becomes a directory", () => [remove("a.txt"), write("a.txt/inner")]],
    ["a name with a line break appears", () => write("new\nline")],
    ["a link that leads nowhere appears", () => symlinkSync("nowhere", join(root, "link"))],
  ])("%s: another state, and the same again when it is undone", async (_change, change) => {
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    expect(before).toBeDefined();
    change();
    const after = await workspace.observe(root);
    expect(after).not.toBe(before);
    expect(await createWorkspace({ clock, env }).observe(root)).toBe(after);
    rmSync(root, { recursive: true });
    mkdirSync(root);
    make();
    write("a.txt", "one");
    write("dir/b.txt", "two");
    expect(await workspace.observe(root)).toBe(before);
  });

  test("a file that is only touched changes nothing", async () => {
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    utimesSync(join(root, "a.txt"), 1, 1);
    expect(await workspace.observe(root)).toBe(before);
  });

  test("a huge file is known by its stat", async () => {
    const workspace = createWorkspace({ clock, env });
    write("huge");
    truncateSync(join(root, "huge"), 20 * 1024 * 1024);
    const before = await workspace.observe(root);
    expect(await workspace.observe(root)).toBe(before);
    truncateSync(join(root, "huge"), 21 * 1024 * 1024);
    expect(await workspace.observe(root)).not.toBe(before);
  });

  test("node_modules and .git count for nothing", async () => {
    write(".gitignore", "node_modules\n");
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    write("node_modules/x/index.js");
    if (existsSync(join(root, ".git"))) write(".git/some-file");
    expect(await workspace.observe(root)).toBe(before);
  });
});

describe("in a repository", () => {
  beforeEach(() => {
    git("init");
    write("a.txt", "one");
    write(".gitignore", "ignored\n");
  });

  test("staging and committing change nothing; amending and switching branches neither, while the files stay", async () => {
    const workspace = createWorkspace({ clock, env });
    const states = [await workspace.observe(root)];
    git("add", "-A");
    states.push(await workspace.observe(root));
    git("commit", "-qm", "first");
    states.push(await workspace.observe(root));
    git("commit", "--amend", "-qm", "other words");
    states.push(await workspace.observe(root), await createWorkspace({ clock, env }).observe(root));
    git("checkout", "-qb", "other");
    states.push(await workspace.observe(root));
    expect(new Set(states).size).toBe(1);
  });

  test("a change, then its commit, then another commit: one state each", async () => {
    const workspace = createWorkspace({ clock, env });
    commit();
    const first = await workspace.observe(root);
    write("b.txt", "new");
    const second = await workspace.observe(root);
    commit();
    expect(await workspace.observe(root)).toBe(second);
    remove("b.txt");
    commit();
    expect(await workspace.observe(root)).toBe(first);
  });

  test("what is staged and then changed again counts as it stands in the file", async () => {
    const workspace = createWorkspace({ clock, env });
    commit();
    write("a.txt", "three");
    const three = await workspace.observe(root);
    write("a.txt", "two");
    git("add", "-A");
    write("a.txt", "three");
    expect(await workspace.observe(root)).toBe(three);
    git("rm", "-qf", "--cached", "a.txt");
    expect(await workspace.observe(root)).toBe(three);
  });

  test("ignored files count for nothing", async () => {
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    write("ignored/x");
    expect(await workspace.observe(root)).toBe(before);
  });

  test("a conflict is a state, and its solution another", async () => {
    const workspace = createWorkspace({ clock, env });
    commit();
    git("checkout", "-qb", "side");
    write("a.txt", "side");
    commit();
    git("checkout", "-q", "main");
    write("a.txt", "main");
    commit();
    const before = await workspace.observe(root);
    expect(() => git("merge", "side")).toThrow();
    const conflict = await workspace.observe(root);
    write("a.txt", "main");
    expect(await workspace.observe(root)).toBe(before);
    expect(conflict).not.toBe(before);
  });

  test("from a directory inside, the whole repository counts", async () => {
    write("inner/x");
    commit();
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(join(root, "inner"));
    write("outside.txt");
    expect(await workspace.observe(join(root, "inner"))).not.toBe(before);
  });

  test("in a directory that the repository does not know yet, only that directory counts", async () => {
    commit();
    mkdirSync(join(root, "fresh"));
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(join(root, "fresh"));
    write("elsewhere.txt");
    expect(await workspace.observe(join(root, "fresh"))).toBe(before);
    write("fresh/x");
    expect(await workspace.observe(join(root, "fresh"))).not.toBe(before);
  });

  test("an ignored directory is walked", async () => {
    write("ignored/x", "1");
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(join(root, "ignored"));
    expect(before).toMatch(/^files:/);
    write("ignored/x", "2");
    expect(await workspace.observe(join(root, "ignored"))).not.toBe(before);
  });

  test("submodules and repositories within are looked into", async () => {
    const library = join(home, "library");
    mkdirSync(library);
    gitIn(library, "init");
    gitIn(library, "commit", "-q", "--allow-empty", "-m", "x");
    git("submodule", "add", "-q", library, "lib");
    commit();
    mkdirSync(join(root, "nested"));
    gitIn(join(root, "nested"), "init");
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    write("lib/new.txt");
    const inSubmodule = await workspace.observe(root);
    write("nested/new.txt");
    const inNested = await workspace.observe(root);
    expect(new Set([before, inSubmodule, inNested]).size).toBe(3);
    gitIn(join(root, "lib"), "add", "-A");
    gitIn(join(root, "lib"), "commit", "-qm", "y");
    expect(await workspace.observe(root)).toBe(inNested);
    git("add", "lib");
    git("commit", "-qm", "z");
    expect(await workspace.observe(root)).toBe(inNested);
    remove("lib/new.txt");
    remove("nested/new.txt");
    expect(await workspace.observe(root)).toBe(before);
  });

  test("nothing of the repository is carried out and nothing in it is written", async () => {
    commit();
    const hook = join(root, ".git/hook.sh");
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(home, "ran")}\ncat\n`, { mode: 0o755 });
    for (const name of [
      "core.fsmonitor",
      "filter.evil.clean",
      "filter.evil.process",
      "diff.evil.command",
      "core.pager",
    ])
      git("config", name, hook);
    git("config", "diff.external", hook);
    write(".gitattributes", "* filter=evil diff=evil\n");
    write("a.txt", "changed");
    writeFileSync(join(root, ".git/index.lock"), "");
    const before = readdirSync(join(root, ".git")).sort();
    expect(await createWorkspace({ clock, env }).observe(root)).toMatch(/^git:/);
    expect(existsSync(join(home, "ran"))).toBe(false);
    expect(readdirSync(join(root, ".git")).sort()).toEqual(before);
  });

  test.each(["--assume-unchanged", "--skip-worktree"])(
    "a change that git was told not to see (%s) is seen",
    async (how) => {
      commit();
      git("update-index", how, "a.txt");
      const workspace = createWorkspace({ clock, env });
      const before = await workspace.observe(root);
      write("a.txt", "hidden");
      expect(await workspace.observe(root)).not.toBe(before);
      write("a.txt", "one");
      expect(await workspace.observe(root)).toBe(before);
    },
  );

  test("node_modules that git does not ignore counts for nothing", async () => {
    const workspace = createWorkspace({ clock, env });
    const before = await workspace.observe(root);
    write("node_modules/x/index.js");
    write("inner/node_modules/y.js");
    expect(await workspace.observe(root)).toBe(before);
  });

  test("variables that point git elsewhere are not heard", async () => {
    commit();
    const plain = await createWorkspace({ clock, env }).observe(root);
    const led = { ...env, GIT_DIR: "/nonexistent", GIT_WORK_TREE: "/", GIT_INDEX_FILE: "/nonexistent" };
    expect(await createWorkspace({ clock, env: led }).observe(root)).toBe(plain);
  });

  test("what is kept between processes gives the same state, and a damaged one is as good as none", async () => {
    commit();
    const cacheDirectory = join(home, "cache");
    const plain = await createWorkspace({ clock, env }).observe(root);
    expect(await createWorkspace({ clock: late, env, cacheDirectory }).observe(root)).toBe(plain);
    expect(await createWorkspace({ clock: late, env, cacheDirectory }).observe(root)).toBe(plain);
    write("c.txt");
    commit();
    const moved = await createWorkspace({ clock, env }).observe(root);
    expect(await createWorkspace({ clock: late, env, cacheDirectory }).observe(root)).toBe(moved);
    for (const name of readdirSync(cacheDirectory)) writeFileSync(join(cacheDirectory, name), '{"v":1,"commit":"x"');
    expect(await createWorkspace({ clock: late, env, cacheDirectory }).observe(root)).toBe(moved);
  });

  test("the next process asks git only for what changed", async () => {
    commit();
    const asked = join(home, "asked");
    const bin = join(home, "bin");
    mkdirSync(bin);
    const real = execFileSync("sh", ["-c", "command -v git"], { env, encoding: "utf8" }).trim();
    const wrapper = `#!/bin/sh\nfor word; do case $word in -c|*=*) ;; *) echo $word >> ${asked}; break;; esac; done\nexec ${real} "$@"\n`;
    writeFileSync(join(bin, "git"), wrapper, { mode: 0o755 });
    const look = () =>
      createWorkspace({
        clock: late,
        env: { ...env, PATH: `${bin}:${env.PATH}` },
        cacheDirectory: join(home, "cache"),
      }).observe(root);
    const before = await look();
    rmSync(asked);
    expect(await look()).toBe(before);
    expect(readFileSync(asked, "utf8").trim().split("\n")).toEqual(["status"]);
  });

  test("what is kept of a repository is worth nothing once its config names a filter", async () => {
    commit();
    const cacheDirectory = join(home, "cache");
    await createWorkspace({ clock: late, env, cacheDirectory }).observe(root);
    const filter = join(home, "filter");
    writeFileSync(filter, `#!/bin/sh\ntouch ${join(home, "ran")}\ncat\n`, { mode: 0o755 });
    git("config", "filter.evil.clean", filter);
    write(".gitattributes", "* filter=evil\n");
    write("a.txt", "changed");
    expect(await createWorkspace({ clock: late, env, cacheDirectory }).observe(root)).toMatch(/^git:/);
    expect(existsSync(join(home, "ran"))).toBe(false);
  });
});

describe("when git is no help", () => {
  beforeEach(() => {
    git("init");
    write("a.txt", "one");
    commit();
  });

  test("without git the files are walked", async () => {
    expect(await createWorkspace({ clock, env: { PATH: "/nonexistent" } }).observe(root)).toMatch(/^files:/);
  });

  test("in a broken repository the files are walked", async () => {
    rmSync(join(root, ".git/HEAD"));
    expect(await createWorkspace({ clock, env }).observe(root)).toMatch(/^files:/);
  });

  test("a git that never answers is given up", async () => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 300\n", { mode: 0o755 });
    const time = createFakeClock();
    const state = createWorkspace({ clock: time, env: { PATH: `${bin}:${env.PATH}` } }).observe(root);
    await time.settle();
    await time.advance(30_000);
    expect(await state).toMatch(/^files:/);
    expect(time.pending).toBe(0);
  });

  test("a repository that is removed or made while the run continues is seen", async () => {
    const workspace = createWorkspace({ clock, env });
    expect(await workspace.observe(root)).toMatch(/^git:/);
    remove(".git");
    expect(await workspace.observe(root)).toMatch(/^files:/);
    git("init");
    expect(await workspace.observe(root)).toMatch(/^git:/);
  });

  test("a directory that is not there has no state", async () => {
    expect(await createWorkspace({ clock, env }).observe(join(home, "nowhere"))).toBeUndefined();
  });
});

test("a walk ends at its bound, at the same place each time", async () => {
  for (const name of ["a", "b", "c", "d"]) write(name);
  const walk = () => createFileWalk(clock, root, 2).observe();
  const before = await walk();
  write("d", "beyond the bound");
  expect(await walk()).toBe(before);
  write("b", "within it");
  expect(await walk()).not.toBe(before);
});
