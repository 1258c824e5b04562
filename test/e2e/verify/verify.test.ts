import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Script, startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../agent/tildone.ts";

const LONG = { timeout: 120_000 };

/** Two todos with a check each; the test of the project judges the run. */
const works: Script = [
  {
    calls: [
      [
        "write_todos",
        {
          mode: "replace",
          todos: [
            { text: "Write one", check: "sh test/one.sh" },
            { text: "Write two", check: "sh test/two.sh" },
          ],
        },
      ],
    ],
  },
  ...["one", "two"].map((name, at) => ({
    calls: [
      ["edit_todos", { action: "start", indices: [at] }],
      ["write", { path: `${name}.txt`, content: `${name}\n` }],
      ["edit_todos", { action: "complete", indices: [at] }],
    ] as const,
  })),
  { text: "Done." },
];

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" });

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The time zone is the only variable of these that reaches a room where it differs. */
const CHECK = '[ "$TZ" != slow ] || sleep 600; test "$FLAVOUR" = plain || { echo "no flavour"; exit 1; }';

let place: Place;
let run: string;
let proof: string;

beforeAll(async () => {
  place = aPlace({ FLAVOUR: "plain" });
  write(place.env.TILDONE_HOME, "config.yaml", 'checks:\n  allow: ["sh test/one.sh", "sh test/two.sh"]\n');
  write(place.project, "test/one.sh", 'grep -q one one.txt || { echo "no one"; exit 1; }\n');
  write(place.project, "test/two.sh", "grep -q two two.txt\n");
  git(place.project, "init", "-q");
  git(place.project, "add", ".");
  git(place.project, "commit", "-qm", "tests");
  const provider = await startScriptedModel(works);
  const flags = ["--base-url", `${provider.url}/v1`, "--model", "scripted", "--approval", "auto-edit"];
  const { out } = await place.tildone("run", "write two", "--check", CHECK, "--json", ...flags);
  await provider.close();
  const { result } = linesOf(out);
  expect(result.reason).toBe("all_done");
  ({ run } = result);
  proof = join(place.env.HOME, "run.proof");
}, 120_000);
afterAll(async () => place[Symbol.asyncDispose]());

const GOOD = [
  /✓ \[0\] Write one: sh test\/one\.sh - reproduced/,
  /✓ \[1\] Write two: sh test\/two\.sh - reproduced/,
  /✓ the run: \[ "\$TZ" != slow \] .* - reproduced/,
  /All 3 receipts are reproduced\./,
];

test("verify repeats every receipt of a finished run, and touches nothing", LONG, async () => {
  write(place.project, "one.txt", "something else by now\n");
  const before = git(place.project, "status", "--porcelain");
  const { code, out, err } = await place.tildone("verify", run);
  for (const line of GOOD) expect(out).toMatch(line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out, "what tildone sets for itself is no difference").not.toContain("The environment differs");
  expect(git(place.project, "status", "--porcelain")).toBe(before);
  expect(readFileSync(join(place.project, "one.txt"), "utf8")).toBe("something else by now\n");
  const one = await place.tildone("verify", run, "--todo", "1", "--json");
  expect({ code: one.code, ...JSON.parse(one.out) }).toMatchObject({
    ...{ code: 0, run, reproduced: true },
    receipts: [{ todo: 1, command: "sh test/two.sh", outcome: { status: "reproduced" } }],
  });
  expect((await place.tildone("report", run)).out).toContain(`tildone verify ${run} --todo 1`);
});

test("what cannot be verified is said", LONG, async () => {
  const unknown = await place.tildone("verify", "nosuch");
  expect(unknown.code).toBe(2);
  expect(unknown.err).toContain('There is no run "nosuch"');
  const none = await place.tildone("verify", run, "--todo", "7");
  expect(none.code).toBe(2);
  expect(none.err).toContain(`${run} has no todo 7. It has 2, counted from 0.`);
});

