import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/run/index.ts";
import { type Script, startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../agent/tildone.ts";

const LONG = { timeout: 180_000 };

function lay(place: Place, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.project, path)), { recursive: true });
    writeFileSync(join(place.project, path), text);
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: place.project });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "before");
}

/** Lists one thing, does it and completes it. */
const works = (before: Script & readonly object[] = [], held?: Promise<unknown>): Script => [
  ...before,
  {
    ...(held && { after: held }),
    calls: [["write_todos", { mode: "replace", todos: [{ text: "Write one" }] }]],
  },
  {
    calls: [
      ["edit_todos", { action: "start", indices: [0] }],
      ["write", { path: "one.txt", content: "one\n" }],
      ["edit_todos", { action: "complete", indices: [0] }],
    ],
  },
  { text: "Done." },
];

/** Runs with the model held back until the check was tried on the files from before the work. */
async function run(place: Place, check: string, script: (tried: Promise<unknown>) => Script) {
  const tried = Promise.withResolvers<unknown>();
  await using model = await closing(script(tried.promise));
  const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "auto-edit", "--json"];
  const started = place.start("run", "write one", "--check", check, ...flags);
  started.printed(/"check\.tried"/).then(tried.resolve, tried.reject);
  const { out } = await started.ended;
  const { events, result } = linesOf(out);
  const notices = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; text?: string })
    .flatMap(({ type, text }) => (type === "notice" ? [text ?? ""] : []));
  const first = events.find((event): event is RunEvent & { type: "check.tried" } => event.type === "check.tried");
  const receipts = events.flatMap((event) => (event.type === "round.ended" ? event.receipts : []));
  return { result, notices, first: first?.first, receipts };
}

async function closing(script: Script) {
  const model = await startScriptedModel(script);
  return { ...model, [Symbol.asyncDispose]: () => model.close() };
}

async function listening(where: { path: string } | { port: number; host: string }) {
  const server: Server = createServer((socket) => socket.end("rows\n"));
  await new Promise<void>((done) => server.listen(where, done));
  return { server, [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())) };
}

const ASKS = `const socket = require("node:net").connect(process.argv[2].includes("/") ? { path: process.argv[2] } : { port: Number(process.argv[2]), host: "127.0.0.1" });
socket.on("data", () => process.exit(0));
socket.on("error", (error) => { console.log(String(error)); process.exit(1); });
`;

test(
  "a check that needs something that lives in the project is decided there, and you hear of it once",
  LONG,
  async () => {
    await using place = aPlace();
    lay(place, { "test/db.js": ASKS });
    await using _ = await listening({ path: join(place.project, "db.sock") });
    const { result, notices, first, receipts } = await run(place, "node test/db.js ./db.sock", (tried) =>
      works([], tried),
    );
    expect(first).toMatchObject({ status: "failed", place: "passed", decides: "place" });
    expect(result.reason).toBe("all_done");
    expect(receipts).toMatchObject([{ status: "passed", suspect: false, proof: { where: "place" } }]);
    expect(notices.filter((text) => text.includes("but not in a clean copy of it"))).toHaveLength(1);
    const { out } = await place.tildone("why", result.run);
    expect(out.replace(/\s+/g, " ")).toContain('The check "node test/db.js ./db.sock" passed in your project before');
  },
);

test("a check that needs a server on loopback is proven, and the report says that it passed before", LONG, async () => {
  await using place = aPlace();
  lay(place, { "test/db.js": ASKS });
  writeFileSync(join(made(place.env.TILDONE_HOME), "config.yaml"), "checks:\n  network: true\n");
  await using database = await listening({ port: 0, host: "127.0.0.1" });
  const { port } = database.server.address() as AddressInfo;
  const { result, first, receipts } = await run(place, `node test/db.js ${port}`, (tried) => works([], tried));
  expect(first).toMatchObject({ status: "passed", decides: "room" });
  expect(result.reason).toBe("all_done");
  expect(receipts).toMatchObject([{ status: "passed", suspect: false, first: "passed", proof: { where: "room" } }]);
  const report = await place.tildone("report", result.run);
  expect(report.out).toContain("passed in a clean room; this check passed before the work began too");
  const status = JSON.parse((await place.tildone("status", result.run, "--json")).out);
  expect(JSON.stringify(status)).toContain('"before":"passed"');
});

test(
  "a check that the agent chose proves nothing where it passed before the work, until you accept it",
  LONG,
  async () => {
    await using place = aPlace();
    lay(place, { "test/old.sh": "exit 0\n" });
    writeFileSync(join(made(place.env.TILDONE_HOME), "config.yaml"), 'checks:\n  allow: ["sh *"]\n');
    const steps = (check: string): Script => [
      { calls: [["write_todos", { mode: "replace", todos: [{ text: "Write one", check }] }]] },
      {
        calls: [
          ["edit_todos", { action: "start", indices: [0] }],
          ["write", { path: "one.txt", content: "one\n" }],
          ["write", { path: "test/new.sh", content: "grep -q one one.txt\n" }],
          ["edit_todos", { action: "complete", indices: [0] }],
        ],
      },
      { text: "Done." },
    ];
    const reasonOf = async (check: string) => {
      await using model = await closing(steps(check));
      const flags = ["--base-url", `${model.url}/v1`, "--model", "scripted", "--approval", "auto-edit", "--json"];
      const { out } = await place.tildone("run", "write one", ...flags);
      return JSON.parse(out.split("\n").findLast((line) => line.includes('"result"')) ?? "{}") as {
        reason: string;
        run: string;
      };
    };
    expect((await reasonOf("sh test/new.sh")).reason).toBe("all_done");
    const idle = await reasonOf("sh test/old.sh");
    expect(idle.reason).toBe("done_unproven");
    const status = await place.tildone("status", idle.run, "--json");
    expect(JSON.parse(status.out)).toMatchObject({ todos: [{ standing: "unshown", proof: "claimed" }] });
    expect((await place.tildone("accept", "--checks", idle.run)).out).toContain("Done and proven");
  },
);

const made = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** It waits in the project until it is told to continue, and reads what judges only then. */
const SLOW = (home: string, project: string) =>
  `if [ "$PWD" = "${project}" ] && [ -e "${home}/wait" ]; then
  touch "${home}/placed"
  while [ ! -e "${home}/continue" ]; do sleep 0.1; done
fi
. ./test/verdict.sh
`;

test("an agent that edits the test while its check is tried first gains nothing", LONG, async () => {
  await using place = aPlace();
  const { HOME: home } = place.env;
  lay(place, { "test/check.sh": SLOW(home, place.project), "test/verdict.sh": "grep -q two one.txt\n" });
  writeFileSync(join(home, "wait"), "");
  const placed = until(() => existsSync(join(home, "placed")));
  const edits = { after: placed, calls: [["write", { path: "test/verdict.sh", content: "exit 0\n" }]] } as const;
  const { result, first } = await run(place, "sh test/check.sh", (tried) => {
    const steps = works([edits], tried) as readonly object[];
    return (_request, count) => {
      if (count === 2) writeFileSync(join(home, "continue"), "");
      return steps[Math.min(count, steps.length) - 1]!;
    };
  });
  expect(first).toMatchObject({ status: "failed", place: "changed", decides: "room" });
  expect(result.reason).toBe("done_with_doubt");
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((next) => setTimeout(next, 50));
}
