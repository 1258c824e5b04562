import { expect, test } from "vitest";
import { childEnvironment, withoutDatabase } from "./run-home.ts";

test("settings reach the agent without the database", () => {
  const yaml =
    "checks:\n  run: []\ndatabase:\n  # mine\n  url: postgres://u:p@h/d\nfleet:\n  allow: ['*']\nnotify:\n  on: []\n";
  expect(withoutDatabase(yaml)).toBe("checks:\n  run: []\nnotify:\n  on: []\n");
  expect(withoutDatabase('"database": { url: "postgres://x" }\nagent: {}\n')).toBe("agent: {}\n");
  expect(withoutDatabase('{ "database": { "url": "postgres://x" }, "agent": {} }\n')).not.toContain("postgres");
  expect(withoutDatabase("? database\n: url: postgres://x\nagent: {}\n")).toBe("agent: {}\n");
  for (const unread of ["", "# nothing\n", "database: {url: postgres://x\n"]) expect(withoutDatabase(unread)).toBe("");
});

test("the environment reaches the agent without the database and what names a run", () => {
  const env = {
    PATH: "/bin",
    TILDONE_DATABASE_URL: "postgres://x",
    PGPASSWORD: "p",
    DBOS__X: "1",
    TILDONE_RUN_ID: "r",
    NODE_CHANNEL_FD: "3",
  };
  expect(childEnvironment(env)).toEqual({ PATH: "/bin" });
});
