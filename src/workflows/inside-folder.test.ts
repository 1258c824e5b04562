import { posix, win32 } from "node:path";
import { expect, test } from "vitest";
import { isInside } from "./inside-folder.ts";

test.each([
  ["a file below", "/root", "/root/a/b.md", posix, true],
  ["a name that begins with two dots", "/root", "/root/..a/b.md", posix, true],
  ["the root itself", "/root", "/root", posix, false],
  ["its parent", "/root", "/", posix, false],
  ["a sibling with the same beginning", "/root", "/rooted/a.md", posix, false],
  ["Windows: below", "C:\\root", "C:\\root\\a.md", win32, true],
  ["Windows: letter case does not matter", "C:\\Root", "c:\\rOOT\\a.md", win32, true],
  ["Windows: another drive", "C:\\root", "D:\\root\\a.md", win32, false],
  ["Windows: a share", "C:\\root", "\\\\server\\root\\a.md", win32, false],
  ["Windows: up", "C:\\root", "C:\\a.md", win32, false],
])("%s", (_name, root, target, paths, expected) => expect(isInside(root, target, paths)).toBe(expected));
