import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nudges, stopsAfterEachItem } from "./models.ts";
import { EXTENSION, openSandbox, PI } from "./sandbox.ts";

test("the package says where pi finds the extension", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
    pi: { extensions: string[] };
    keywords: string[];
  };
  expect(manifest.pi.extensions.map((path) => join(process.cwd(), path))).toEqual([EXTENSION]);
  expect(manifest.keywords).toContain("pi-package");
});

test("pi install of the packed package works without pi's own packages beside it", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2), bare: true });
  const tarball = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", box.root], {
    encoding: "utf8",
  }).trim();
  const folder = join(box.root, "installed");
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", join(box.root, tarball.split("\n").at(-1)!), "-C", folder]);
  const installed = join(folder, "package");
  // What npm would install with --omit=optional: the dependencies, and nothing of pi.
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  for (const name of Object.keys(dependencies))
    cpSync(join("node_modules", name), join(installed, "node_modules", name), { recursive: true, dereference: true });

  const install = spawnSync(process.execPath, [PI, "install", installed], {
    cwd: box.cwd,
    env: box.env,
    encoding: "utf8",
  });
  expect([install.status, install.stderr]).toEqual([0, ""]);
  const { code, out, err } = await box.run("-p", "do it");
  expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
  expect(err).toBe("tildone: Finished, but not all of it is proven by a check. [2/2 done · 0 proven]\n");
  expect(nudges(box.model.requests).length).toBe(2);
});

test("pi -e takes the folder of the package as well as the file", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(1), bare: true });
  const { code, err } = await box.run("-e", process.cwd(), "-p", "do it");
  expect([code, err]).toEqual([
    0,
    "tildone: Finished, but not all of it is proven by a check. [1/1 done · 0 proven]\n",
  ]);
});
