import { expect, test } from "vitest";
import type { Asked } from "./asked-by.ts";
import { type Cut, judgeLate } from "./judge-late.ts";

const changes = [
  { run: "r", epoch: 1, machine: "a", at: 1_000 },
  { run: "r", epoch: 2, machine: "b", at: 10_000 },
];
const asks = (at: number, machine: string, isNudge = false): Asked => ({ at, machine, run: "r", isNudge });
const once = (epoch: number) => ({ run: "r", epoch, count: 1 });
const FROZEN: Cut = { machine: "a", from: 4_000, to: 20_000 };

test.each<[string, readonly string[], readonly Asked[], readonly Cut[], readonly ReturnType<typeof once>[]]>([
  ["each works under its own claim", [], [asks(2_000, "a"), asks(11_000, "b", true)], [], [once(2)]],
  ["one request was in flight", [], [asks(10_100, "a")], [], []],
  ["the turn ends while the machine is cut off", [], [1, 2, 3].map((s) => asks(10_000 + s * 1_000, "a")), [FROZEN], []],
  ["one request after it stood still", [], [asks(20_050, "a")], [FROZEN], []],
  [
    "a nudge that was recorded before goes out after it stood still",
    [],
    [asks(20_050, "a", true)],
    [FROZEN],
    [once(1)],
  ],
  [
    "two requests although it could know",
    ["r: claim 1 asked the model 2 times after it could know of the next one"],
    [asks(20_050, "a"), asks(20_100, "a")],
    [FROZEN],
    [],
  ],
  [
    "one request long after it could know",
    ["r: claim 1 asked the model 6000 ms after it could know of the next one"],
    [asks(26_000, "a")],
    [FROZEN],
    [],
  ],
  [
    "a cut of another machine excuses nothing",
    ["r: claim 1 asked the model 10100 ms after it could know of the next one"],
    [asks(20_100, "a")],
    [{ ...FROZEN, machine: "b" }],
    [],
  ],
  [
    "a nudge that its claim never recorded",
    ["r: claim 1 told its agent to continue 1 times more than it recorded"],
    [asks(10_100, "a", true)],
    [FROZEN],
    [once(2)],
  ],
  [
    "two nudges after the next claim, while it was cut off",
    ["r: claim 1 told its agent to continue 2 times after the next one"],
    [asks(10_100, "a", true), asks(11_100, "a", true)],
    [FROZEN],
    [once(1), once(1)],
  ],
  ["a request before any claim", ["r: c asked the model, and had never claimed it"], [asks(11_000, "c")], [], []],
])("%s", (_name, problems, asked, cuts, nudges) => {
  expect(judgeLate({ asked, changes, cuts, nudges }).problems).toEqual(problems);
});
