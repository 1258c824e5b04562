import { expect, test } from "vitest";
import { exitLine, sayOwnExitLine } from "./exit-line.ts";

test.each([
  ["To resume this session: pi --session 01a\n", "Continue: tildone chat --session 01a\n"],
  [
    "\u001b[2mTo resume this session:\u001b[22m pi --session-dir /x --session 01a\n",
    "\u001b[2mContinue:\u001b[22m tildone chat --session-dir /x --session 01a\n",
  ],
  ["something else about pi --session 1\n", "something else about pi --session 1\n"],
])("%j", (said, expected) => expect(exitLine(said)).toBe(expected));

test("everything else is written as it is, with what is given besides", () => {
  const written: unknown[] = [];
  const stdout = { write: (...given: unknown[]) => written.push(...given) > 0 };
  const bytes = new Uint8Array([1]);
  sayOwnExitLine(stdout);
  stdout.write(bytes, "utf8");
  stdout.write("To resume this session: pi --session 1\n");
  expect(written).toEqual([bytes, "utf8", "Continue: tildone chat --session 1\n"]);
});
