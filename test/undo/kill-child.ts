// Takes one step of work back; it is killed while it does.
import type { Checkpoint } from "../../src/core/run/index.ts";
import { storeIn, tellerIn } from "./kill.ts";

const { home, cwd, from, to } = JSON.parse(process.argv[2]!) as Record<"home" | "cwd", string> &
  Record<"from" | "to", Checkpoint>;
const store = storeIn(home, process.env);
console.log("begins");
const prepared = await store.prepare({
  cwd,
  run: "r",
  ids: ["u1.before", "u1.after"],
  steps: [{ from, to }],
  force: true,
});
if (prepared.status === "ready" && prepared.plan.conflicts.length === 0)
  await store.carryOut(prepared, {}, tellerIn(home).teller);
