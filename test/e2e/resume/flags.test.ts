import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { programOf } from "../../../src/agent/supervisor/index.ts";
import { run as command } from "../../../src/cli/commands/run.ts";
import { workerOf } from "../../../src/cli/host-of.ts";
import { FLAG_FITS, misfit } from "../../../src/cli/run-flags.ts";
import { HOST_NAMES } from "../../../src/config/index.ts";
import { aCommandLine } from "./command-line.ts";

const LONG = { timeout: 60_000 };
const HOSTS = HOST_NAMES;
const FLAGS = Object.keys(command.options);

/** A value for each flag, as a user would give it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  json: ["--json"],
  model: ["--model", "provider/some-model"],
  "base-url": ["--base-url", "http://127.0.0.1:1/v1"],
  agent: ["--agent", "coder"],
  file: ["--file", "plan.md"],
  workflow: ["--workflow", "bugfix"],
  report: ["--report", "report.md"],
  todo: ["--todo", "a todo of mine"],
  check: ["--check", "test -f made"],
  touches: ["--touches", "test/a.sh"],
  approval: ["--approval", "yolo"],
  confine: ["--confine", "off"],
  fresh: ["--fresh"],
  context: ["--context", "auto"],
  "context-every": ["--context-every", "4"],
  "max-continuations": ["--max-continuations", "7"],
  "max-todo-continuations": ["--max-todo-continuations", "7"],
  "max-tokens": ["--max-tokens", "1000"],
  "max-cost": ["--max-cost", "2"],
  "max-minutes": ["--max-minutes", "3"],
  "auto-complete-todos": ["--no-auto-complete-todos"],
  resume: ["--resume"],
  host: [],
  "host-arg": ["--host-arg=--some-argument"],
};

/** How it shows that a flag had its effect: in what the host was started with, or in the run. */
const SHOWS: Readonly<Record<string, (seen: Seen) => unknown>> = {
  json: ({ out }) => expect(out.split("\n").every((line) => line.startsWith("{"))).toBe(true),
  model: ({ args }) => expect(args).toContain("provider/some-model"),
  file: ({ log }) => expect(log).toMatch(/list appended to: 1 todo/),
  workflow: ({ args }) => expect(args).toMatch(/workflow[\s\S]*bugfix make it/),
  report: ({ place }) => expect(existsSync(join(place, "report.md"))).toBe(true),
  todo: ({ log }) => expect(log).toMatch(/list appended to: 1 todo/),
  check: ({ env }) => expect(env).toContain("TILDONE_CHECK=test -f made"),
  touches: ({ env }) => expect(env).toContain("TILDONE_TOUCHES=test/a.sh"),
  fresh: ({ env }) => expect(env).toContain("TILDONE_CONTEXT=fresh"),
  context: ({ env }) => expect(env).toContain("TILDONE_CONTEXT=auto"),
  "context-every": ({ env }) => expect(env).toContain("TILDONE_CONTEXT_EVERY=4"),
  "max-continuations": ({ env }) => expect(env).toContain("TILDONE_MAX_CONTINUATIONS=7"),
  "max-todo-continuations": ({ env }) => expect(env).toContain("TILDONE_MAX_CONTINUATIONS=7"),
  "max-tokens": ({ env }) => expect(env).toContain("TILDONE_MAX_TOKENS=1000"),
  "max-cost": ({ env }) => expect(env).toContain("TILDONE_MAX_COST=2"),
  "max-minutes": ({ env }) => expect(env).toContain("TILDONE_MAX_MINUTES=3"),
  "auto-complete-todos": ({ env }) => expect(env).toMatch(/^TILDONE_\w+=false$/m),
  "host-arg": ({ args }) => expect(args).toContain("--some-argument"),
  host: ({ args }) => expect(args).not.toBe(""),
};
interface Seen {
  readonly out: string;
  readonly args: string;
  readonly env: string;
  readonly log: string;
  readonly place: string;
}

test("every flag has a row, a value to try it with, and a way to see its effect", async () => {
  expect(Object.keys(FLAG_FITS).sort()).toEqual([...FLAGS].sort());
  expect(Object.keys(VALUES).sort()).toEqual([...FLAGS].sort());
  const workers = await Promise.all(HOSTS.map(workerOf));
  const refusedByAll = FLAGS.filter((flag) => workers.every((worker) => misfit([flag], worker, false)));
  expect([...Object.keys(SHOWS), ...refusedByAll, "resume"].sort()).toEqual([...FLAGS].sort());
});

describe.each(HOSTS)("%s", (host) => {
  test.each(FLAGS.filter((flag) => flag !== "resume"))("--%s works or is refused by name", LONG, async (flag) => {
    using line = aCommandLine("waits:\n  backoffTries: 0\n");
    const programs = fakeHost(line.project, programOf(host).program);
    writeFileSync(join(line.project, "plan.md"), "- [ ] the box of a plan\n");
    const refusal = misfit([flag], await workerOf(host), false);
    if (programOf(host).adapter === "hook") await line.type(["install", host]);
    const given = ["run", "make it", "--host", host, ...VALUES[flag]!];
    const typed = await line.type(given, undefined, { PATH: `${programs}${delimiter}${process.env.PATH}` });
    const started = existsSync(join(line.project, "args"));
    if (refusal !== undefined) {
      expect([typed.code, started]).toEqual([2, false]);
      expect(typed.err).toContain(`--${flag}`);
      expect((await line.type(["status"])).out).not.toContain("make it");
      return;
    }
    expect(started, typed.err).toBe(true);
    const of = (name: string) => readFileSync(join(line.project, name), "utf8");
    const log = flag === "file" || flag === "todo" ? (await line.type(["log"])).out : "";
    SHOWS[flag]?.({ out: typed.out, args: of("args"), env: of("env"), log, place: line.project });
  });

  test("a program that is not installed is named, and no run is left behind", LONG, async () => {
    using line = aCommandLine();
    const typed = await line.type(["run", "make it", "--host", host], undefined, { PATH: line.project });
    const { title, program, comesWith } = programOf(host);
    expect(typed.code).toBe(1);
    expect(typed.err).toContain(`${title} (\`${program}\`) is not on your PATH`);
    expect(typed.err).toContain(`npm install -g ${comesWith}`);
    expect(typed.err).not.toMatch(/at .*:\d+:\d+/);
    expect((await line.type(["status"])).out).not.toContain("make it");
  });
});

describe("without a host", () => {
  test.each(FLAGS.filter((flag) => FLAG_FITS[flag]!.alone !== "works"))(
    "--%s is refused by name",
    LONG,
    async (flag) => {
      using line = aCommandLine();
      const typed = await line.type(["run", "make it", ...VALUES[flag]!]);
      expect([typed.code, typed.err]).toEqual([2, expect.stringContaining(`--${flag}`)]);
    },
  );

  test("two plans at once are refused", LONG, async () => {
    using line = aCommandLine();
    writeFileSync(join(line.project, "plan.md"), "- [ ] a\n");
    const typed = await line.type(["run", "make it", "--workflow", "bugfix", "--file", "plan.md"]);
    expect([typed.code, typed.err]).toEqual([2, expect.stringContaining("--workflow and --file")]);
  });
});

/** A program that writes down how it was started, tells a session and ends. */
function fakeHost(project: string, name: string): string {
  const folder = join(project, "programs");
  mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh
printf '%s\\n' "$@" > "${project}/args"
env > "${project}/env"
echo '{"type":"thread.started","thread_id":"s-1","sessionID":"s-1"}'
sleep 0.1
exit 1
`,
  );
  chmodSync(file, 0o755);
  return folder;
}
