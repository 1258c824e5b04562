import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asBytes, bytesOf, type Entries } from "./entries.ts";
import { writeObject } from "./loose-object.ts";
import { writeFew } from "./write-few.ts";

let home: string;
let store: string;
let target: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "few-"));
  [store, target] = [join(home, "store"), join(home, "ü target")];
  execFileSync("git", ["init", "-q", "--bare", store]);
  mkdirSync(target);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const blob = (text: string): string => writeObject(store, "blob", Buffer.from(text, "latin1"));
const UGLY = "dir/\xff\xe4 name";

const files = (): Entries =>
  new Map([
    ["plain", { mode: "100644", oid: blob("a\r\n") }],
    ["dir/run", { mode: "100755", oid: blob("#!/bin/sh\n") }],
    ["link", { mode: "120000", oid: blob("dir/\xff\xe4 name") }],
    [UGLY, { mode: "100644", oid: blob("\0\xff") }],
    ["inner", { mode: "160000", oid: "1".repeat(40) }],
  ]);

const inTarget = (path: string): Buffer => bytesOf(`${asBytes(target)}/${path}`);

function seen(): readonly unknown[] {
  return ["plain", "dir/run", UGLY].map((path) => [
    lstatSync(inTarget(path)).mode,
    readFileSync(inTarget(path), "latin1"),
  ]);
}

test("a few files are laid out as git does it: bytes, modes, links, names that are no text", () => {
  expect(writeFew(store, files(), target)).toBe(true);
  const ours = [...seen(), readlinkSync(inTarget("link"), "latin1")];
  rmSync(target, { recursive: true });
  mkdirSync(target);
  const input = [...files()].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join("");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["--git-dir", store, "--work-tree", target, ...args], { input: Buffer.from(input, "latin1") });
  git("update-index", "-z", "--index-info");
  git("checkout-index", "--all");
  expect(ours).toEqual([...seen(), readlinkSync(inTarget("link"), "latin1")]);
});

test.each<[what: string, spoil: (oid: string) => void]>([
  ["a file that is not in the store", (oid) => rmSync(objectAt(oid))],
  [
    "another content under its name",
    (oid) => {
      chmodSync(objectAt(oid), 0o644);
      writeFileSync(objectAt(oid), readFileSync(objectAt(blob("another"))));
    },
  ],
  ["a file where a folder has to be", () => writeFileSync(join(target, "dir"), "")],
  [
    "a link in the place of a folder",
    () => {
      mkdirSync(join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), join(target, "dir"));
    },
  ],
  ["a link in its place", () => symlinkSync(join(home, "outside"), join(target, "plain"))],
])("%s is left to git", (_, spoil) => {
  const entries = files();
  spoil(entries.get("plain")!.oid);
  expect(writeFew(store, entries, target)).toBe(false);
  const beyond = ["outside", "elsewhere/run"].filter((path) => existsSync(join(home, path)));
  expect(beyond).toEqual([]);
});

const objectAt = (oid: string): string => join(store, "objects", oid.slice(0, 2), oid.slice(2));
