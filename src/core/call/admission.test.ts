import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { countSteps, growth } from "../../../test/builders/steps.ts";
import { PRIORITIES, type Priority } from "../todo/index.ts";
import { type Admission, type Candidate, createAdmission } from "./admission.ts";
import { type Claim, conflict } from "./claim.ts";

const steps = await countSteps(/core\/call\//);

/** "w:/a r:/b" are claims; "high", "alone" and "<x,y" (needs) may stand between them. */
function candidate(id: string, text = ""): Candidate {
  const words = text.split(" ");
  const claims = words.flatMap((word): Claim[] => {
    if (word.startsWith("r:")) return [{ path: word.slice(2), access: "read" }];
    return word.startsWith("w:") ? [{ path: word.slice(2), access: "write" }] : [];
  });
  return {
    id,
    claims,
    priority: PRIORITIES.find((priority) => words.includes(priority)) ?? "medium",
    exclusive: words.includes("alone"),
    needs:
      words
        .find((word) => word.startsWith("<"))
        ?.slice(1)
        .split(",") ?? [],
  };
}

function drain(admission: Admission): string[] {
  const started: string[] = [];
  for (let id = admission.next(); id !== undefined; id = admission.next()) started.push(id);
  return started;
}

/** Adds and clears every call, then settles round by round; each round is what runs side by side. */
function rounds(calls: readonly Candidate[], slots = 10): string {
  const admission = createAdmission(slots);
  for (const call of calls) admission.add(call);
  for (const { id } of calls) admission.clear(id);
  const seen: string[] = [];
  for (let started = drain(admission); started.length > 0; started = drain(admission)) {
    seen.push(started.join(" "));
    for (const id of started) admission.settle(id, "met", "released");
  }
  expect(admission.held).toEqual({ seats: 0, working: 0, late: 0, paths: 0 });
  return seen.join(" | ");
}
const named = (...texts: string[]) => texts.map((text, index) => candidate("abcdefgh"[index]!, text));

describe("what runs side by side", () => {
  test.each([
    ["calls without claims", "a b c", named("", "", "")],
    ["a write, then two reads of it", "a | b c", named("w:/x", "r:/x", "r:/x")],
    ["reads, a write, reads", "a b | c | d e", named("r:/x", "r:/x", "w:/x", "r:/x", "r:/x")],
    ["writes of one file go one by one, in order", "a | b | c", named("w:/x", "w:/x", "w:/x")],
    ["writes of different files go together", "a b c", named("w:/x", "w:/y", "w:/z")],
    ["a write of a folder waits for what is below it", "a b | c | d", named("w:/x/a", "r:/x/b", "w:/x", "r:/x/a")],
    ["a read of a folder lets reads below go on", "a b | c", named("r:/x", "r:/x/y", "w:/x/y/z")],
    ["a reader cannot overtake a waiting writer", "a d | b | c", named("r:/x", "w:/x", "r:/x", "r:/y")],
    ["two claims of one call", "a | b | c", named("r:/x w:/y", "w:/x", "r:/x w:/y")],
    ["a call never stands in its own way", "a | b", named("w:/x w:/x/y r:/x r:/x/y/z", "r:/x/q")],
    ["an exclusive call runs alone", "a | b | c", named("", "alone", "")],
    ["needs hold a call back", "b | a", named("<b", "").reverse()],
    ["high before medium before low", "c b a | d", named("low", "medium", "high", "low")],
    ["equal priority keeps the order", "a c e | b d", named("high", "low", "high", "low", "high")],
    ["priority does not break the order of conflicting calls", "a | b", named("low w:/x", "high w:/x")],
    ["an exclusive call of high priority goes first", "b | a c", named("", "high alone", "")],
  ])("%s: %s", (_situation, expected, calls) => expect(rounds(calls, 3)).toBe(expected));

  test("the cap bounds what is at work", () => expect(rounds(named("", "", "", "", ""), 2)).toBe("a b | c d | e"));
});

describe("one step at a time", () => {
  function begin(slots: number, ...calls: Candidate[]): Admission {
    const admission = createAdmission(slots);
    for (const call of calls) admission.add(call);
    return admission;
  }

  test("a call starts only when it is cleared", () => {
    const admission = begin(9, ...named("", ""));
    admission.clear("b");
    expect(drain(admission)).toEqual(["b"]);
    admission.clear("a");
    expect(drain(admission)).toEqual(["a"]);
  });

  test("what is not cleared holds up its path, not the others", () => {
    const admission = begin(9, ...named("w:/x", "r:/x", "r:/y"));
    admission.clear("b");
    admission.clear("c");
    expect(drain(admission)).toEqual(["c"]);
    admission.settle("a", "failed", "released");
    expect(drain(admission)).toEqual(["b"]);
  });

  test("an exclusive call that is not cleared holds no other call up", () => {
    const admission = begin(9, ...named("alone", ""));
    admission.clear("b");
    expect(drain(admission)).toEqual(["b"]);
    admission.clear("a");
    expect(drain(admission)).toEqual([]);
    admission.settle("b", "met", "released");
    expect(drain(admission)).toEqual(["a"]);
  });

  test("a failed call names those that needed it, and only those", () => {
    const admission = begin(9, ...named("", "<a", "<b", ""));
    expect(admission.settle("a", "failed", "released")).toEqual(["b"]);
    expect(admission.settle("b", "failed", "released")).toEqual(["c"]);
    expect(admission.add(candidate("e", "<a"))).toEqual({ ok: false, code: "need_failed", need: "a" });
    admission.clear("d");
    expect(drain(admission)).toEqual(["d"]);
  });

  test("a need that succeeded long ago holds no call back", () => {
    const admission = begin(9, ...named(""));
    admission.clear("a");
    drain(admission);
    admission.settle("a", "met", "released");
    admission.add(candidate("b", "<a"));
    admission.clear("b");
    expect(drain(admission)).toEqual(["b"]);
  });

  test("a tool that is still at work keeps its paths, not its slot", () => {
    const admission = begin(1, ...named("w:/x", "w:/x", "w:/y"));
    for (const id of ["a", "b", "c"]) admission.clear(id);
    expect(drain(admission)).toEqual(["a"]);
    admission.settle("a", "failed", "kept");
    expect(drain(admission)).toEqual(["c"]);
    admission.settle("c", "met", "released");
    expect(drain(admission)).toEqual([]);
    admission.release("a");
    admission.release("a");
    expect(drain(admission)).toEqual(["b"]);
    admission.settle("b", "met", "released");
    expect(admission.held).toEqual({ seats: 0, working: 0, late: 0, paths: 0 });
  });

  test("an exclusive tool that is still at work keeps everyone out until it is released", () => {
    const admission = begin(9, ...named("alone", ""));
    admission.clear("a");
    admission.clear("b");
    drain(admission);
    admission.settle("a", "failed", "kept");
    expect(drain(admission)).toEqual([]);
    admission.release("a");
    expect(drain(admission)).toEqual(["b"]);
  });

  test("edited arguments claim anew, in the old place in line", () => {
    const admission = begin(9, ...named("w:/x", "w:/y <a", "r:/x"));
    admission.clear("b");
    admission.clear("c");
    admission.reclaim("a", [{ path: "/y", access: "write" }], false);
    expect(drain(admission)).toEqual(["c"]);
    admission.clear("a");
    expect(drain(admission)).toEqual(["a"]);
    admission.settle("a", "met", "released");
    expect(drain(admission)).toEqual(["b"]);
  });

  test("edited arguments wait for what is already at work there", () => {
    const admission = begin(9, ...named("w:/x", "w:/y"));
    admission.clear("b");
    expect(drain(admission)).toEqual(["b"]);
    admission.reclaim("a", [{ path: "/y", access: "write" }], false);
    admission.clear("a");
    expect(drain(admission)).toEqual([]);
    admission.settle("b", "met", "released");
    expect(drain(admission)).toEqual(["a"]);
  });

  test("ids are remembered after the call has ended", () => {
    const admission = begin(9, ...named(""));
    expect([admission.knows("a"), admission.knows("b")]).toEqual([true, false]);
    admission.settle("a", "met", "released");
    expect(admission.knows("a")).toBe(true);
  });
});

describe("laws", () => {
  /** The same rules, written as plainly as possible and looking at everybody every time. */
  class Plain {
    calls: (Candidate & { status: "waiting" | "working" | "late" | "gone"; cleared: boolean; outcome?: string })[] = [];
    readonly slots: number;
    constructor(slots: number) {
      this.slots = slots;
    }
    next(): string | undefined {
      const working = this.calls.filter(({ status }) => status === "working");
      const holding = this.calls.filter(({ status }) => status === "working" || status === "late");
      if (working.length >= this.slots || holding.some(({ exclusive }) => exclusive)) return undefined;
      const best = this.calls
        .filter((call) => this.isReady(call))
        .sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority))[0];
      if (best === undefined || (best.exclusive && holding.length > 0)) return undefined;
      best.status = "working";
      return best.id;
    }
    isReady(call: Plain["calls"][number]): boolean {
      if (call.status !== "waiting" || !call.cleared) return false;
      if (call.needs.some((need) => this.calls.find(({ id }) => id === need)?.outcome !== "met")) return false;
      return !this.calls.some(
        (other, index) =>
          other !== call &&
          (other.status === "working" ||
            other.status === "late" ||
            (other.status === "waiting" && index < this.calls.indexOf(call))) &&
          other.claims.some((a) => call.claims.some((b) => conflict(a, b))),
      );
    }
  }

  const claims = fc.array(
    fc.record({
      path: fc.constantFrom("/", "/a", "/a/b", "/a/b/c", "/ab", "/d"),
      access: fc.constantFrom("read" as const, "write" as const),
    }),
    { maxLength: 3 },
  );
  const step = fc.oneof(
    fc.record({
      do: fc.constant("add" as const),
      claims,
      priority: fc.constantFrom<Priority>(...PRIORITIES),
      exclusive: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      needs: fc.array(fc.nat(20), { maxLength: 2 }),
    }),
    fc.record({ do: fc.constantFrom("clear", "settle", "fail", "keep", "release", "next"), at: fc.nat(20) }),
    fc.record({ do: fc.constant("reclaim" as const), at: fc.nat(20), claims }),
  );

  test("admission agrees with the plain rules, step by step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (slots, steps) => {
        const admission = createAdmission(slots);
        const plain = new Plain(slots);
        for (const action of steps) {
          if (action.do === "add") {
            if (!("needs" in action)) continue;
            const id = `c${plain.calls.length}`;
            const needs = action.needs.filter((n) => n < plain.calls.length).map((n) => `c${n}`);
            const doomed = needs.some((need) => plain.calls.find((call) => call.id === need)?.outcome === "failed");
            const call = { id, needs, claims: action.claims, priority: action.priority, exclusive: action.exclusive };
            expect(admission.add(call).ok).toBe(!doomed);
            plain.calls.push(
              doomed
                ? { ...call, status: "gone", cleared: false, outcome: "failed" }
                : { ...call, status: "waiting", cleared: false },
            );
          } else if (action.do === "next") {
            expect(admission.next()).toBe(plain.next());
          } else {
            const call = plain.calls[action.at];
            if (call === undefined) continue;
            if (action.do === "clear") {
              admission.clear(call.id);
              call.cleared = true;
            } else if (action.do === "reclaim" && "claims" in action) {
              if (call.status !== "waiting") continue;
              admission.reclaim(call.id, action.claims, call.exclusive);
              Object.assign(call, { claims: action.claims });
            } else if (action.do === "release") {
              admission.release(call.id);
              if (call.status === "late") call.status = "gone";
            } else if (call.outcome === undefined) {
              // settle, fail, keep; what needed a failed call fails with it, as the scheduler does
              const outcome = action.do === "settle" ? "met" : "failed";
              const list: [typeof call, "met" | "failed", "released" | "kept"][] = [
                [call, outcome, action.do === "keep" ? "kept" : "released"],
              ];
              for (const [each, result, kept] of list) {
                if (each.outcome !== undefined) continue;
                const doomed = admission.settle(each.id, result, kept);
                each.outcome = result;
                each.status = kept === "kept" && each.status === "working" ? "late" : "gone";
                for (const id of doomed) list.push([plain.calls.find((c) => c.id === id)!, "failed", "released"]);
              }
            }
          }
        }
        for (const call of plain.calls) {
          admission.settle(call.id, "met", "released");
          admission.release(call.id);
        }
        expect(admission.held).toEqual({ seats: 0, working: 0, late: 0, paths: 0 });
      }),
      { numRuns: 1500 },
    );
  });

  /** A rescan per step would show as an exponent near 2. */
  test.each([
    ["no claims", () => ""],
    ["one file written by all", () => "w:/x"],
    ["each its own file", (i: number) => `w:/d/${i}`],
    ["readers of a folder between writers below it", (i: number) => (i % 2 === 0 ? "r:/d" : `w:/d/${i}`)],
    ["a chain of needs", (i: number) => (i === 0 ? "" : `<c${i - 1}`)],
    ["all need the first", (i: number) => (i === 0 ? "" : "<c0")],
    ["every tenth alone", (i: number) => (i % 10 === 0 ? "alone" : "")],
  ])("cost grows with the calls, not with their square: %s", async (_name, text) => {
    const work = (n: number) => {
      const calls = Array.from({ length: n }, (_, i) => candidate(`c${i}`, text(i)));
      const admission = createAdmission(10);
      for (const call of calls) admission.add(call);
      for (const call of calls) admission.clear(call.id);
      const working: string[] = [];
      for (let settled = 0; settled < n; settled++) {
        working.push(...drain(admission));
        admission.settle(working.shift()!, "met", "released");
      }
    };
    expect(await growth(steps, work, [500, 8_000])).toBeLessThan(1.2);
  });
});
