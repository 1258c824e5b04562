import { existsSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Command } from "../src/cli/command.ts";
import { ALIASES, COMMANDS } from "../src/cli/commands.ts";
import { parse } from "../src/cli/parse.ts";
import { commandsOf, PAGES, type ShownCommand } from "./builders/doc-commands.ts";

const shown = PAGES.flatMap(commandsOf);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
const unique = (commands: readonly ShownCommand[]) => [...new Map(commands.map((one) => [one.line, one])).values()];

/** Every call of tildone in a line: after `nohup`, in a subshell, before a pipe. */
const calls = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|[(;&|] *|nohup )(?:npx )?tildone((?:"[^"]*"|'[^']*'|[^|&;()'"])*)/g)].map(
    ([, rest]) => rest!,
  );

/** As a shell splits it; `<run>` and `[call]` stand for one word. */
const words = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|\[[^\]]*\]|<[^>]*>|[^\s"'<[])+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ""),
  );

/** Not for a shell, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "tildone workflow bugfix the login fails": "typed in the prompt of a host",
  "npm run dev &": "a command of the reader's project",
};
const typed = unique(shown).filter(({ line }) => !Object.hasOwn(ELSEWHERE, line));
const tildoneLines = typed.filter(({ line }) => calls(line).length > 0);
const commands = new Map<string, Command>();
beforeAll(async () => {
  for (const [name, load] of Object.entries(COMMANDS)) commands.set(name, await load());
}, 600_000);

test.each(tildoneLines)("tildone accepts what $page shows: $line", ({ line, isBlock }) => {
  for (const call of calls(line)) {
    const [name, ...args] = words(call);
    if (name === undefined || name === "help" || name.startsWith("--version")) continue;
    const command = commands.get(ALIASES[name] ?? name);
    if (!command) throw new Error(`there is no command ${name}`);
    // In a sentence `--host` may stand for all of its values.
    const whole = isBlock || !takesValue(command, args.at(-1)) ? args : [...args, "<value>"];
    if (!command.passesOn) expect(() => parse(command, whole)).not.toThrow();
  }
});

const takesValue = ({ options }: Command, word = ""): boolean => options[word.replace(/^--/, "")]?.type === "string";

test("every exception is still on a page", () =>
  expect(Object.keys(ELSEWHERE).filter((line) => !shown.some((one) => one.line === line))).toEqual([]));

test("the lines are read as a shell reads them", () => {
  expect(tildoneLines.length).toBeGreaterThan(60);
  expect(calls('nohup tildone run "a & b" --check "npm test" &')).toEqual([' run "a & b" --check "npm test" ']);
  expect(calls("(cd ../x && tildone hold --all &)")).toEqual([" hold --all "]);
  expect(words(' deny [call] --words "why not" <run>')).toEqual(["deny", "[call]", "--words", "why not", "<run>"]);
});

const runScript = /npm run ([\w:-]+)/;
test.each(typed.filter(({ line }) => runScript.test(line)))("$page: $line is a script", ({ line }) =>
  expect(Object.keys(scripts)).toContain(runScript.exec(line)![1]),
);

const ownFile = /^node (\S+)/;
test.each(typed.filter(({ line }) => ownFile.test(line)))("$page: $line names a file", ({ line }) =>
  expect(existsSync(ownFile.exec(line)![1]!)).toBe(true),
);
