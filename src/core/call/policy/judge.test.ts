import { describe, expect, test } from "vitest";
import fc from "../../../../test/builders/properties.ts";
import { judge, type Subject } from "./judge.ts";
import { loadPolicy, type Policy, type PolicySource, withGrants, withMode } from "./policy.ts";
import { MODES, type Rule } from "./rule.ts";

function policy(source: PolicySource = {}): Policy {
  const load = loadPolicy({ root: "/repo", ...source });
  if (!load.ok) throw new Error(JSON.stringify(load.problems));
  return load.policy;
}
const shell = (command: string): Subject => ({ tool: "shell", kind: "execute", args: { command }, command });
const edit = (...writes: string[]): Subject => ({ tool: "edit", kind: "edit", args: { writes }, writes });
const read = (...reads: string[]): Subject => ({ tool: "read", kind: "read", args: { reads }, reads });
const fetch: Subject = { tool: "fetch", kind: "fetch", args: { url: "https://example.org" } };
const other: Subject = { tool: "mystery", kind: "other", args: {} };
const own: Subject = { tool: "write_todos", kind: "own", args: {} };

test("a rule's pattern cannot be made to take forever: rules come from repositories, too", () => {
  const hostile = policy({ rules: [{ name: "slow", decision: "allow", kind: "edit", path: `${"**a".repeat(30)}b` }] });
  const began = performance.now();
  expect(judge(hostile, edit("a".repeat(1_000))).decision).toBe("ask");
  expect(performance.now() - began).toBeLessThan(15_000);
});

