import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { describeTrust, projectTrust } from "../../src/compose/index.ts";
import { startScriptedModel } from "../../src/testing/index.ts";
import { makeHome } from "../builders/home.ts";
import { aPlace, type Place } from "../e2e/agent/tildone.ts";
import { openSandbox } from "../e2e/pi/sandbox.ts";
import { openTerminal } from "../e2e/pi/terminal.ts";

const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
};

/** Every way by which pi would run something of a project, each leaving a file of its own behind. */
function plant(project: string, marks: string): void {
  const runs = (name: string) =>
    `import { writeFileSync } from "node:fs";\nexport default () => writeFileSync(${JSON.stringify(join(marks, name))}, "");\n`;
  write(join(project, ".pi/extensions/auto.ts"), runs("auto"));
  write(join(project, ".pi/extensions/folder/index.ts"), runs("folder"));
  write(join(project, "tools/named.ts"), runs("named"));
  write(join(project, "pack/package.json"), '{"name":"pack","pi":{"extensions":["./it.ts"]}}');
  write(join(project, "pack/it.ts"), runs("pack"));
  write(join(project, "tools/sh"), `#!/bin/sh\ntouch '${join(marks, "shell")}'\nexec /bin/sh "$@"\n`, 0o755);
  write(
    join(project, ".pi/settings.json"),
    JSON.stringify({
      extensions: ["../tools/named.ts"],
      packages: ["../pack"],
      shellPath: join(project, "tools/sh"),
      shellCommandPrefix: `touch '${join(marks, "prefix")}'`,
    }),
  );
  write(join(project, ".pi/APPEND_SYSTEM.md"), "MARK-SYSTEM");
  write(join(project, ".pi/skills/evil/SKILL.md"), "---\nname: evil\ndescription: MARK-SKILL\n---\nx");
  write(join(project, ".agents/skills/other/SKILL.md"), "---\nname: other\ndescription: MARK-AGENTS\n---\nx");
}

const marksIn = (folder: string) =>
  ["auto", "folder", "named", "pack", "prefix", "shell"].filter((name) => existsSync(join(folder, name)));

async function runOnce(place: Place): Promise<{ out: string; told: string }> {
  const provider = await startScriptedModel((_request, count) =>
    count === 1
      ? {
          calls: [
            ["write_todos", { mode: "replace", todos: [{ text: "a" }] }],
            ["bash", { command: "echo hi > hi.txt" }],
            ["edit_todos", { action: "complete", indices: [0] }],
          ],
        }
      : { text: "done" },
  );
  const { out, err } = await place.tildone(
    "run",
    "go",
    "--base-url",
    `${provider.url}/v1`,
    "--model",
    "scripted",
    "--approval",
    "yolo",
  );
  const told = JSON.stringify(provider.requests.map(({ messages }) => messages));
  await provider.close();
  return { out: out + err, told };
}

describe("a cloned folder", () => {
  test("tildone run executes and loads nothing of it until you trust it, and says so in one line", async () => {
    await using place = aPlace();
    const marks = join(dirname(place.project), "marks");
    mkdirSync(marks);
    plant(place.project, marks);
    const before = await runOnce(place);
    expect(existsSync(join(place.project, "hi.txt"))).toBe(true);
    expect(marksIn(marks)).toEqual([]);
    expect(before.told).not.toMatch(/MARK-/);
    expect(before.out.match(/Not loaded, because you have not trusted this project: .*tildone trust/g)).toHaveLength(1);

    const shown = await place.tildone("trust", "--show");
    for (const text of [
      "tools/named.ts",
      "pack/it.ts",
      "shellCommandPrefix",
      'writeFileSync("',
      "MARK-SYSTEM",
      "exec /bin/sh",
    ])
      expect(shown.out).toContain(text);
    expect((await place.tildone("trust", "--yes")).code).toBe(0);
    const after = await runOnce(place);
    expect(marksIn(marks)).toEqual(["auto", "folder", "named", "pack", "prefix", "shell"]);
    expect(after.out).not.toContain("Not loaded");

    for (const mark of marksIn(marks)) rmSync(join(marks, mark));
    write(join(place.project, "pack/it.ts"), "// changed\nexport default () => {};\n");
    await runOnce(place);
    expect(marksIn(marks)).toEqual([]);
  });

  test.each<[string, (project: string, outside: string) => void]>([
    ["a link to a key of yours", (project, outside) => symlinkSync(outside, join(project, "AGENTS.md"))],
    ["a pipe", (project) => execFileSync("mkfifo", [join(project, "CLAUDE.md")])],
  ])("its words for the model are not read where they are %s", async (_what, lay) => {
    await using place = aPlace();
    const key = join(dirname(place.project), "key");
    write(key, "MARK-KEY");
    lay(place.project, key);
    const { out, told } = await runOnce(place);
    expect(told).not.toContain("MARK-KEY");
    expect(out).toContain("AGENTS.md is not read");
  });

  test.each([
    ["n", false],
    ["y", true],
  ])("the terminal shows what would run and asks; after %s it runs: %s", async (answer, runs) => {
    await using box = await openSandbox({ script: () => ({ text: "hello" }), bare: true });
    const mark = join(box.root, "mark");
    write(
      join(box.cwd, ".pi/extensions/evil.ts"),
      `import { writeFileSync } from "node:fs";\nexport default () => writeFileSync("${mark}", "");`,
    );
    const argv = [resolve("bin/tildone.js"), "chat", "--provider", "scripted", "--model", "m", "--no-session"];
    using terminal = openTerminal({ ...box, argv, size: { columns: 100, rows: 30 } });
    await terminal.shows(/\.pi\/extensions\/evil\.ts[\s\S]*export default[\s\S]*Trust them\? \[y\/N\]/);
    expect(existsSync(mark)).toBe(false);
    terminal.keys(answer, "Enter");
    await terminal.shows(/continuation on/);
    expect(existsSync(mark)).toBe(runs);
  });
});

