import type { ModelRequest } from "../src/testing/index.ts";
import build from "../test/e2e/build.ts";
import type { Row } from "./harness.ts";
import { askedByPi, askedByRun, type Size } from "./twenty-todos.ts";

/**
 * A hundred todos, each in the conversation of the one before (`same`), in a new one (`fresh`), or where it is cheaper (`auto`), beside plain
 * pi that is asked to do the same. A token is four characters of the request as it was sent, for all of them.
 */
export default async function (): Promise<readonly Row[]> {
  build();
  const rows: Row[] = [];
  const plain = await askedByPi("none", { todos: 100 });
  for (const [name, asked] of [
    ["run", askedByRun],
    ["pi", askedByPi],
  ] as const) {
    const play = (context: NonNullable<Size["context"]>) => asked("batched", { todos: 100, context });
    const same = await play("same");
    const fresh = await play("fresh");
    const auto = await play("auto");
    rows.push(
      row(`${name}, fresh: input beside same`, total(fresh), total(same), 1 / 3),
      row(`${name}, fresh: input beside plain pi`, total(fresh), total(plain), 1 / 3),
      row(`${name}, fresh: last beside fifth request`, sizeOf(fresh.at(-1)!), sizeOf(fresh[4]!), 1.2),
      row(`${name}, fresh: largest of the last todo`, largest(fresh.slice(-4)), largest(fresh.slice(12, 15)), 1.2),
      row(`${name}, auto: input beside the better`, total(auto), Math.min(total(fresh), total(same)), 1.1),
      { ...row(`${name}, fresh: requests`, fresh.length, same.length, 1), unit: "req" },
    );
  }
  return rows;
}

const row = (name: string, amount: number, floor: number, atMost: number): Row => ({
  name,
  repeat: 1,
  run: () => amount,
  floor: () => floor,
  target: { atMost },
  unit: "tok",
});

const sizeOf = ({ body }: ModelRequest): number => Math.ceil(JSON.stringify(body).length / 4);
const total = (requests: readonly ModelRequest[]): number => requests.reduce((sum, one) => sum + sizeOf(one), 0);
const largest = (requests: readonly ModelRequest[]): number => Math.max(...requests.map(sizeOf));
