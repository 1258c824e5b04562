import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const { exports, files } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
  readonly files: readonly string[];
};
const doors = Object.entries(exports).filter((door) => typeof door[1] !== "string");

test.each(doors)("%s is built, typed and can be imported by its name", (door, target) => {
  if (typeof target === "string") throw new Error("not a door");
  expect([existsSync(target.types), existsSync(target.default)]).toEqual([true, true]);
  const name = `tildone${door.slice(1)}`;
  // A process of its own: what only a test runner brings along is not there.
  const names = execFileSync(
    process.execPath,
    ["-e", `import(${JSON.stringify(name)}).then((m) => console.log(JSON.stringify(Object.keys(m))))`],
    { encoding: "utf8" },
  );
  expect(JSON.parse(names).length).toBeGreaterThan(0);
});

test("what is packed holds every door, and neither tests nor benches nor what they need", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
  const [{ files: listed }] = JSON.parse(packed) as [{ readonly files: readonly { readonly path: string }[] }];
  const paths = listed.map(({ path }) => path);
  for (const [, target] of doors) if (typeof target !== "string") expect(paths).toContain(target.default.slice(2));
  expect(paths.filter((path) => /\.test\.|^(test|bench|src|examples|tools)\//.test(path))).toEqual([]);
  expect(paths.filter((path) => !files.includes(path.split("/")[0]!) && path !== "package.json")).toEqual([]);
  const scripts = paths.filter((path) => path.startsWith("dist/") && path.endsWith(".js"));
  expect(scripts.filter((path) => /from "(vitest|fast-check)"/.test(readFileSync(path, "utf8")))).toEqual([]);
});

test("what the pages refer to is packed with them", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
  const [{ files: listed }] = JSON.parse(packed) as [{ readonly files: readonly { readonly path: string }[] }];
  const paths = listed.map(({ path }) => path);
  const broken = paths
    .filter((path) => path.endsWith(".md") && !path.startsWith("plugins/"))
    .flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target]) => normalize(join(dirname(page), target!)).replace(/\/$/, ""))
        .filter((target) => !paths.some((path) => path === target || path.startsWith(`${target}/`)))
        .map((target) => `${page}: ${target}`),
    );
  expect(broken).toEqual([]);
});

/** Bytes in the files of a folder, whatever blocks the disk keeps them in. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

test("the README says how large it is", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
  const [{ unpackedSize }] = JSON.parse(packed) as [{ readonly unpackedSize: number }];
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>>;
  };
  const needed = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== "" && !dev && !optional && !devOptional,
  );
  const megabytes = (unpackedSize + needed.reduce((sum, [path]) => sum + sizeOf(path), 0)) / 1_000_000;
  const said = Number(/takes about (\d+) MB without the agent/.exec(readFileSync("README.md", "utf8"))?.[1]);
  expect(said / megabytes, `${megabytes.toFixed(1)} MB`).toBeGreaterThan(0.8);
  expect(said / megabytes, `${megabytes.toFixed(1)} MB`).toBeLessThan(1.25);
});

test("nothing of ours runs, or is named, when it is installed", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare|publish)$/.test(name))).toEqual([]);
});
