import type { ModelRequest } from "../src/testing/index.ts";
import build from "../test/e2e/build.ts";
import type { Row } from "./harness.ts";
import { KEPT, leastKept } from "./prefix.ts";
import { askedByPi, askedByRun, type Keeping } from "./twenty-todos.ts";

/**
 * What tildone adds to the input of a model that works on twenty todos in one conversation, beside plain pi that is asked to do the same.
 * A token is four characters of the request as it was sent, for all of them.
 */
export default async function (): Promise<readonly Row[]> {
  build();
  const plain = await askedByPi("none");
  const rows: Row[] = [];
  for (const [name, asked] of [
    ["pi", askedByPi],
    ["run", askedByRun],
  ] as const)
    for (const keeping of Object.keys(AT_MOST) as (keyof typeof AT_MOST)[]) {
      const requests = await asked(keeping);
      rows.push(
        {
          ...once,
          name: `${name}, ${keeping}: input`,
          run: () => total(requests),
          floor: () => total(plain),
          target: { atMost: AT_MOST[keeping] },
          unit: "tok",
        },
        {
          ...once,
          name: `${name}, ${keeping}: requests`,
          run: () => requests.length,
          floor: () => plain.length,
          target: { atMost: keeping === "one call a step" ? 1.5 : 1 },
          unit: "req",
        },
        {
          ...once,
          name: `${name}, ${keeping}: prefix kept`,
          run: () => leastKept(requests.map(cached)).before,
          floor: () => leastKept(requests.map(cached)).kept,
          target: KEPT,
          unit: "tok",
        },
      );
    }
  return rows;
}

const AT_MOST = { batched: 1.12, "two calls a todo": 1.12, "one call a step": 1.5 } as const satisfies Partial<
  Record<Keeping, number>
>;
const once = { repeat: 1 };

const total = (requests: readonly ModelRequest[]): number =>
  requests.reduce((sum, request) => sum + cached(request).length / 4, 0);

/** In the order in which providers keep it: what is said first is kept longest. */
function cached({ body }: ModelRequest): string {
  const { tools, messages, ...rest } = body as { tools?: unknown; messages: readonly unknown[] };
  return [
    JSON.stringify(rest),
    JSON.stringify(tools ?? []),
    ...messages.map((message) => JSON.stringify(message)),
  ].join("\n");
}
