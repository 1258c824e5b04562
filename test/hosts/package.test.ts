import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** What a user gets: the package as it is packed, installed into an empty folder, on the node that runs these tests. */
const root = mkdtempSync(join(tmpdir(), "tildone-package-"));
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(?!config_(registry|cache|cafile|.*proxy))|TILDONE|PI_|VITEST|NODE_(?!EXTRA_CA_CERTS$))/i.test(name),
    ),
  ),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  TILDONE_HOME: join(root, "home"),
};
const npm = (cwd: string, ...args: readonly string[]) =>
  spawnSync("npm", [...args, ...BRIEFLY], { cwd, env, encoding: "utf8" });
/** What is in the cache is taken from there; a registry that does not answer is not asked for minutes. */
const BRIEFLY = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];

const { exports: DOORS } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | Record<string, string>>;
};
let tarball = "";
let files: readonly string[] = [];

beforeAll(() => {
  const { stdout, stderr } = npm(process.cwd(), "pack", "--ignore-scripts", "--json", "--pack-destination", root);
  if (!stdout.startsWith("[")) throw new Error(stderr);
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: readonly { path: string }[] }];
  tarball = join(root, packed.filename);
  files = packed.files.map(({ path }) => path);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }), 300_000);

test("every door of the package leads to a file in it", () => {
  const targets = Object.values(DOORS).flatMap((door) => (typeof door === "string" ? [door] : Object.values(door)));
  expect(targets.filter((target) => !files.includes(target.replace(/^\.\//, "")))).toEqual([]);
});

test("the package holds what is run and read, and nothing that is only for building and testing it", () => {
  expect([...new Set(files.map((file) => file.split("/")[0]))].sort()).toEqual([
    "CHANGELOG.md",
    "GLOSSARY.md",
    "LICENSE",
    "README.md",
    "bin",
    "dist",
    "docs",
    "man",
    "package.json",
    "plugins",
    "schema",
    "workflows",
  ]);
  const odd = files.filter((file) =>
    /\.test\.|\.bench\.|(^|\/)(test|tests|bench|fixtures|src)\/|\.tsbuildinfo$/.test(file),
  );
  expect(odd).toEqual([]);
  expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([]);
});

const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENOTCACHED|network|proxy/i;

const DONE = {
  status: 0,
  out: expect.stringContaining("Done and proven: every required check passed."),
  err: "",
};
const MISSING = {
  status: 1,
  out: "",
  err: expect.stringMatching(
    /^tildone: this command needs pi's packages.*npm install @earendil-works\/pi-coding-agent@.*\n$/,
  ),
};

describe.each([
  { how: "with everything", flags: [], demo: "runs to its end", ends: DONE },
  { how: "without the optional packages", flags: ["--omit=optional"], demo: "says what is missing", ends: MISSING },
])("installed into an empty folder $how", ({ flags, demo, ends }) => {
  const folder = join(root, flags.length === 0 ? "full" : "lean");
  let missing: string | undefined;

  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const { status, stderr } = npm(folder, "install", ...flags, tarball);
    if (status === 0) return;
    if (!NO_REGISTRY.test(stderr)) throw new Error(stderr);
    missing = "skipped: there is no registry to install from";
    console.error(`${missing} (the package, ${flags.join(" ") || "with everything"})`);
  }, 300_000);

  const tildone = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("npx", ["--no-install", "tildone", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    return { status, out: stdout, err: stderr.replaceAll(/^npm warn .*\n/gm, "") };
  };

  test("--help names the commands", (context) => {
    if (missing !== undefined) return context.skip(missing);
    const { status, out, err } = tildone("--help");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toContain("tildone demo");
  });

  test("every door opens", (context) => {
    if (missing !== undefined) return context.skip(missing);
    const doors = Object.entries(DOORS).flatMap(([door, to]) =>
      typeof to === "string" ? [] : [`tildone${door.slice(1)}`],
    );
    const script = `for (const door of ${JSON.stringify(doors)}) await import(door);`;
    const { stderr } = spawnSync("node", ["--input-type=module", "-e", script], { cwd: folder, env, encoding: "utf8" });
    expect(stderr).toBe("");
  });

  test(`the demo ${demo}`, { timeout: 120_000 }, (context) => {
    if (missing !== undefined) return context.skip(missing);
    expect(tildone("demo")).toEqual(ends);
  });

  test("a list written through the MCP server is shown and changed by the other commands", {
    timeout: 60_000,
  }, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    await writeList(folder, "the first thing");
    expect(tildone("todo", "done", "0").status).toBe(0);
    expect(tildone("todo", "list").out).toContain("✓ [0] the first thing");
    expect(tildone("status").out).toContain("1/1");
    expect(tildone("config")).toMatchObject({ status: 0, err: "" });
  });
});

/** An MCP client of the fewest lines: says hello, writes a list, and leaves when it is answered. */
async function writeList(cwd: string, text: string): Promise<void> {
  const server = spawn("npx", ["--no-install", "tildone", "mcp"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const call = { name: "write_todos", arguments: { mode: "replace", todos: [{ text }] } };
  say({ id: 1, method: "initialize", params: client });
  let out = "";
  await new Promise<void>((done, fail) => {
    server.once("close", () => fail(new Error(`the server left early:\n${out}`)));
    server.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const isNew = !out.includes('"id":1');
      out += chunk;
      if (isNew && out.includes('"id":1')) {
        say({ method: "notifications/initialized" });
        say({ id: 2, method: "tools/call", params: call });
      }
      if (out.includes('"id":2')) done();
    });
  });
  server.stdin.end();
  await new Promise((done) => server.once("exit", done));
}
