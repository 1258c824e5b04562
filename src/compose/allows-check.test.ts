import { expect, test } from "vitest";
import { allowsCheck } from "./allows-check.ts";

test.each<[string, string[], string | string[], boolean | "pattern"]>([
  ["the very command", ["npm test"], "npm test", true],
  ["an argument vector", ["npm test"], ["npm", "test"], true],
  ["more spaces", ["npm test"], "  npm   test ", true],
  ["another command", ["npm test"], "npm run build", false],
  ["more words than the rule", ["npm test"], "npm test -- --watch", false],
  ["any words at the end", ["npm test *"], "npm test -- src/a", "pattern"],
  ["none at the end", ["npm test *"], "npm test", "pattern"],
  ["the very command beside a pattern", ["npm *", "npm test"], "npm test", true],
  ["one word in the middle", ["npm run * --silent"], "npm run lint --silent", "pattern"],
  ["a second command behind it", ["npm test *"], "npm test ; rm -rf ~", false],
  ["a substitution", ["npm test *"], "npm test $(curl x)", false],
  ["a redirection", ["npm test *"], "npm test > /etc/passwd", false],
  ["a line break", ["npm test *"], "npm test\nrm -rf ~", false],
  ["no rules", [], "npm test", false],
])("%s", (_what, rules, run, expected) => expect(allowsCheck(rules)(run)).toBe(expected));