describe("the four modes", () => {
  test.each<[string, Subject, string]>([
    ["reading", read("src/a.ts"), "ask:allow auto-edit:allow yolo:allow plan:allow"],
    ["an edit inside", edit("/repo/src/a.ts"), "ask:ask auto-edit:allow yolo:allow plan:deny"],
    ["an edit outside", edit("/etc/hosts"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["an edit of one inside, one outside", edit("a", "../b"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["an edit that does not say where", edit(), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["an edit of a protected file", edit("package.json"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["an edit of an exception of yolo", edit(".git/config"), "ask:ask auto-edit:ask yolo:ask plan:deny"],
    ["reading a protected file", read("package.json"), "ask:allow auto-edit:allow yolo:allow plan:allow"],
    ["a command", shell("npm test"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["a command that cannot be read", shell("f() { x; }; f"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["a redirection into a protected file", shell("echo x >> .env"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["removing a protected file", shell("rm -f sub/.env"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["changing one in place", shell("sed -i s/a/b/ package.json"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["copying over one", shell("cp x .npmrc"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    [
      "a redirection into an exception of yolo",
      shell("echo x >> .git/hooks/pre-commit"),
      "ask:ask auto-edit:ask yolo:ask plan:deny",
    ],
    ["removing an exception of yolo", shell("rm -rf ~/.ssh/id_ed25519"), "ask:ask auto-edit:ask yolo:ask plan:deny"],
    ["copying from one", shell("cp package.json /tmp/x"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["printing one", shell("sed -n p package.json"), "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["fetching", fetch, "ask:ask auto-edit:ask yolo:allow plan:ask"],
    ["something unknown", other, "ask:ask auto-edit:ask yolo:allow plan:deny"],
    ["our own tools", own, "ask:allow auto-edit:allow yolo:allow plan:allow"],
  ])("%s", (_what, subject, expected) =>
    expect(MODES.map((mode) => `${mode}:${judge(policy({ mode }), subject).decision}`).join(" ")).toBe(expected),
  );

  test("in plan mode the model is told why", () =>
    expect(judge(policy({ mode: "plan" }), edit("a"))).toEqual({
      decision: "deny",
      because: "no edits in plan mode",
      message: expect.stringContaining("plan mode"),
    }));
});

describe("rules in order", () => {
  const rules: Rule[] = [
    { name: "no push", decision: "deny", tool: "shell", command: "git push", message: "The human pushes." },
    { name: "git is fine", decision: "allow", tool: "shell", command: "git *" },
    { name: "tests are fine", decision: "allow", tool: "shell", command: "npm test" },
    { name: "docs are free", decision: "allow", kind: "edit", path: "docs/**" },
    { name: "no secrets", decision: "deny", path: "secrets/**" },
    { name: "migrations ask", decision: "ask", kind: "edit", path: "migrations/*" },
  ];
  test.each<[string, Subject, string]>([
    ["the first that fits decides", shell("git push"), "deny: no push"],
    ["what denies covers what begins so", shell("git push origin main"), "deny: no push"],
    ["a later rule takes the rest", shell("git log -p"), "allow: git is fine"],
    ["an exact command", shell("npm test"), "allow: tests are fine"],
    ["is only that exact command", shell("npm test --update"), "ask: changes need approval"],
    ["another path of the same name", shell("/tmp/git log"), "ask: changes need approval"],
    ["a denial looks through paths", shell("/usr/bin/git push"), "deny: no push"],
    ["a path rule", edit("docs/a.md"), "allow: docs are free"],
    ["not above it", edit("docs.md"), "ask: changes need approval"],
    ["one star stays in its folder", edit("migrations/1.sql"), "ask: migrations ask"],
    ["a denied path denies reading too", read("secrets/key"), "deny: no secrets"],
    ["and the commands that name it", shell("cat secrets/key"), "deny: no secrets"],
    ["in any spelling", read("/repo/src/../secrets/key"), "deny: no secrets"],
    ["one denied path among many", edit("docs/a.md", "secrets/b"), "deny: no secrets"],
  ])("%s", (_what, subject, expected) => {
    const { decision, because } = judge(policy({ rules }), subject);
    expect(`${decision}: ${because}`).toBe(expected);
  });

  test.each<[string, string, string]>([
    ["an allowed beginning does not cover the chain", "git log && rm x", "ask"],
    ["any denied part denies all", "npm test && git push", "deny"],
    ["all parts allowed", "git log | git status; npm test", "allow"],
    ["a denied part inside a substitution", "echo $(git push)", "deny"],
    ["a denied part inside backticks", "git log `git push`", "deny"],
    ["a denied part inside a wrapper", "timeout 5 git push", "deny"],
    ["a denied part inside a script", "bash -c 'git log; git push'", "deny"],
    ["an allowed part inside a wrapper", "timeout 5 git log", "allow"],
    ["a redirection is an edit", "git log > notes.txt", "ask"],
    ["a redirection into a free folder", "git log > docs/log.txt", "allow"],
    ["a redirection into a denied folder", "git log > secrets/x", "deny"],
    ["quoted characters are no redirection", "git log --format='> %s && x'", "allow"],
    ["nothing is written by a stream", "git log 2>&1 > /dev/null", "allow"],
    ["a variable in front can change any command", "GIT_PAGER=x git log", "ask"],
    ["a word that is not known yet may be the denied one", "git $WHAT", "ask"],
    ["a command that is not known may be the denied one", "$CMD x", "ask"],
    ["a line that cannot be read may hold the denied one", "f() { git push; }; f", "ask"],
  ])("%s: %s -> %s", (_what, line, expected) => expect(judge(policy({ rules }), shell(line)).decision).toBe(expected));

  test("doubt about a denial asks even where everything is allowed", () => {
    const free = policy({ rules, mode: "yolo" });
    expect(judge(free, shell("git $WHAT")).decision).toBe("ask");
    expect(judge(free, shell("$CMD push"))).toEqual({
      decision: "ask",
      because: 'it is unclear whether "no push" applies',
    });
    expect(judge(free, shell("git push")).decision).toBe("deny");
  });

  test("the message of a denial comes with it", () =>
    expect(judge(policy({ rules }), shell("git push")).message).toBe("The human pushes."));

  test("a rule for a server goes by where the tool came from, not by its name", () => {
    const trusting = policy({ rules: [{ name: "trusted", decision: "allow", server: "files" }] });
    expect(judge(trusting, { ...other, server: "files" }).decision).toBe("allow");
    expect(judge(trusting, { ...other, tool: "mcp_files_delete", server: "evil" }).decision).toBe("ask");
  });

  test("a rule for some modes is silent in the others", () => {
    const rule: Rule = { name: "free", decision: "allow", tool: "fetch", modes: ["auto-edit"] };
    expect(judge(policy({ rules: [rule] }), fetch).decision).toBe("ask");
    expect(judge(policy({ rules: [rule], mode: "auto-edit" }), fetch).decision).toBe("allow");
  });

  test("the order of argument keys does not matter", () => {
    const rules: Rule[] = [{ name: "this one", decision: "allow", args: { b: 2, a: 1 } }];
    expect(judge(policy({ rules }), { ...other, args: { a: 1, b: 2 } }).decision).toBe("allow");
    expect(judge(policy({ rules }), { ...other, args: { a: 1, b: 2, c: 3 } }).decision).toBe("ask");
  });

  test("plan mode stands before the user's rules, so nothing loosens it", () =>
    expect(judge(policy({ rules, mode: "plan" }), edit("docs/a.md")).decision).toBe("deny"));
});

describe("what the user allows for good", () => {
  const granted = (subject: Subject, source: PolicySource = {}) => {
    const asking = policy(source);
    const { offer } = judge(asking, subject);
    if (offer === undefined) throw new Error("no offer");
    return withGrants(asking, offer);
  };

  test.each<[string, Subject, Subject, string]>([
    ["the same command", shell("npm run build"), shell("npm  run 'build'"), "allow"],
    ["more words than were seen", shell("rm -rf build"), shell("rm -rf build /"), "ask"],
    ["a chain of two allowed", shell("npm ci && npm run build"), shell("npm run build"), "allow"],
    ["a chain with something new", shell("npm ci"), shell("npm ci && curl x"), "ask"],
    ["the same file", edit("src/a.ts"), edit("/repo/src/a.ts"), "allow"],
    ["another file", edit("src/a.ts"), edit("src/b.ts"), "ask"],
    ["the same arguments", fetch, fetch, "allow"],
    ["other arguments", fetch, { ...fetch, args: { url: "https://other.example" } }, "ask"],
    ["a redirection seen before", shell("ls > out"), shell("ls > out"), "allow"],
    ["another redirection", shell("ls > out"), shell("ls > other"), "ask"],
  ])("%s", (_what, first, second, expected) => expect(judge(granted(first), second).decision).toBe(expected));

  test.each<[string, Subject]>([
    ["a line that cannot be read", shell("f() { x; }; f")],
    ["a word that changes", shell("rm $X")],
    ["a star of its own", shell("rm '*'")],
    ["a variable in front", shell("A=1 rm x")],
    ["a protected file", edit("package.json")],
    ["one part that cannot be said exactly", shell("ls && rm $X")],
    ["a name that reads like a pattern", edit("a*b")],
  ])("nothing is offered for %s", (_what, subject) => {
    const judgement = judge(policy(), subject);
    expect([judgement.decision, judgement.offer]).toEqual(["ask", undefined]);
  });

  test("a grant lifts a question of the user's own rule, never a denial or a protection", () => {
    const rules: Rule[] = [
      { name: "deploys ask", decision: "ask", command: "deploy" },
      { name: "no push", decision: "deny", command: "git push" },
    ];
    const all: Rule = { name: "always: shell", decision: "allow", tool: "*" };
    const free = withGrants(policy({ rules }), [all]);
    const decisions = [shell("deploy"), shell("git push"), edit("package.json"), shell("git $X")].map(
      (subject) => judge(free, subject).decision,
    );
    expect(decisions).toEqual(["allow", "deny", "ask", "ask"]);
    expect(judge(withMode(free, "plan"), shell("deploy")).decision).toBe("deny");
  });
});

describe("loading", () => {
  test.each<[string, Partial<Rule>, string[]]>([
    ["a rule whose examples hold", { command: "git *", examples: { covers: ["git log"], spares: ["rm"] } }, []],
    [
      "an example it does not cover",
      { command: "git log", examples: { covers: ["git log", "git log -p"], spares: [] } },
      ['rules[0].examples.covers[1] the rule does not cover "git log -p"'],
    ],
    [
      "an example it should spare",
      { command: "git *", examples: { covers: [], spares: ["git push"] } },
      ['rules[0].examples.spares[0] the rule covers "git push"'],
    ],
    [
      "an allowing rule does not cover a chain",
      { command: "git *", examples: { covers: ["git log && rm x"], spares: [] } },
      ['rules[0].examples.covers[0] the rule does not cover "git log && rm x"'],
    ],
    [
      "a denying rule covers a chain",
      { decision: "deny", command: "rm", examples: { covers: ["git log && rm x"], spares: [] } },
      [],
    ],
    ["a path", { path: "src/**", examples: { covers: ["src/a/b.ts"], spares: ["test/a.ts", "/src/a"] } }, []],
    [
      "examples of nothing",
      { examples: { covers: ["x"], spares: [] } },
      ["rules[0].examples need a command or a path in the rule"],
    ],
    ["no name", { name: "" }, ["rules[0].name is missing: every rule needs a name"]],
    ["a wrong decision", { decision: "maybe" as "ask" }, ['rules[0].decision is "maybe"; use one of allow, ask, deny']],
    [
      "a wrong kind",
      { kind: "write" as "edit" },
      ['rules[0].kind is "write"; use one of own, read, fetch, edit, execute, other'],
    ],
    ["a wrong mode", { modes: ["fast" as "yolo"] }, ['rules[0].modes names "fast"; use ask, auto-edit, yolo, plan']],
    [
      "two subjects",
      { command: "x", path: "y" },
      ["rules[0].path stands beside command; a rule has a command or a path, not both"],
    ],
  ])("%s", (_what, rule, expected) => {
    const load = loadPolicy({ rules: [{ name: "a rule", decision: "allow", ...rule }] });
    expect(load.ok ? [] : load.problems.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });

  test("a wrong mode of the whole policy", () =>
    expect(loadPolicy({ mode: "fast" as "yolo" })).toEqual({
      ok: false,
      problems: [{ path: "mode", message: 'is "fast"; use one of ask, auto-edit, yolo, plan' }],
    }));
});

describe("laws", () => {
  const commands = ["git log", "git push", "npm test", "rm x", "echo hi > docs/a", "$X y"];
  const line = fc
    .array(fc.tuple(fc.constantFrom(...commands), fc.constantFrom(" && ", " | ", "; ", "\n")), { minLength: 1 })
    .map((parts) =>
      parts
        .map(([command, joint]) => command + joint)
        .join("")
        .replace(/( && | \| )$/, ""),
    );
  const rules: Rule[] = [
    { name: "no push", decision: "deny", command: "git push" },
    { name: "git", decision: "allow", command: "git *" },
  ];

  test("a chain is never looser than its strictest command, in any mode", () => {
    fc.assert(
      fc.property(line, fc.constantFrom(...MODES), (text, mode) => {
        const all = policy({ rules, mode });
        const order = ["allow", "ask", "deny"];
        const parts = commands.filter((command) => text.includes(command));
        const strictest = Math.max(...parts.map((part) => order.indexOf(judge(all, shell(part)).decision)));
        expect(order.indexOf(judge(all, shell(text)).decision)).toBe(strictest);
      }),
    );
  });

  test("judging changes nothing it was given", () => {
    const source: PolicySource = Object.freeze({ rules: Object.freeze(rules.map((rule) => Object.freeze(rule))) });
    const before = JSON.stringify(source);
    judge(policy(source), shell("git log"));
    expect(JSON.stringify(source)).toBe(before);
  });
});
