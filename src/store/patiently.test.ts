import { expect, test } from "vitest";
import { patiently, patientlyOverall } from "./patiently.ts";

const busy = Object.assign(new Error("database is locked"), { errcode: 5 });

/** Fails so many times, then gives its value. */
function failing(times: number, error: Error) {
  let left = times;
  return () => {
    if (left-- > 0) throw error;
    return "value";
  };
}

test("a lock that comes free in time is got", () => expect(patiently(failing(20, busy))).toBe("value"));

test("a lock that never comes free is an error in the end", () =>
  expect(() => patiently(failing(400, busy))).toThrow(busy));

test("another error is not tried again", () => {
  const mistake = new Error("mistake");
  expect(() => patiently(failing(1, mistake))).toThrow(mistake);
});

test("where a host waits for the answer, all waits together are short", () => {
  const wait = patientlyOverall();
  expect(wait(failing(100, busy))).toBe("value");
  expect(() => wait(failing(100, busy))).toThrow(busy);
  expect(wait(failing(0, busy))).toBe("value");
});