describe("trust is of content", () => {
  const standing = async (home: ReturnType<typeof makeHome>) =>
    (await projectTrust({ cwd: home.cwd, env: {}, home: home.home }))!;

  test.each<[string, string]>([
    ["a file behind a link", "lib/real.ts"],
    ["a file in a folder behind a link", "shared/deep/x.ts"],
    ["a file that the settings name", "tools/x.ts"],
    ["a prompt", ".pi/prompts/p.md"],
    ["a workflow", ".tildone/workflows/w/one.md"],
    ["a skill", ".agents/skills/s/SKILL.md"],
  ])("%s that changes is noticed", async (_what, path) => {
    const home = makeHome({ [`project/${path}`]: "before" });
    home.write("project/.pi/settings.json", '{"extensions":["../tools"]}');
    mkdirSync(join(home.cwd, ".pi/extensions"), { recursive: true });
    symlinkSync("../../lib/real.ts", join(home.cwd, ".pi/extensions/link.ts"));
    symlinkSync("../../shared", join(home.cwd, ".pi/extensions/linked"));
    mkdirSync(join(home.cwd, "lib"), { recursive: true });
    mkdirSync(join(home.cwd, "shared"), { recursive: true });
    if (!existsSync(join(home.cwd, "lib/real.ts"))) home.write("project/lib/real.ts", "x");
    expect((await standing(home)).trust()).toBe(true);
    expect((await standing(home)).untrusted).toEqual([]);
    home.write(`project/${path}`, "after");
    expect((await standing(home)).untrusted).not.toEqual([]);
    home.remove();
  });

  test("a link that leads elsewhere is noticed, even to what is trusted already", async () => {
    const home = makeHome({ "project/.pi/extensions/a.ts": "a", "project/.pi/extensions/b.ts": "b" });
    symlinkSync("a.ts", join(home.cwd, ".pi/extensions/c.ts"));
    (await standing(home)).trust();
    rmSync(join(home.cwd, ".pi/extensions/c.ts"));
    symlinkSync("b.ts", join(home.cwd, ".pi/extensions/c.ts"));
    expect((await standing(home)).untrusted).toEqual([".pi/extensions/c.ts", ".pi/extensions/c.ts (linked)"]);
    home.remove();
  });

  test.each<[string, (cwd: string, outside: string) => void]>([
    [
      "a link to a file outside",
      (cwd, outside) => symlinkSync(join(outside, "secret"), join(cwd, ".pi/extensions/x.ts")),
    ],
    ["a link to a folder outside", (cwd, outside) => symlinkSync(outside, join(cwd, ".pi/extensions/x"))],
    ["a link to nowhere", (cwd) => symlinkSync("nowhere", join(cwd, ".pi/extensions/x.ts"))],
    ["a link to itself", (cwd) => symlinkSync("x.ts", join(cwd, ".pi/extensions/x.ts"))],
    ["a pipe", (cwd) => execFileSync("mkfifo", [join(cwd, ".pi/extensions/x.ts")])],
    [
      "a link to a pipe",
      (cwd) => {
        execFileSync("mkfifo", [join(cwd, "pipe")]);
        symlinkSync("../../pipe", join(cwd, ".pi/extensions/x.ts"));
      },
    ],
    ["a device", (cwd) => symlinkSync("/dev/zero", join(cwd, ".pi/extensions/x.ts"))],
    [
      "a folder around itself",
      (cwd) => {
        symlinkSync("..", join(cwd, ".pi/extensions/up"));
        symlinkSync("/", join(cwd, ".pi/extensions/x"));
      },
    ],
  ])("%s is never trusted and never read", async (_what, lay) => {
    const home = makeHome({ "secret/secret": "DO NOT SHOW", "project/.pi/extensions/a.ts": "a" });
    lay(home.cwd, join(home.place, "secret"));
    const project = await standing(home);
    expect(project.trust()).toBe(false);
    expect(describeTrust(project).join("\n")).not.toContain("DO NOT SHOW");
    expect((await standing(home)).untrusted.some((path) => path.includes("extensions/x"))).toBe(true);
    home.remove();
  });

  test("what cannot be seen is written out", async () => {
    const home = makeHome({ "project/.pi/extensions/a\u202Egpj.ts": "a \u001b[2J\u200b\u009b b\r\n" });
    const shown = describeTrust(await standing(home)).join("\n");
    expect(shown).toContain("a\\u202egpj.ts");
    expect(shown).toContain("a \\u001b[2J\\u200b\\u009b b\\u000d");
    home.remove();
  });

  test("a no is kept until something changes", async () => {
    const home = makeHome({ "project/.pi/extensions/a.ts": "a" });
    (await standing(home)).decline();
    expect((await standing(home)).isDeclined).toBe(true);
    home.write("project/.pi/extensions/a.ts", "b");
    expect((await standing(home)).isDeclined).toBe(false);
    expect(readFileSync(join(home.cwd, ".pi/extensions/a.ts"), "utf8")).toBe("b");
    home.remove();
  });
});
