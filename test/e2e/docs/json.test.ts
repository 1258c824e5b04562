import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run as tildone } from "../../../src/cli/index.ts";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { OUTPUTS } from "../../../tools/json-shapes.ts";
import { fakeIo } from "../../builders/fake-io.ts";
import { jsonMistakes } from "../../builders/json-mistakes.ts";
import { writeList } from "../pi/models.ts";
import { aReader, type Reader } from "./reader.ts";

/** One todo: a command that asks first, a file, done. */
const works = (request: ModelRequest): Step => {
  const done = request.messages.filter(({ role }) => role === "tool").length;
  const steps: readonly Step[] = [
    { calls: [writeList(1), ["edit_todos", { action: "start", indices: [0] }]] },
    { calls: [["bash", { command: "touch asked.txt" }]] },
    { calls: [["write", { path: "file-0.txt", content: "x" }]] },
    { calls: [["edit_todos", { action: "complete", indices: [0] }]] },
  ];
  return steps[done <= 1 ? done : done - 1] ?? { text: "Done." };
};

let reader: Reader;
/** What each line printed, by what the page says is typed. */
const printed = new Map<string, readonly unknown[]>();
const byName = new Map(OUTPUTS.map((output) => [output.typed, output]));

/** The same command line in this process: one start less for each of two dozen commands. */
async function take(typed: string, line = typed): Promise<readonly unknown[]> {
  const { home, project: cwd, env } = reader;
  const { io, out, err } = fakeIo({ home, cwd, env, now: () => Date.now() });
  await tildone(line.split(" ").slice(1), io);
  return keep(typed, out.join("\n"), err.join("\n"));
}
function keep(typed: string, out: string, err = ""): readonly unknown[] {
  const isLines = "lines" in byName.get(typed)!.shape;
  try {
    const values = isLines
      ? out
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown)
      : [JSON.parse(out) as unknown];
    printed.set(typed, values);
    return values;
  } catch (error) {
    throw new Error(`${typed} printed no JSON: ${error}\n${out}\n${err}`);
  }
}

beforeAll(async () => {
  reader = await aReader(works);
  Object.assign(reader.env, { TILDONE_MAX_CONTINUATIONS: "9" });
  const run = reader.start('tildone run "make a file" --check "npm test" --max-minutes 30 --approval auto-edit --json');
  const [, digest] = await run.printed(/"digest":"([0-9a-f]{12})/);
  const [waiting] = await take("tildone approvals --json");
  expect(waiting).toHaveLength(1);
  await take("tildone status --json");
  const { home, project: cwd, env } = reader;
  await tildone(["approve", digest!, "--always"], fakeIo({ home, cwd, env, now: () => Date.now() }).io);
  const { out, err } = await run.ended;
  const lines = keep("tildone run --json", out, err);
  const { run: id, reason } = lines.at(-1) as { readonly run: string; readonly reason: string };
  expect(reason, out).toBe("all_done");
  await take("tildone status <run> --json", `tildone status ${id} --json`);
  await take("tildone approvals --show <id> --json", `tildone approvals --show ${digest} --json`);
  await take("tildone config explain <setting> --json", "tildone config explain budget.minutes --json");
  await take("tildone config explain <section> --json", "tildone config explain budget --json");
  mkdirSync(join(reader.project, ".tildone/workflows/hotfix"), { recursive: true });
  writeFileSync(join(reader.project, ".tildone/workflows/hotfix/workflow.yaml"), "phases: 3\n");
  writeFileSync(join(reader.project, ".tildone/config.yaml"), 'checks: { run: ["npm test"] }\n');
  for (const name of ["why", "log", "todo", "checkpoints", "diff", "verify", "stats", "replay"])
    await take(`tildone ${name} --json`);
  for (const name of ["undo", "redo"]) await take(`tildone ${name} --json`);
  for (const name of ["doctor", "config", "workflow list", "workflow check", "trust --show"])
    await take(`tildone ${name} --json`);
  await serve();
}, 900_000);
afterAll(async () => reader[Symbol.asyncDispose]());

async function serve(): Promise<void> {
  const end = new AbortController();
  const { home, project: cwd, env } = reader;
  const printedLine = Promise.withResolvers<string>();
  const io = fakeIo({ home, cwd, env, now: () => Date.now(), signal: end.signal, out: printedLine.resolve }).io;
  const ended = tildone(["serve", "--json", "--port", "0"], io);
  const [serving] = keep("tildone serve --json", await printedLine.promise) as readonly [Serving];
  const headers = { "content-type": "application/json", origin: serving.address };
  const body = JSON.stringify({ code: serving.pair.split("#pair=")[1] });
  await fetch(`${serving.address}/api/pair`, { method: "POST", headers, body });
  expect((await take("tildone serve --devices --json"))[0]).toHaveLength(1);
  await take("tildone serve --pair --json", `tildone serve --pair --json --port ${serving.port}`);
  end.abort(130);
  await ended;
}
interface Serving {
  readonly address: string;
  readonly port: number;
  readonly pair: string;
}

/** Those of a fleet need a database: test/fleet/json.test.ts. */
const LOCAL = OUTPUTS.filter(({ typed }) => !/^tildone (fleet|submit|cancel|worker) /.test(typed));

test.each(LOCAL)("$typed prints what the reference says", ({ typed, shape }) => {
  const values = printed.get(typed);
  if (values === undefined) throw new Error(`${typed} was not tried: add it above`);
  expect(jsonMistakes(shape, values)).toEqual([]);
});

test("every type of line that a run of tildone's own agent prints was seen", () => {
  const types = new Set(printed.get("tildone run --json")!.map((line) => (line as { type: string }).type));
  expect([...types].sort()).toEqual(expect.arrayContaining(["call", "event", "result"]));
});

test("no moment is a number", () => {
  const { approvals, began, updated } = (printed.get("tildone status --json") as [[Record<string, unknown>]])[0][0];
  expect([began, updated, (approvals as [{ askedAt: string }])[0].askedAt].map((each) => typeof each)).toEqual(
    Array(3).fill("string"),
  );
});
