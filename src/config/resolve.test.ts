import { expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import type { Layer, LayerName } from "./layer.ts";
import { defaultLayer, loosens, resolve } from "./resolve.ts";
import { ROWS } from "./settings.ts";

/** Valid values for each setting that is one value, written here and not taken from the table's own kinds. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "continuation.enabled": [true, false],
  "continuation.countdown": [0, 1000, 5000],
  "continuation.idleTurns": [1, 3, 9],
  "continuation.maxContinuations": [1, 20, 99],
  "budget.tokens": [1, 1000, 1_000_000],
  "budget.perTodo.cost": [0.5, 3],
  "approval.mode": ["yolo", "auto-edit", "ask", "plan"],
  confine: ["off", "auto", "required"],
  "approval.timeout": [1, 1_800_000, 3_600_000],
  "waits.background": [0, 1_800_000, 7_200_000],
  "waits.backoff": [1, 5000, 60_000],
  "agents.*.model": ["a/b", "c/d"],
  notify: ["bell", "ring"],
};
const KEYS = Object.keys(VALUES);
const NAMES = ["user", "project", "environment", "flag"] as const satisfies readonly LayerName[];

const entries = fc
  .record(Object.fromEntries(KEYS.map((key) => [key, fc.constantFrom(...VALUES[key]!)])), { requiredKeys: [] })
  .map((record) => new Map(Object.entries(record)));
const someLayers = fc
  .tuple(entries, entries, entries, entries)
  .map((all) => all.map((map, index): Layer => ({ name: NAMES[index]!, source: NAMES[index]!, entries: map })));

/** What holds without the project: said again in the plainest way. */
const strongestOf = (key: string, layers: readonly Layer[]): unknown => {
  const saying = layers.filter((layer) => layer.entries.has(key));
  return saying.length === 0 ? ROWS.get(key)!.default : saying.at(-1)!.entries.get(key);
};

test("the value is that of the strongest layer, unless an untrusted project would loosen it", () => {
  fc.assert(
    fc.property(someLayers, fc.constantFrom("trusted", "unknown", "changed"), (layers, standing) => {
      const { values, warnings } = resolve([defaultLayer, ...layers], {}, standing);
      const [user, project, ...stronger] = layers as [Layer, Layer, ...Layer[]];
      const ignored: string[] = [];
      for (const key of KEYS) {
        const base = strongestOf(key, [user]);
        const isIgnored =
          project.entries.has(key) &&
          (ROWS.get(key)!.project === "never" ||
            (standing !== "trusted" && loosens(ROWS.get(key)!, project.entries.get(key), base)));
        if (isIgnored) ignored.push(key);
        const heard = isIgnored ? [user, ...stronger] : layers;
        expect([key, (values as Record<string, unknown>)[key]]).toEqual([key, strongestOf(key, heard)]);
      }
      expect(warnings.map(({ key }) => key).sort()).toEqual(ignored.sort());
    }),
    { numRuns: 500 },
  );
});

test("whatever an untrusted project says, no setting allows more than without it", () => {
  fc.assert(
    fc.property(someLayers, (layers) => {
      const [user, , environment, flag] = layers as [Layer, Layer, Layer, Layer];
      const withProject = resolve([defaultLayer, ...layers], {}, "unknown").values as Record<string, unknown>;
      const without = resolve([defaultLayer, user, environment, flag], {}, "unknown").values as Record<string, unknown>;
      for (const [key, row] of ROWS) {
        if (row.kind.isList) expect(withProject[key]).toEqual(expect.arrayContaining(without[key] as unknown[]));
        else expect([key, loosens(row, withProject[key], without[key])]).toEqual([key, false]);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["lower", 4, 5, false],
  ["lower", 6, 5, true],
  ["lower", 6, undefined, false],
  ["raise", 4, 5, true],
  ["raise", 6, 5, false],
  ["turn_off", true, false, true],
  ["turn_off", true, "never", true],
  ["turn_off", false, true, false],
  ["turn_off", "never", true, false],
  ["tighten", "plan", "ask", false],
  ["tighten", "auto-edit", "ask", true],
  ["tighten", "yolo", "auto-edit", true],
  ["tighten", "required", "auto", false],
  ["tighten", "auto", "off", false],
  ["tighten", "auto", "required", true],
  ["tighten", "off", "auto", true],
  ["set", 1, 2, false],
  ["nothing", "a", "b", true],
  ["nothing", "a", undefined, true],
  ["nothing", "a", "a", false],
] as const)("%s: %s after %s loosens: %s", (project, value, base, expected) => {
  expect(loosens({ project }, value, base)).toBe(expected);
});
