import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const PAGES = ["README.md", ...globSync("docs/how-to/*.md", { cwd: root })].sort();
const FENCE = /^```(?:ts|typescript)\n(.*?)^```$/gms;
/** What a snippet imports of its reader's own: `<!-- snippet ./name.ts: text of the file -->`, anywhere on the page. */
const OWN = /<!-- snippet (\.\/[\w-]+\.ts): (.*?) -->/gs;

const snippets = PAGES.flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8");
  const own = [...text.matchAll(OWN)].map(([, name, body]) => [name!, body!] as const);
  return [...text.matchAll(FENCE)].map(([, code], at) => ({ name: `${page} ${at + 1}`, code: code!, own }));
});

const folder = mkdtempSync(join(root, "node_modules", ".snippets-"));
let said = "";

beforeAll(() => {
  snippets.forEach(({ code, own }, at) => {
    mkdirSync(join(folder, `${at}`));
    for (const [name, body] of own) writeFileSync(join(folder, `${at}`, name), body);
    writeFileSync(join(folder, `${at}`, "snippet.ts"), code);
  });
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, unknown>;
  };
  const doors = Object.entries(exports).flatMap(([door, target]) => {
    const types = (target as { readonly types?: string }).types;
    const source = types?.replace("./dist/", "./src/").replace(/\.d\.ts$/, ".ts");
    return source === undefined ? [] : [[door.replace(/^\./, "tildone"), [resolve(root, source)]] as const];
  });
  const settings = {
    extends: resolve(root, "tsconfig.json"),
    compilerOptions: { noUnusedLocals: false, types: ["node"], paths: Object.fromEntries(doors) },
    include: ["./*/snippet.ts", resolve(root, "src/store/bun-sqlite.d.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
  } catch (error) {
    said = (error as { readonly stdout?: string }).stdout || String(error);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("there are some", () => expect(snippets.length).toBeGreaterThan(3));

test.each(snippets.map(({ name }, at) => [name, at] as const))("%s compiles", (_name, at) => {
  expect(said.split("\n").filter((line) => line.startsWith(`${at}/`))).toEqual([]);
});

test("nothing else is wrong", () =>
  expect(said.split("\n").filter((line) => !/^\d+\//.test(line) && line !== "")).toEqual([]));
