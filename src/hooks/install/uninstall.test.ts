import { expect, test } from "vitest";
import { dialectOf, placesOf } from "../../../test/builders/hook-hosts.ts";
import fc from "../../../test/builders/properties.ts";
import { HOOK_HOSTS, type HookHostName } from "../../config/index.ts";
import { HOOK_PROFILES } from "../../hosts/index.ts";
import { fileEdits, type Want } from "./file-edits.ts";
import type { FileMemory } from "./json-editor.ts";

const HOSTS = HOOK_HOSTS;
const LAUNCH = { node: "/n/node", hookEntry: "/t/bin/tildone-hook.js", cliEntry: "/t/bin/tildone.js" };
const PLACES = Object.fromEntries(
  HOSTS.map((host) => [host, placesOf(host, "user", { env: {}, home: "/home/me", cwd: "/p" })]),
) as Record<HookHostName, ReturnType<typeof placesOf>>;

type Files = ReadonlyMap<string, string | undefined>;
interface Machine {
  readonly files: Files;
  readonly memories: ReadonlyMap<string, FileMemory>;
}

function edited({ files, memories }: Machine, host: HookHostName, want: Want, launch = LAUNCH): Machine {
  const nextFiles = new Map(files);
  const nextMemories = new Map(memories);
  for (const { path, edit } of fileEdits(HOOK_PROFILES[host], PLACES[host], launch, want, (path) => files.get(path))) {
    const before = files.get(path);
    if (want === "out" && before === undefined) continue;
    const result = edit(before, memories.get(path));
    if (!result.ok) throw new Error(`${path}: ${result.problem}\n${before}`);
    nextFiles.set(path, result.text);
    if (result.text !== before) nextMemories.set(path, result.memory);
  }
  return { files: nextFiles, memories: nextMemories };
}

/** Literals that a parser and a printer would change. */
const scalar = fc.oneof(
  fc.constantFrom(
    "1.0e3",
    "12345678901234567890123",
    "-0",
    "1E+5",
    "0.10",
    "true",
    "null",
    '"\\u0041\\/"',
    '"tildone-hook.js"',
  ),
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
);
const JSON_BLANKS = ["", "", " ", "\n", "\n  ", "\n\t\t", " /* , } */ ", " // no, [\n", "\n\n    "] as const;
const blank = fc.constantFrom(...JSON_BLANKS);

/** A value as you may have written it; `§` is a name that occurs nowhere else. */
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }).chain((values) => inBrackets("[]", values)),
    fc.array(fc.tuple(fc.constant('"§"'), tie("value")), { maxLength: 3 }).chain((pairs) => objectOf(pairs)),
  ),
})).value;

function inBrackets([open, close]: string, parts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(blank, blank), { minLength: parts.length + 1, maxLength: parts.length + 1 }), fc.boolean())
    .map(([blanks, hasTrailingComma]) => {
      const body = parts.map((part, at) => blanks[at]![0] + part + blanks[at]![1]).join(",");
      return open + body + (hasTrailingComma && parts.length > 0 ? "," : "") + blanks.at(-1)![0] + close;
    });
}
const objectOf = (pairs: readonly (readonly [string, string])[]): fc.Arbitrary<string> =>
  fc.array(fc.tuple(blank, blank), { minLength: pairs.length, maxLength: pairs.length }).chain((blanks) =>
    inBrackets(
      "{}",
      pairs.map(([key, value], at) => `${key}${blanks[at]![0]}:${blanks[at]![1]}${value}`),
    ),
  );

const listOf = (part: fc.Arbitrary<string>) => fc.array(part, { maxLength: 2 }).chain((all) => inBrackets("[]", all));
const handler = fc
  .constantFrom("bell", "sh -c 'node /x/tildone-hook.js codex stop'", "node /x/tildone-hook.js.bak codex stop")
  .chain((command) =>
    objectOf([
      ['"type"', '"command"'],
      ['"command"', JSON.stringify(command)],
    ]),
  );
const group = listOf(handler).chain((hooks) =>
  fc.constantFrom([], [['"matcher"', '"Bash"'] as const]).chain((more) => objectOf([...more, ['"hooks"', hooks]])),
);
const some = (key: string, value: fc.Arbitrary<string>) =>
  fc
    .option(value, { nil: undefined })
    .map((text) => (text === undefined ? [] : [[JSON.stringify(key), text] as const]));

const settings = (host: HookHostName): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(
        json.map((value) => ['"§"', value] as const),
        { maxLength: 3 },
      ),
      some(
        "hooks",
        fc.tuple(...momentsOf(host).map((name) => some(name, listOf(group)))).chain((all) => objectOf(all.flat())),
      ),
      some(
        "permissions",
        some("allow", listOf(fc.constantFrom('"Bash(ls)"', '"mcp__tildone"', '"mcp__tildone__x"'))).chain((allow) =>
          objectOf(allow),
        ),
      ),
      some(
        "tools",
        some("allowed", listOf(fc.constant('"write_todos"'))).chain((allowed) => objectOf(allowed)),
      ),
      some(
        "mcpServers",
        some("other", objectOf([['"command"', '"x"']])).chain((other) => objectOf(other)),
      ),
      fc.constantFrom("", "\uFEFF"),
      fc.constantFrom("", "\n", "\n// end\n"),
    )
    .chain(([others, hooks, permissions, tools, servers, bom, end]) =>
      fc
        .shuffledSubarray([...others, ...hooks, ...permissions, ...tools, ...servers], { minLength: 0 })
        .chain(objectOf)
        .map((text) => bom + text + end),
    )
    .map(withNames);
