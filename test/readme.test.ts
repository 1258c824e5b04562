import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const README = readFileSync("README.md", "utf8");

test("the README names the tarball of this version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(README).toContain(`npm install -g ./tildone-${version}.tgz`);
});

test.each(["README.md", ...globSync("docs/*.md"), ...globSync("docs/how-to/*.md")])(
  "what %s links to is there",
  (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(dirname(page), path)))).toEqual([]);
  },
);
