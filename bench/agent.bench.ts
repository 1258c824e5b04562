import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "../src/compose/index.ts";
import type { Call, ModelRequest, Step } from "../src/testing/index.ts";
import { runAgent } from "../test/e2e/agent/in-process.ts";
import { type Answer, calls, openInProcess, says } from "../test/e2e/pi/in-process.ts";
import { askedFor } from "../test/e2e/pi/models.ts";
import type { Row } from "./harness.ts";
import { goesOn, listOf } from "./one-item-a-turn.ts";
import { KEPT, leastKept } from "./prefix.ts";

const ITEMS = 100;
const TIMED = 20;
const GO_ON = { tool: "Done.", nudge: "Go on." };

/**
 * What the standalone agent costs besides its model: its loop, its log on disk, its scheduler and its words, beside plain pi that does the
 * same work and is sent on by an extension that says "Go on." and knows nothing.
 */
export default async function (): Promise<readonly Row[]> {
  const heap = await heapOverTime(); // first, while nothing else is kept
  const long = once(longRun);
  const plain = once(plainRun);
  return [
    {
      name: `a turn of the agent, list of ${TIMED}`,
      run: () => perTurn(TIMED),
      floor: () => perPlainTurn(TIMED),
      target: { atMost: 12 },
      repeat: 9,
    },
    ...[1, 20, 100].map(
      (continuation): Row => ({
        name: `request at continuation ${continuation} of ${ITEMS}`,
        run: async () => tokensOf((await long()).requests, continuation),
        floor: async () => tokensOf(await plain(), continuation),
        target: { atMost: 1.6 },
        unit: "tok",
        repeat: 1,
      }),
    ),
    {
      name: `prefix kept over ${ITEMS} continuations`,
      run: async () => leastKept((await long()).requests.map(textOf)).before,
      floor: async () => leastKept((await long()).requests.map(textOf)).kept,
      target: KEPT,
      unit: "tok",
      repeat: 1,
    },
    {
      name: "heap at continuation 500 to 100",
      run: () => heap.at(500),
      floor: () => heap.at(100),
      target: { atMost: 1.2 },
      unit: "MiB",
      repeat: 1,
    },
  ];
}

const work = (at: number): readonly Call[] => [
  ["edit_todos", { action: "start", indices: [at] }],
  ["write", { path: `file-${at}.txt`, content: String(at) }],
  ["edit_todos", { action: "complete", indices: [at] }],
];

/** One item a turn, and then it stops. */
const stopsAfterEach =
  (items: number) =>
  (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
    const item = askedFor(request);
    return { calls: item === undefined ? [listOf(items)] : work(item) };
  };

async function perTurn(items: number): Promise<number> {
  const play = stopsAfterEach(items);
  let begun = 0;
  let ended = 0;
  const { todos } = await runAgent({
    model: (request) => {
      begun ||= performance.now();
      ended = performance.now();
      return play(request);
    },
  });
  if (!todos.every((todo) => todo.endsWith("completed"))) throw new Error("it stopped before the end");
  return (ended - begun) / items;
}

async function perPlainTurn(items: number): Promise<number> {
  let begun = 0;
  let ended = 0;
  const timed =
    (answer: Answer): Answer =>
    (context, ...more) => {
      begun ||= performance.now();
      ended = performance.now();
      return typeof answer === "function" ? answer(context, ...more) : answer;
    };
  await using pi = await openInProcess({
    mode: "print",
    clock: systemClock(),
    bare: true,
    after: [goesOn(items, GO_ON)],
  });
  pi.faux.setResponses(answersOf(items).map(timed));
  await pi.session.prompt("do it");
  return (ended - begun) / items;
}

const answersOf = (items: number): Answer[] => [
  calls(listOf(items)),
  says("I stop here."),
  ...Array.from({ length: items }, (_, at) => [calls(...work(at)), says("I stop here.")]).flat(),
];

const longRun = () => runAgent({ model: stopsAfterEach(ITEMS) });

/** The same conversation with plain pi, request by request. */
async function plainRun(): Promise<readonly ModelRequest[]> {
  const requests: ModelRequest[] = [];
  await using pi = await openInProcess({
    mode: "print",
    clock: systemClock(),
    bare: true,
    after: [goesOn(ITEMS, GO_ON)],
  });
  const kept =
    (answer: Answer): Answer =>
    (context, ...more) => {
      requests.push({ system: "", tools: [], messages: [], body: context });
      return typeof answer === "function" ? answer(context, ...more) : answer;
    };
  pi.faux.setResponses(answersOf(ITEMS).map(kept));
  await pi.session.prompt("do it");
  return requests;
}

/** In the order in which a provider keeps it. */
function textOf({ body }: ModelRequest): string {
  const { systemPrompt, tools, messages } = body as Record<string, unknown> & {
    messages: readonly { content: unknown }[];
  };
  return [systemPrompt, tools, ...messages.map(({ content }) => content)]
    .map((part) => JSON.stringify(part))
    .join("\n");
}

/** The list takes two requests and every continuation two; four characters are about a token. */
function tokensOf(requests: readonly ModelRequest[], continuation: number): number {
  const { messages } = requests[2 * continuation]!.body as { messages: readonly { content: unknown }[] };
  return JSON.stringify(messages.map(({ content }) => content)).length / 4;
}

/** Five turns an item, so that the list lasts. What can be collected is collected before it is weighed. */
async function heapOverTime(): Promise<{ at(continuation: number): number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const weights = new Map<number, number>();
  let continuation = 0;
  await runAgent({
    forgets: true,
    model: (request) => {
      if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
      const asked = /Next action: edit_todos \w+ \[(\d+)\]/.exec(request.messages.at(-1)?.text ?? "")?.[1];
      if (asked === undefined) return { calls: [listOf(ITEMS)] };
      continuation++;
      if (continuation % 100 === 0) {
        collect();
        weights.set(continuation, process.memoryUsage().heapUsed / 2 ** 20);
      }
      const [start, write, complete] = work(Number(asked)) as [Call, Call, Call];
      const file: Call = [write[0], { path: `turn-${continuation}.txt`, content: String(continuation) }];
      return {
        calls: [...(continuation % 5 === 1 ? [start] : []), file, ...(continuation % 5 === 0 ? [complete] : [])],
      };
    },
  });
  if (continuation < 500) throw new Error(`it stopped after ${continuation} continuations`);
  return { at: (wanted) => weights.get(wanted)! };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
