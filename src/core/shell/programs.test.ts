import { expect, test } from "vitest";
import { programsNeeded } from "./programs.ts";

test.each([
  ["npm test", ["npm"]],
  ["npm ci && npm run lint | tee out", ["npm", "npm", "tee"]],
  ["pytest || python -m pytest", []],
  ["cd sub && ./check.sh", ["./check.sh"]],
  ["test -f made", []],
  ["CI=1 make", ["make"]],
  ["if true; then nope; fi", []],
  ["$RUNNER test", []],
  ["(cd a; go test ./...)", ["go"]],
  ["'unfinished", []],
])("%s", (line, needed) => expect(programsNeeded(line)).toEqual(needed));
