import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenedShell, openShell } from "./open-shell.ts";

let top = "";
let cwd = "";
let shell: OpenedShell & { status: "open" };
const env = () => ({
  PATH: process.env.PATH ?? "",
  HOME: join(top, "home"),
  TILDONE_HOME: join(top, "home/.t"),
  OPENAI_API_KEY: "sk-1",
});

beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "tildone-shell-")));
  cwd = join(top, "home/app");
  mkdirSync(cwd, { recursive: true });
  spawnSync("git", ["init", "-q", cwd]);
  shell = await open();
});
afterEach(() => {
  shell.dispose();
  rmSync(top, { recursive: true, force: true });
});

async function open(flags: Readonly<Record<string, string>> = {}): Promise<OpenedShell & { status: "open" }> {
  const opened = await openShell({
    cwd,
    env: env(),
    home: join(top, "home"),
    flags: { confine: "required", ...flags },
    shellPath: undefined,
  });
  if (opened.status === "refused") throw new Error(opened.problem);
  return opened;
}

async function bash(
  command: string,
  {
    timeout,
    signal,
    onData = () => {},
  }: { timeout?: number; signal?: AbortSignal; onData?: (text: string) => void } = {},
) {
  let out = "";
  const take = (data: Buffer) => {
    out += data;
    onData(out);
  };
  const more = { ...(timeout !== undefined && { timeout }), ...(signal && { signal }) };
  const ended = await shell.operations.exec(command, cwd, { onData: take, env: env(), ...more }).then(
    ({ exitCode }) => exitCode,
    (error: Error) => error.message,
  );
  return [ended, out.trim()] as const;
}

test("runs a command in the project, with its output and its exit code", async () => {
  expect(await bash("pwd; echo oops >&2; exit 7")).toEqual([7, expect.stringContaining(cwd)]);
  expect((await bash("pwd; echo oops >&2; exit 7"))[1]).toContain("oops");
  expect(await bash("kill -9 $$")).toEqual([137, "Killed"]);
  expect(await bash("seq 1 200000 | tail -1; seq 1 100000 | wc -c")).toEqual([0, "200000\n588895"]);
});

test("gives no key and nothing of the home folder to it", async () => {
  writeFileSync(join(top, "home/.netrc"), "secret");
  expect(await bash("echo key=$OPENAI_API_KEY; cat ~/.netrc 2>&1 | tail -c 26; ls -A ~")).toEqual([
    0,
    "key=\nNo such file or directory\napp",
  ]);
});

test("keeps what is in /tmp from one command to the next", async () => {
  await bash("echo kept > /tmp/note");
  expect(await bash("cat /tmp/note")).toEqual([0, "kept"]);
  shell.dispose();
  expect(readdirSync(join(top, "home/.t/confine/temp"))).toEqual([]);
});

test("prints while the command runs", async () => {
  const seen = Promise.withResolvers<void>();
  const fence = join(cwd, "go");
  const ended = bash(`echo first; until [ -e go ]; do sleep 0.05; done; echo second`, {
    onData: (text) => text.includes("first") && seen.resolve(),
  });
  await seen.promise;
  writeFileSync(fence, "");
  expect(await ended).toEqual([0, "first\nsecond"]);
});

test("ends a command that takes too long, and all it started", async () => {
  expect((await bash("(setsid sleep 4711 &) ; sleep 4711", { timeout: 0.5 }))[0]).toBe("timeout:0.5");
  await expect.poll(() => running("sleep\x004711")).toBe(false);
});

test("ends a command when it is aborted", async () => {
  const abort = new AbortController();
  const ended = bash("echo up; setsid sleep 4712 & sleep 4712", { signal: abort.signal, onData: () => abort.abort() });
  expect((await ended)[0]).toBe("aborted");
  await expect.poll(() => running("sleep\x004712")).toBe(false);
});

test("leaves a command in the background running when the shell is over", async () => {
  expect(
    await bash("(until [ -e stop ]; do date +%N > beat; sleep 0.05; done) >/dev/null 2>&1 & echo started"),
  ).toEqual([0, "started"]);
  await expect.poll(() => existsSync(join(cwd, "beat"))).toBe(true);
  const before = readFileSync(join(cwd, "beat"), "utf8");
  await expect.poll(() => readFileSync(join(cwd, "beat"), "utf8").trim() || before).not.toBe(before);
  await bash("touch stop");
});

