import { join } from "node:path";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { systemClock } from "../src/compose/index.ts";
import type { Run } from "../src/core/run/index.ts";
import { nudgeText } from "../src/core/words/index.ts";
import type { Store } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import { aRun, todos } from "../src/testing/index.ts";
import { forerunnersWords } from "../test/builders/forerunner.ts";
import { type Answer, calls, openInProcess, says } from "../test/e2e/pi/in-process.ts";
import type { Bench, Row } from "./harness.ts";
import { goesOn, itemText, listOf } from "./one-item-a-turn.ts";

const SIZES = [3, 20, 100];

/**
 * What a continuation costs in pi besides the model: the same requests and calls with a bare extension that always goes
 * on as the floor. And what it adds to the context, beside the forerunner's words for the same list.
 */
export default async function (bench: Bench): Promise<readonly Row[]> {
  const store = await openStore({ path: join(bench.folder, "runs.db") });
  bench.defer(() => store.close());
  return [
    ...[3, 20].flatMap((items): readonly Row[] => [
      {
        // Five durable commits each: what is left over the row below is the disk.
        name: `a continuation in pi, list of ${items}`,
        run: () => perContinuation(items, { store }),
        floor: () => perContinuation(items, { bare: true, after: [lists(items)] }),
        target: { atMost: 25 },
        repeat: 9,
      },
      {
        name: `the same, log in memory, list of ${items}`,
        run: () => perContinuation(items, {}),
        floor: () => perContinuation(items, { bare: true, after: [lists(items)] }),
        target: { atMost: 4 },
        repeat: 9,
      },
    ]),
    ...SIZES.map(
      (items): Row => ({
        name: `words per continuation, list of ${items}`,
        run: () => tokensPerContinuation(items, (run) => nudgeText(run, "todo")),
        floor: () => tokensPerContinuation(items, forerunnersWords),
        target: { atMost: 1 },
        unit: "tok",
        repeat: 1,
      }),
    ),
  ];
}

async function perContinuation(
  items: number,
  options: { store?: Store; bare?: boolean; after?: ExtensionFactory[] },
): Promise<number> {
  await using pi = await openInProcess({ mode: "rpc", clock: systemClock(), ...options });
  pi.faux.setResponses(stopsAfterEach(items));
  const begun = performance.now();
  await pi.session.prompt("do it");
  const ms = performance.now() - begun;
  if (pi.faux.getPendingResponseCount() > 0) throw new Error("it stopped before the end");
  return ms / items;
}

function stopsAfterEach(items: number): Answer[] {
  const each = Array.from({ length: items }, (_, at) => [
    calls(["edit_todos", { action: "start", indices: [at] }], ["edit_todos", { action: "complete", indices: [at] }]),
    says("I stop here."),
  ]);
  return [calls(listOf(items)), says("I stop here."), ...each.flat()];
}

/** Says the whole list each time. */
function lists(items: number): ExtensionFactory {
  const words = Array.from({ length: items }, (_, at) => `– [${at}] ${itemText(at)}`).join("\n");
  return goesOn(items, { tool: words, nudge: words });
}

/** The mean over a whole run in which one item after the other is finished. Four characters are about a token. */
function tokensPerContinuation(items: number, words: (run: Run) => string): number {
  const runs = Array.from({ length: items }, (_, done) =>
    aRun({
      todos: todos(
        ...Array.from({ length: items }, (_, at) => (at < done ? ("completed" as const) : ("not_started" as const))),
      ).map((todo, at) => ({ ...todo, text: itemText(at) })),
    }),
  );
  return runs.reduce((sum, run) => sum + words(run).length / 4, 0) / items;
}