/** The moments that come first, in the middle and last. */
const momentsOf = (host: HookHostName): readonly string[] =>
  Object.values(dialectOf(host).names)
    .flat()
    .filter((_, at) => at % 3 === 0);

const withNames = (text: string): string => {
  let count = 0;
  return text.replaceAll("§", () => `name${count++}x`);
};

const tomlLine = fc.constantFrom(
  "a§ = 1_000",
  'b§ = """\n[mcp_servers.tildone]\n"""',
  "c§ = [ # no ]\n  1.0e3,\n]",
  "d§.e = { x = '}' }",
  "# a comment [x]",
  "",
  "[t§]",
  '[t§."q.r"]',
  "[[l§]]",
  '[mcp_servers.other§]\ncommand = "x"',
  '[hooks.state."/elsewhere§/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"',
);
const toml = fc
  .tuple(fc.array(tomlLine, { maxLength: 8 }), fc.boolean())
  .map(([lines, hasEnd]) => withNames(lines.join("\n") + (hasEnd ? "\n" : "")));

/** What you may do to a file, the same whether we are in it or not. */
type Later = (text: string) => string;
const later: fc.Arbitrary<Later> = fc.oneof(
  fc.nat(9).map(
    (at): Later =>
      (text) =>
        text.replace(`"name${at}x"`, '"renamed"'),
  ),
  fc.nat(9).map(
    (at): Later =>
      (text) =>
        text.replace(`"name${at}x"`, `"added${at}": [1.50, {}], "name${at}x"`),
  ),
  fc.nat(9).map(
    (at): Later =>
      (text) =>
        text.replace(`"name${at}x"`, `/* later */ "name${at}x"`),
  ),
  fc.nat(9).map(
    (at): Later =>
      (text) =>
        text.replace(`"name${at}x"`, `// later\n"name${at}x"`),
  ),
  fc.nat(9).map(
    (at): Later =>
      (text) =>
        text.replace(`name${at}x = `, `name${at}x  =   `),
  ),
  fc.constant<Later>((text) => (text.startsWith("{") ? `// first\n${text}` : text)),
);

const crlf = (text: string | undefined): string | undefined => text?.replaceAll(/\r?\n/g, "\r\n");

test.each(HOSTS)(
  "%s: install, later edits and uninstall leave every byte of others as it would be without us",
  (host) => {
    const paths = [...new Set([PLACES[host].hooks, PLACES[host].servers])];
    const file = (path: string) => fc.option(path.endsWith(".toml") ? toml : settings(host), { nil: undefined });
    fc.assert(
      fc.property(
        fc.tuple(...paths.map(file)),
        fc.array(later, { maxLength: 4 }),
        fc.constantFrom("never", "before", "after"),
        fc.boolean(),
        (texts, edits, whenCrlf, isUpgraded) => {
          const given = new Map(paths.map((path, at) => [path, whenCrlf === "before" ? crlf(texts[at]) : texts[at]]));
          const applied = (files: Files): Files =>
            new Map(
              [...files].map(([path, text]) => {
                const next = given.get(path) === undefined ? text : edits.reduce((rest, edit) => edit(rest), text!);
                return [path, whenCrlf === "after" ? crlf(next) : next];
              }),
            );
          let machine = edited({ files: given, memories: new Map() }, host, "in");
          machine = { ...machine, files: applied(machine.files) };
          if (isUpgraded) machine = edited(machine, host, "in", { ...LAUNCH, node: "/newer/node" });
          const twice = edited(machine, host, "in", isUpgraded ? { ...LAUNCH, node: "/newer/node" } : LAUNCH);
          expect(twice.files).toEqual(machine.files);
          const out = edited(machine, host, "out").files;
          const expected = applied(given);
          for (const path of paths) expect(JSON.stringify(out.get(path))).toBe(JSON.stringify(expected.get(path)));
          expect([...out].filter(([path]) => !paths.includes(path)).map(([, text]) => text)).toEqual(
            host === "gemini" ? [undefined] : [],
          );
        },
      ),
      { numRuns: Number(process.env.TILDONE_RUNS ?? 100) },
    );
  },
);

/** Files by name, in the folder of the host. */
const machine = (host: HookHostName, texts: Readonly<Record<string, string>>): Machine => ({
  files: new Map(Object.entries(texts).map(([name, text]) => [pathOf(host, name), text])),
  memories: new Map(),
});
const pathOf = (host: HookHostName, name: string): string =>
  [PLACES[host].hooks, PLACES[host].servers].find((path) => path.endsWith(name))!;
