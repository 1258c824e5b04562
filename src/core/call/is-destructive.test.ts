import { expect, test } from "vitest";
import { isDestructive } from "./is-destructive.ts";

test.each([
  ["rm -r build", true],
  ["cd x && rm -rf y", true],
  ["git reset --hard HEAD~1", true],
  ["git push --force", true],
  ["git clean -fdx", true],
  ["find . -name '*.ts' -delete", true],
  ["psql -c 'DROP TABLE users'", true],
  ["docker system prune -f", true],
  ["kubectl -n prod delete pod x", true],
  ["npm publish", true],
  ["npm test", false],
  ["git status", false],
  ["echo alarm", false],
  ["node --test test/rm.test.js", false],
  ["touch a", false],
  ["ls > /dev/null", false],
  ["npm run format", false],
])("%s -> %s", (command, expected) => expect(isDestructive(command)).toBe(expected));