test("another clone with nothing of this machine verifies the exported proof", LONG, async () => {
  const written = await place.tildone("runs", "export", run, "--proof", proof);
  expect(written.out).toContain(`Repeat it in another clone: tildone verify --from ${proof}`);
  await using other = aPlace({ FLAVOUR: "plain" });
  git(other.project, "clone", "-q", place.project, ".");
  const asked = await other.tildone("verify", "--from", proof);
  expect(asked.code).toBe(2);
  expect(asked.err).toMatch(/asks to run these 3 commands here:\n {2}sh test\/one\.sh/);
  expect(asked.err).toContain("If you trust the file, add --yes.");
  const { code, out, err } = await other.tildone("verify", "--from", proof, "--yes");
  for (const line of GOOD) expect(out).toMatch(line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/The environment differs from the one of the run: .*HOME/);
  expect(readdirSync(other.project).sort()).toEqual([".git", "test"]);
});

test("a receipt that comes out otherwise is shown with its output, and what differs here", LONG, async () => {
  await using other = aPlace({ FLAVOUR: "other" });
  const { code, out } = await other.tildone("verify", "--from", proof, "--yes");
  expect(code).toBe(1);
  expect(out).toMatch(/✓ \[1\] Write two: sh test\/two\.sh - reproduced/);
  expect(out).toMatch(/✗ the run: \[ "\$TZ" != slow \] .* - not reproduced: exit 1\n {4}\| no flavour\n/);
  expect(out).toMatch(/The environment differs from the one of the run: .*FLAVOUR/);
  expect(out).toContain("1 of 3 receipts not reproduced.");
});

test("Ctrl-C ends it, and leaves neither a room nor the files of the proof", LONG, async () => {
  const temp = join(place.env.HOME, "tmp");
  mkdirSync(temp);
  await using other = aPlace({ FLAVOUR: "plain", TZ: "slow", TMPDIR: temp });
  const verifying = other.start("verify", "--from", proof, "--yes");
  await verifying.printed(/\[1\] Write two: .* reproduced/);
  await expect.poll(() => readdirSync(temp).join(), { timeout: 30_000 }).toContain("tildone-room-");
  verifying.child.kill("SIGINT");
  const { code, err } = await verifying.ended;
  expect({ code, err }).toEqual({ code: 130, err: "Stopped by you: 2 of 3 receipts verified.\n" });
  expect(readdirSync(temp)).toEqual([]);
});

test("a damaged or changed proof is refused", LONG, async () => {
  await using other = aPlace();
  const whole = readFileSync(proof);
  const from = async (name: string, bytes: Buffer | string) => {
    writeFileSync(join(other.project, name), bytes);
    return other.tildone("verify", "--from", name, "--yes");
  };
  const changed = Buffer.from(whole);
  changed[whole.length - 60]! ^= 1;
  for (const [name, bytes, says] of [
    ["a", "hello\n", /a is not a proof of a run/],
    ["b", whole.subarray(0, 400), /b is damaged: it ends too early/],
    ["c", whole.subarray(0, whole.length - 40), /c is damaged: the files in it are not whole/],
    ["d", changed, /d is damaged: the files in it are not whole/],
    [
      "e",
      Buffer.concat([Buffer.from('{"tildone":"proof","version":1,"run":"r","prefix":"../","events":1}\n'), whole]),
      /e is damaged/,
    ],
  ] as const) {
    const { code, out, err } = await from(name, bytes);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(says);
  }
  // Another command, other trees: each receipt names what was judged.
  const lie = await from("f", replaced(whole, "sh test/one.sh", "sh test/own.sh"));
  expect(lie.code).toBe(1);
  expect(lie.out).toContain("Its command is not the one that was judged");
  const [tree = ""] = /tree:[0-9a-f]{40}/.exec(whole.toString("latin1")) ?? [];
  const other2 = await from("g", replaced(whole, tree, `tree:${"0".repeat(40)}`));
  expect(other2.code).toBe(1);
  expect(other2.out).toMatch(/is no longer kept/);
  expect(existsSync(join(other.project, "tildone.db"))).toBe(false);
});

/** The same number of bytes: what follows stays where it is. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
}