test("commits with your name, and changes neither hooks nor configuration", async () => {
  spawnSync("git", ["config", "user.name", "Ada"], { cwd });
  spawnSync("git", ["config", "user.email", "ada@example.org"], { cwd });
  shell.dispose();
  shell = await open();
  expect((await bash("echo x > f && git add f && git commit -qm one && git log --format=%an"))[1]).toBe("Ada");
  for (const line of [
    "echo evil > .git/hooks/pre-commit",
    "git config core.pager evil",
    "mv .git .old",
    "rm -rf .git/hooks",
    "mv .git/hooks /tmp/h",
  ])
    expect([line, (await bash(line))[0]]).not.toEqual([line, 0]);
  await bash("mkdir evil && echo ../evil > .git/commondir");
  expect(existsSync(join(cwd, ".git/commondir"))).toBe(false);
});

test("says in a failed command what is confined", async () => {
  const [code, out] = await bash("echo x > /usr/x");
  expect([code, out]).toEqual([1, expect.stringContaining(`only ${cwd} and /tmp can be changed`)]);
});

test("works in a linked worktree, and believes no file that names another repository", async () => {
  spawnSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty"], { cwd });
  const tree = join(top, "home/tree");
  spawnSync("git", ["worktree", "add", "-q", tree], { cwd });
  shell.dispose();
  cwd = tree;
  shell = await open();
  const commit = "git -c user.name=A -c user.email=a@b commit -qm y --allow-empty && git log --format=%s | head -1";
  expect(await bash(commit)).toEqual([0, "y"]);
  expect((await bash("echo evil > $(git rev-parse --git-common-dir)/hooks/pre-commit"))[0]).not.toBe(0);
  shell.dispose();
  mkdirSync(join(top, "home/.ssh"));
  writeFileSync(join(top, "home/.ssh/HEAD"), "");
  cwd = join(top, "home/fake");
  mkdirSync(cwd);
  writeFileSync(join(cwd, ".git"), `gitdir: ${join(top, "home/.ssh")}\n`);
  shell = await open();
  expect((await bash("ls ~/.ssh"))[0]).not.toBe(0);
});

test("works in a submodule, and protects its repository", async () => {
  const commit = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty"];
  spawnSync("git", commit, { cwd });
  const around = join(top, "home/around");
  spawnSync("git", ["init", "-q", around]);
  spawnSync("git", ["-c", "protocol.file.allow=always", "submodule", "add", "-q", cwd, "deep/sub"], { cwd: around });
  shell.dispose();
  cwd = join(around, "deep/sub");
  shell = await open();
  expect(await bash(`git ${commit.join(" ")} && git log --format=%s | wc -l`)).toEqual([0, "2"]);
  for (const line of ["echo evil > $(git rev-parse --git-dir)/hooks/pre-commit", "git config core.pager evil"])
    expect([line, (await bash(line))[0]]).not.toEqual([line, 0]);
});

test("does not confine where git's hooks are a link that could be replaced", async () => {
  renameSync(join(cwd, ".git/hooks"), join(top, "home/hooks"));
  symlinkSync(join(top, "home/hooks"), join(cwd, ".git/hooks"));
  await expect(open()).rejects.toThrow(/hooks is a link.*`cp -rL /);
});

test("reaches no network where that is switched off", async () => {
  writeFileSync(join(top, "home/.t/config.yaml"), "confined:\n  network: false\n");
  shell.dispose();
  shell = await open();
  expect((await bash("cat /proc/net/dev | grep -vc lo:"))[1]).toBe("2");
});

test("starts nothing where `required` cannot be kept, and says so once where it is `auto`", async () => {
  const here = { cwd: join(top, "home"), env: env(), home: join(top, "home"), shellPath: undefined };
  expect(await openShell({ ...here, flags: { confine: "required" } })).toEqual({
    status: "refused",
    problem: expect.stringMatching(
      /^Nothing was started: .*home folder.* `cd <project>`\. `TILDONE_CONFINE=off` starts/,
    ),
  });
  expect(await openShell({ ...here, flags: { confine: "auto" } })).toMatchObject({
    status: "open",
    notice: expect.stringContaining("not confined"),
  });
  expect(await openShell({ ...here, flags: {} })).not.toHaveProperty("notice");
});

function running(words: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(words);
    } catch {
      return false;
    }
  });
}
