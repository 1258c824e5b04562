// A process that appends events to one run and acknowledges each, once the store gave its word, with a line on stdout.
// Arguments: path of the log, name of the writer, how many events.
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/index.ts";

const [path, writer, count] = process.argv.slice(2) as [string, string, string];
const { log, close } = await openStore({ path });

let known = log.last("run");
for (let number = 1; number <= Number(count); number++) {
  const event = { type: "nudge.withdrawn", nudge: writer, why: String(number) } as const;
  const { appended } = log.transact("run", known, () => ({ append: [{ at: 0, by: "host", v: 1, event }], value: 0 }));
  known = appended[0]!.seq;
  writeSync(1, `${number}\n`);
}
close();
