// Resolved to Vitest itself from here, and to this file from everywhere else.
export { expect, vi } from "vitest";

/** What test files take from Vitest, as far as those of the core do: they are collected here and run as often as wanted. */
export interface Collected {
  readonly name: string;
  readonly run: () => unknown;
}

type Body = (...given: never[]) => unknown;
type Hook = () => unknown;

let tests: Collected[] = [];
let around: { before: Hook[]; after: Hook[] } = { before: [], after: [] };

export function collect(): { readonly tests: readonly Collected[]; readonly end: readonly Hook[] } {
  const found = { tests, end: around.after };
  tests = [];
  around = { before: [], after: [] };
  return found;
}

function add(name: string, ...given: readonly unknown[]): void {
  const body = given.find((each) => typeof each === "function") as Body;
  const before = around.before;
  tests.push({
    name,
    run: async () => {
      for (const hook of before) await hook();
      await body();
    },
  });
}

const skip = (): void => {};
const each =
  (rows: readonly unknown[]) =>
  (name: string, ...given: readonly unknown[]): void => {
    const body = given.find((one) => typeof one === "function") as Body;
    for (const row of rows)
      add(name, () => (body as (...values: unknown[]) => unknown)(...(Array.isArray(row) ? row : [row])));
  };
const eachGroup =
  (rows: readonly unknown[]) =>
  (_name: string, body: Body): void => {
    for (const row of rows) (body as (...values: unknown[]) => unknown)(...(Array.isArray(row) ? row : [row]));
  };

export const test = Object.assign(add, { each, skip, skipIf: () => skip, runIf: () => add });
export const describe = Object.assign((_name: string, body: Body) => (body as () => unknown)(), {
  each: eachGroup,
  skip,
});
export const beforeEach = (hook: Hook): void => void around.before.push(hook);
export const afterEach = skip;
export const afterAll = (hook: Hook): void => void around.after.push(hook);
