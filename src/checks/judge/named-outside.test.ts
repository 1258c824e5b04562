import { expect, test } from "vitest";
import { namedOutside } from "./named-outside.ts";

const env = { HOME: "/home/me", DATA: "/srv/data", ALIVE: "/srv/alive" };
const ROOT = "/home/me/project";

test.each([
  ["from home on", ["grep", "strict", "~/.house/rules"], ["/home/me/.house/rules"]],
  ["by a variable", ["cat", "$HOME/.a", "$" + "{DATA}/b"], ["/home/me/.a", "/srv/data/b"]],
  ["beside a variable", ["[", "-e", "$ALIVE.skip", "]"], ["/srv/alive.skip"]],
  ["from the root on", ["diff", "a.txt", "/srv/expected.txt"], ["/srv/expected.txt"]],
  ["in an option", ["tool", "--rules=/srv/rules.json"], ["/srv/rules.json"]],
  ["in a line of another shell", ["sh", "-c", "cat ~/.x && cat /srv/y"], ["/home/me/.x", "/srv/y"]],
  ["with a way back", ["cat", "/srv/a/../b/"], ["/srv/b"]],
  ["inside of the project", ["cat", "/home/me/project/a", "$HOME/project/b"], []],
  ["of the system", ["/usr/bin/grep", "x", "/dev/null", "/proc/self/maps"], []],
  ["of a program installed by hand", ["/usr/local/bin/tool"], ["/usr/local/bin/tool"]],
  ["by a variable that nobody set", ["cat", "$NOWHERE/a"], []],
  ["relative", ["cat", "src/a", "./b", "src/../c", "../project/d"], []],
  ["above the project", ["cat", "../shared/rules"], ["/home/me/shared/rules"]],
])("a path %s", (_how, words, expected) => {
  expect(namedOutside([words], env, ROOT)).toEqual(expected);
});
