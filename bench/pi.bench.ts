import { join } from "node:path";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { systemClock } from "../src/compose/index.ts";
import type { Run } from "../src/core/run/index.ts";
import { nudgeText } from "../src/core/words/index.ts";
import type { Store } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import { aRun, type Call, todos } from "../src/testing/index.ts";
import { forerunnersWords } from "../test/builders/forerunner.ts";
import { type Answer, calls, openInProcess, says } from "../test/e2e/pi/in-process.ts";
import type { Bench, Row } from "./harness.ts";

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
        floor: () => perContinuation(items, { bare: true, after: [goesOn(items)] }),
        target: { atMost: 25 },
        repeat: 9,
      },
      {
        name: `the same, log in memory, list of ${items}`,
        run: () => perContinuation(items, {}),
        floor: () => perContinuation(items, { bare: true, after: [goesOn(items)] }),
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
  const list: Call = [
    "write_todos",
    { mode: "replace", todos: Array.from({ length: items }, (_, at) => ({ text: text(at) })) },
  ];
  const each = Array.from({ length: items }, (_, at) => [
    calls(["edit_todos", { action: "start", indices: [at] }], ["edit_todos", { action: "complete", indices: [at] }]),
    says("I stop here."),
  ]);
  return [calls(list), says("I stop here."), ...each.flat()];
}

const text = (at: number): string => `item ${at}: make the part with this number work and test it`;

/** Tools of the same names that keep nothing, and a boundary that goes on so many times. */
const goesOn =
  (times: number): ExtensionFactory =>
  (pi) => {
    let left = times;
    const words = Array.from({ length: times }, (_, at) => `– [${at}] ${text(at)}`).join("\n");
    for (const name of ["write_todos", "edit_todos"])
      pi.registerTool({
        name,
        label: name,
        description: name,
        parameters: { type: "object", properties: {} } as never,
        executionMode: "sequential",
        execute: async () => ({ content: [{ type: "text", text: words }], details: {} }),
      });
    pi.on("agent_before_settle", ({ entries }) =>
      left-- > 0
        ? {
            continue: true,
            entries: [...entries, { type: "custom_message", customType: "go-on", content: words, display: true }],
          }
        : undefined,
    );
  };

/** The mean over a whole run in which one item after the other is finished. Four characters are about a token. */
function tokensPerContinuation(items: number, words: (run: Run) => string): number {
  const runs = Array.from({ length: items }, (_, done) =>
    aRun({
      todos: todos(
        ...Array.from({ length: items }, (_, at) => (at < done ? ("completed" as const) : ("not_started" as const))),
      ).map((todo, at) => ({ ...todo, text: text(at) })),
    }),
  );
  return runs.reduce((sum, run) => sum + words(run).length / 4, 0) / items;
}
