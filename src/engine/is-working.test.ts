import { expect, test } from "vitest";
import type { RunSummary } from "./card.ts";
import { isAgedOut, isWaiting, isWorking, livingDriver } from "./is-working.ts";
import type { Driver, RunCard } from "./ports.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const aCard = (state: RunSummary["state"], minutesAgo = 1, more: Partial<RunSummary> = {}): RunCard => ({
  run: "r",
  host: "pi",
  session: "s",
  cwd: "/p",
  live: state !== "ended",
  began: 0,
  updated: NOW - minutesAgo * MINUTE,
  summary: { done: 0, total: 1, state, held: false, driver: "d1", ...more } satisfies RunSummary,
});

const aDriver = (kind: Driver["kind"], isAlive: boolean, driver = "d1"): Driver => ({
  kind,
  driver,
  program: "pi",
  pid: 1,
  machine: "m",
  since: 0,
  isHere: true,
  isAlive,
});

const orphan = (kind: Driver["kind"]): Driver => ({ ...aDriver(kind, false), isHostGone: true });

test.each<[string, boolean, RunCard, readonly Driver[]]>([
  ["an engine lives, in a turn", true, aCard("working", 1), [aDriver("engine", true)]],
  ["an engine lives, silent for hours", true, aCard("working", 600), [aDriver("engine", true)]],
  ["an engine lives, at a long wait", true, aCard("wait", 600), [aDriver("engine", true)]],
  ["an engine lives, stopped: your next message wakes it", true, aCard("stop", 600), [aDriver("engine", true)]],
  ["a session server lives", true, aCard("stop", 600), [aDriver("server", true)]],
  ["a supervisor lives between two processes", true, aCard("wait", 600), [aDriver("supervisor", true)]],
  ["the run has ended, whoever lives", false, aCard("ended", 1), [aDriver("engine", true)]],
  ["its engine was killed in a turn a minute ago", false, aCard("working", 1), [aDriver("engine", false)]],
  ["a server died, and its agent may live on", true, aCard("working", 1), [aDriver("server", false)]],
  ["a supervisor died, and its agent may live on", true, aCard("working", 1), [aDriver("supervisor", false)]],
  ["a server died with its host", false, aCard("working", 1), [orphan("server")]],
  [
    "a server lost its host a moment ago, and its engine with it",
    false,
    aCard("wait"),
    [orphan("server"), orphan("engine")],
  ],
  [
    "a supervisor is about to start the host that died again",
    true,
    aCard("working"),
    [orphan("server"), aDriver("supervisor", true)],
  ],
  ["a supervisor died with its host", false, aCard("working"), [orphan("server"), aDriver("supervisor", false)]],
  ["a server died, and nothing was heard for long", false, aCard("working", 31), [aDriver("server", false)]],
  ["nobody is known, a turn heard of 29 minutes ago", true, aCard("working", 29), []],
  ["nobody is known, a turn heard of 30 minutes ago", false, aCard("working", 30), []],
  ["nobody is known, told to continue a minute ago", true, aCard("continue", 1), []],
  ["nobody is known, stopped a minute ago", false, aCard("stop", 1), []],
  ["its host left", false, aCard("left", 1), []],
  ["an engine that lost its claim to another drives nothing", false, aCard("stop"), [aDriver("engine", true, "old")]],
  [
    "the new driver lives, the old one died",
    true,
    aCard("stop"),
    [aDriver("engine", false, "d0"), aDriver("engine", true)],
  ],
  [
    "a card of an older version names no driver",
    true,
    aCard("stop", 1, { driver: undefined! }),
    [aDriver("engine", true, "x")],
  ],
])("%s -> %s", (_situation, expected, card, drivers) => {
  expect(isWorking(card, drivers, NOW)).toBe(expected);
});

test.each<[string, boolean, RunCard, readonly Driver[]]>([
  ["at a wait", true, aCard("wait"), []],
  ["an approval is open in a turn", true, aCard("working", 60, { asks: 1 }), []],
  ["its engine died with the question", false, aCard("working", 1, { asks: 1 }), [aDriver("engine", false)]],
  ["stopped", false, aCard("stop"), []],
])("waits: %s -> %s", (_situation, expected, card, drivers) => {
  expect(isWaiting(card, drivers)).toBe(expected);
});

test.each<[string, boolean, RunCard, readonly Driver[]]>([
  ["stopped eight days ago", true, aCard("stop", (8 * DAY) / MINUTE), []],
  ["stopped six days ago", false, aCard("stop", (6 * DAY) / MINUTE), []],
  ["open in a terminal for eight days", false, aCard("stop", (8 * DAY) / MINUTE), [aDriver("engine", true)]],
  ["ended long ago: that is not the same", false, aCard("ended", (8 * DAY) / MINUTE), []],
])("aged out: %s -> %s", (_situation, expected, card, drivers) => {
  expect(isAgedOut(card, drivers, NOW, 7 * DAY)).toBe(expected);
});

test("the living driver is the one with the claim", () => {
  const drivers = [aDriver("engine", true, "old"), aDriver("engine", true)];
  expect(livingDriver(aCard("working"), drivers)?.driver).toBe("d1");
});
