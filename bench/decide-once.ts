// A process that lives for one event, as a hook does: opens the log, finds its run, decides.
import { DEFAULTS, decide } from "../src/core/continuation/index.ts";
import { openRun } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";

const [path, host, session] = process.argv.slice(2) as [string, string, string];
const store = await openStore({ path });
const card = store.runs.find(host, session);
if (!card) throw new Error(`no run of ${host} ${session} in ${path}`);
const decision = decide(openRun(store.log, card.run).run, DEFAULTS, card.updated);
process.getBuiltinModule("node:fs").writeSync(1, decision.type); // a stream would cost more than the decision
store.close();