const change = (
  host: HookHostName,
  { files, memories }: Machine,
  name: string,
  by: (text: string) => string,
): Machine => {
  const path = pathOf(host, name);
  return { files: new Map([...files, [path, by(files.get(path)!)]]), memories };
};
const textIn = (host: HookHostName, { files }: Machine, name: string): string | undefined =>
  files.get(pathOf(host, name));

test("a hook that shares our group stays, and so does one that calls ours in a script of theirs", () => {
  let codex = edited(machine("codex", {}), "codex", "in");
  codex = change("codex", codex, "hooks.json", (text) =>
    text.replace(/(codex stop",\s*"timeout": 60\s*\})/, '$1, {"type":"command","command":"bell"}'),
  );
  codex = edited(codex, "codex", "out");
  expect(JSON.parse(textIn("codex", codex, "hooks.json")!)).toEqual({
    hooks: { Stop: [{ hooks: [{ type: "command", command: "bell" }] }] },
  });
});

test.each(["mcp__tildone", "write_todos"])("your own rule %s stays", (rule) => {
  const own = `{"permissions":{"allow":["${rule}"]},"tools":{"allowed":["${rule}"]}}`;
  for (const host of ["claude-code", "gemini"] as const) {
    const both = edited(edited(machine(host, { "settings.json": own }), host, "in"), host, "out");
    expect(textIn(host, both, "settings.json")).toBe(own);
  }
});

test("without our memory of it only what is certainly ours goes", () => {
  const own = '{\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n';
  const { files } = edited(machine("claude-code", { "settings.json": own }), "claude-code", "in");
  const out = edited({ files, memories: new Map() }, "claude-code", "out");
  expect(textIn("claude-code", out, "settings.json")).toBe(own);
});

test.each<HookHostName>(["claude-code", "gemini"])(
  "%s: a server of that name that you wrote is neither changed nor removed",
  (host) => {
    const own = '{"mcpServers":{"tildone":{"command":"tildone","args":["mcp"]}}}';
    const name = host === "gemini" ? "settings.json" : ".claude.json";
    const given = machine(host, { [name]: own });
    expect(() => edited(given, host, "in")).toThrow('has a server "tildone" that tildone did not write');
    expect(edited(given, host, "out").files.get(pathOf(host, name))).toBe(own);
  },
);

const reviewed = (position: string, hash: string): string =>
  `\n[hooks.state."/home/me/.codex/hooks.json:${position}"]\ntrusted_hash = "sha256:${hash}"\n`;

test("Codex: reviews of our hooks go, and those of a hook behind ours follow it to its new place", () => {
  const bell = '{"hooks":[{"type":"command","command":"bell"}]}';
  let codex = edited(machine("codex", { "config.toml": 'model = "x"\n' }), "codex", "in");
  codex = change("codex", codex, "hooks.json", (text) => text.replace(/("Stop": \[[\s\S]*?\]\s*\})/, `$1, ${bell}`));
  codex = change("codex", codex, "config.toml", (text) =>
    [
      "\n[hooks.state]\n",
      reviewed("stop:0:0", "a"),
      reviewed("pre_tool_use:0:0", "b"),
      reviewed("stop:1:0", "bell"),
    ].reduce((all, one) => all + one, text),
  );
  const out = edited(codex, "codex", "out");
  expect(textIn("codex", out, "config.toml")).toBe(`model = "x"\n\n[hooks.state]\n${reviewed("stop:0:0", "bell")}`);
  expect(JSON.parse(textIn("codex", out, "hooks.json")!)).toEqual({ hooks: { Stop: [JSON.parse(bell)] } });
});

test("Codex: nothing of its reviews stays where all were ours", () => {
  let codex = edited(machine("codex", { "config.toml": 'model = "x"\n' }), "codex", "in");
  codex = change(
    "codex",
    codex,
    "config.toml",
    (text) =>
      `${text}\n[hooks.state]\n${reviewed("stop:0:0", "a")}\n[mcp_servers.tildone.tools.write_todos]\napproval_mode = "approve"\n`,
  );
  expect(textIn("codex", edited(codex, "codex", "out"), "config.toml")).toBe('model = "x"\n');
});

test("Codex: what it appends behind our table is no change of ours, and what an earlier version wrote is brought up to date", () => {
  const codex = edited(machine("codex", { "config.toml": 'model = "x"\n' }), "codex", "in");
  const grown = change("codex", codex, "config.toml", (text) => `${text}\n[projects."/p"]\ntrust_level = "trusted"\n`);
  expect(edited(grown, "codex", "in").files).toEqual(grown.files);
  const older = change("codex", grown, "config.toml", (text) =>
    text
      .replace("required = true\n", "")
      .replace(/^args = .*$/m, 'args = ["/t/bin/tildone.js","mcp","--host","codex"]'),
  );
  const newer = textIn("codex", edited(older, "codex", "in"), "config.toml");
  expect(newer).toMatch(/^args = \["-c",.*\nrequired = true\n/ms);
  expect(edited(edited(older, "codex", "in"), "codex", "out").files.get(PLACES.codex.servers)).not.toContain("tildone");
});
