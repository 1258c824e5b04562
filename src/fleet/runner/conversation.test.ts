import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openConversation } from "./conversation.ts";
import { sessionsFolder } from "./folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conversation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NAME = "2026-01-01_s1.jsonl";
const header = (cwd: string) => `{"type":"session","id":"s1","cwd":"${cwd}"}\n`;
const fileAt = (cwd: string) => join(folder, "sessions", `--${cwd.slice(1).replaceAll("/", "-")}--`, NAME);

/** What a database has after it was told this. */
function stored(before: Buffer, news: { readonly at: number; readonly bytes: Uint8Array } | undefined): Buffer {
  return news ? Buffer.concat([before.subarray(0, news.at), news.bytes]) : before;
}

test("moves to another folder and back, and only what is new is told", () => {
  mkdirSync(join(fileAt("/one/work"), ".."), { recursive: true });
  writeFileSync(fileAt("/one/work"), `${header("/one/work")}{"a":1}\n`);
  const one = openConversation(sessionsFolder(folder, "/one/work"), "/one/work", undefined);
  const first = one.news("s1");
  expect(first).toMatchObject({ session: NAME, news: { at: 0 } });
  one.said(first);
  expect(one.news("s1").news).toBeUndefined();
  let kept = stored(Buffer.alloc(0), first.news);
  expect(kept.length).toBe(first.length);

  const two = openConversation(sessionsFolder(folder, "/another/longer/work"), "/another/longer/work", {
    name: NAME,
    bytes: kept,
  });
  const here = fileAt("/another/longer/work");
  expect(readFileSync(here, "utf8")).toBe(`${header("/another/longer/work")}{"a":1}\n`);
  expect(two.news("s1")).toEqual({ session: NAME, length: kept.length });
  appendFileSync(here, '{"b":2}\n');
  const next = two.news("s1");
  expect(Buffer.from(next.news!.bytes).toString()).toBe('{"b":2}\n');
  two.said(next);
  kept = stored(kept, next.news);
  expect(kept.toString()).toBe(`${header("/one/work")}{"a":1}\n{"b":2}\n`);
  expect(next.length).toBe(kept.length);

  appendFileSync(here, '{"c":3}\n');
  const third = two.news("s1");
  kept = stored(kept, third.news);
  expect(kept.toString().endsWith('{"b":2}\n{"c":3}\n')).toBe(true);
});

test("what the agent was told about its folder names the one it works in now, and what was said stays", () => {
  const told = (cwd: string) => `{"message":{"role":"system","sections":{"cwd":"In ${cwd}, with ${cwd}/AGENTS.md"}}}\n`;
  const said = '{"message":{"role":"user","text":"cat /one/work/a"}}\n';
  const kept = Buffer.from(`${header("/one/work")}${told("/one/work")}${said}`);
  const sessions = sessionsFolder(folder, "/another/longer/work");
  const two = openConversation(sessions, "/another/longer/work", { name: NAME, bytes: kept });
  const here = fileAt("/another/longer/work");
  expect(readFileSync(here, "utf8")).toBe(`${header("/another/longer/work")}${told("/another/longer/work")}${said}`);
  appendFileSync(here, '{"b":2}\n');
  expect(stored(kept, two.news("s1").news).toString()).toBe(`${kept}{"b":2}\n`);
});

test("one that was rewritten, as by a compaction, is told as a whole", () => {
  const two = openConversation(sessionsFolder(folder, "/two"), "/two", {
    name: NAME,
    bytes: Buffer.from(`${header("/one/work")}{"a":1}\n`),
  });
  writeFileSync(fileAt("/two"), `${header("/two")}{"summary":1}\n`);
  const all = two.news("s1");
  expect(all).toMatchObject({ news: { at: 0 }, length: readFileSync(fileAt("/two")).length });
  two.said(all);
  expect(two.news("s1").news).toBeUndefined();
});

test("what a database forgot is told again, and a conversation that is over leaves nothing behind", () => {
  const two = openConversation(sessionsFolder(folder, "/two"), "/two", {
    name: NAME,
    bytes: Buffer.from(`${header("/two")}{"a":1}\n`),
  });
  expect(two.news("s1").news).toBeUndefined();
  two.forget();
  expect(two.news("s1")).toMatchObject({ news: { at: 0 } });
  two.discard();
  expect(readdirSync(join(folder, "sessions"))).toEqual([]);
});

test("a name from the database stays in its folder", () => {
  openConversation(sessionsFolder(folder, "/two"), "/two", {
    name: "../../../evil.jsonl",
    bytes: Buffer.from(header("/x")),
  });
  expect(readdirSync(join(fileAt("/two"), ".."))).toEqual(["evil.jsonl"]);
});
