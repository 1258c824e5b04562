import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ConfigRequest, directories, loadConfig, openTrust, sayProblem } from "./index.ts";

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "tildone-config-")));
  write("project/.git/HEAD", "ref: refs/heads/main");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const USER = "home/.config/tildone/config.yaml";
const PROJECT = "project/.tildone/config.yaml";

function write(path: string, content: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), content);
}

const request = (more: Partial<ConfigRequest> = {}): ConfigRequest => ({
  cwd: join(place, "project"),
  home: join(place, "home"),
  env: {},
  ...more,
});

async function load(more: Partial<ConfigRequest> = {}) {
  const loaded = await loadConfig(request(more));
  if (!loaded.ok) throw new Error(loaded.errors.map(sayProblem).join("\n"));
  return loaded;
}

/** Every error as its sentence, without the folder of this test. */
async function mistakes(more: Partial<ConfigRequest> = {}): Promise<string[]> {
  const loaded = await loadConfig(request(more));
  return loaded.ok ? [] : loaded.errors.map((error) => sayProblem(error).replaceAll(`${place}/`, ""));
}

async function trustProject(): Promise<void> {
  const { project } = await load();
  openTrust(directories(request())).trust(project!.root, [project!.file!]);
}

describe("layers", () => {
  const layers: readonly [string, number, Partial<ConfigRequest>, Record<string, string>][] = [
    ["the default", 20, {}, {}],
    ["the user's file", 12, {}, { [USER]: "continuation: { maxContinuations: 12 }" }],
    [
      "the project's file, which tightens",
      9,
      {},
      { [USER]: "continuation: { maxContinuations: 12 }", [PROJECT]: "continuation: { maxContinuations: 9 }" },
    ],
    [
      "the environment",
      15,
      { env: { TILDONE_MAX_CONTINUATIONS: "15" } },
      { [PROJECT]: "continuation: { maxContinuations: 9 }" },
    ],
    [
      "a flag",
      30,
      { env: { TILDONE_MAX_CONTINUATIONS: "15" }, flags: { "max-continuations": "30" } },
      { [PROJECT]: "continuation: { maxContinuations: 9 }" },
    ],
  ];
  test.each(layers)("%s wins: %d", async (_name, expected, more, files) => {
    for (const [path, content] of Object.entries(files)) write(path, content);
    const { config, warnings } = await load(more);
    expect(config.limits.stillTurns).toBe(expected);
    expect(warnings).toEqual([]);
  });
});

describe("trust", () => {
  test("an untrusted project's loosening is ignored and said; trusted it holds until the file changes", async () => {
    write(USER, "continuation: { maxContinuations: 12 }");
    write(PROJECT, "continuation: { maxContinuations: 13 }\nchecks: { run: [npm test] }");
    const before = await load();
    expect(before.config.limits.stillTurns).toBe(12);
    expect(before.warnings.map(({ code, key }) => `${code} ${key}`)).toEqual([
      "needs_trust continuation.maxContinuations",
      "needs_trust checks.run",
    ]);
    await trustProject();
    const after = await load();
    expect(after.config.limits.stillTurns).toBe(13);
    expect(after.config.checks.run).toEqual([{ run: "npm test", by: "human" }]);
    expect(after.warnings).toEqual([]);
    write(PROJECT, "continuation: { maxContinuations: 14 }");
    expect((await load()).config.limits.stillTurns).toBe(12);
  });
});

describe("mistakes", () => {
  test("unknown key", async () => {
    write(USER, "continuation: { maxContinuation: 3 }");
    expect(await mistakes()).toEqual([
      "home/.config/tildone/config.yaml: continuation.maxContinuation is not a setting; did you mean continuation.maxContinuations?",
    ]);
  });
});
