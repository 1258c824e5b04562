import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { projectTrust } from "../../../compose/index.ts";
import { readCommandFiles } from "./read-command-files.ts";

const says = (text: string) => `---\ndescription: ${text}\nmessage: ${text}\n---\n`;

function aPlace(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "tildone-commands-"));
  mkdirSync(join(root, "project"));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const here = { cwd: join(root, "project"), env: { TILDONE_HOME: join(root, "home") }, home: root };
  return {
    here,
    put,
    read: () => {
      const { commands, problems } = readCommandFiles(here, new Set(["taken"]), async () => "");
      return { commands: commands.map(({ name, description }) => `${name}: ${description}`), problems };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

test("no folders, no commands", () => {
  using place = aPlace({});
  expect(place.read()).toEqual({ commands: [], problems: [] });
});

test("a project's commands wait for trust, replace the user's of the same name, and wait again when one changes", async () => {
  using place = aPlace({
    "home/commands/a.md": says("user a"),
    "home/commands/b.md": says("user b"),
    "home/commands/notes.txt": "no command",
    "project/.tildone/commands/b.md": says("project b"),
  });
  const untrusted = {
    commands: ["a: user a", "b: user b"],
    problems: ["Not loaded until you trust this project (tildone trust): /b."],
  };
  expect(place.read()).toEqual(untrusted);
  (await projectTrust(place.here))?.trust();
  expect(place.read()).toEqual({ commands: ["a: user a", "b: project b"], problems: [] });
  place.put("project/.tildone/commands/b.md", says("another b"));
  expect(place.read()).toEqual(untrusted);
});

test("a mistake is named with its file, and the others are there", () => {
  using place = aPlace({
    "home/commands/good.md": says("good"),
    "home/commands/taken.md": says("mine"),
    "home/commands/yaml.md": "---\ndescription: [\n---\n",
  });
  const { commands, problems } = place.read();
  expect(commands).toEqual(["good: good"]);
  expect(problems).toEqual([
    expect.stringMatching(/taken\.md: a command of that name already exists/),
    expect.stringMatching(/yaml\.md: its header is not YAML: /),
  ]);
});
