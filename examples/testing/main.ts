// How the author of a host, a store or an agent tries it against tildone: no test runner, no network, no waiting.
// Run it: node examples/testing/main.ts
import { memoryStore } from "../../src/index.ts"; // "tildone"
import {
  createFakeClock,
  createFakeWorld,
  PERSONAS,
  playPersona,
  Skipped,
  STORE_CONTRACT,
  startScriptedModel,
} from "../../src/testing/index.ts"; // "tildone/testing"

// A clock that moves when it is told to.
const clock = createFakeClock();
clock.setTimer(3_000, () => console.log(`clock: it is ${clock.now()}`));
await clock.advance(10_000);

// The real engine among fakes: what would a host be told at its boundary?
const world = createFakeWorld({ kind: "print" });
await world.tell({ type: "human.spoke" });
await world.tell({ type: "turn.started", turn: "1" });
await world.tell({
  type: "todos.write",
  by: "model",
  write: { mode: "replace", todos: [{ text: "fix the parser" }] },
});
const sentOn = await world.settle({ turn: "1" }).promise;
console.log(`world: ${sentOn.type}: ${sentOn.type === "nudge" ? sentOn.nudge.text.split("\n")[0] : ""}`);
await world.tell({ type: "turn.started", turn: "2", cause: "nudge" });
await world.tell({ type: "human.hold", now: false });
const held = await world.settle({ turn: "2" }).promise;
console.log(`world: ${held.type}: ${world.said}`);

// A provider on loopback that answers by script, in the dialect that it is asked in.
const model = await startScriptedModel([{ text: "Good day." }]);
const response = await fetch(`${model.url}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hello" }] }),
});
console.log(
  `model: it was asked "${model.requests[0]?.messages[0]?.text}", and said ${/Good day\./.exec(await response.text())?.[0]}`,
);
await model.close();

// A persona: how some model behaves, played against the engine in a project on disk.
const persona = PERSONAS.find(({ ends }) => ends.nudges.atLeast > 0)!;
const { decision, nudges } = await playPersona(persona);
const reason = decision?.type === "stop" ? decision.reason : decision?.type;
console.log(
  `persona: ${persona.name}: ${reason} after ${nudges} nudges, as it should: ${reason === persona.ends.reason}`,
);

// What every store promises, clause by clause, on a store of your own.
let [kept, skipped] = [0, 0];
for (const clause of STORE_CONTRACT) {
  const cannot = { cannot: "this store lives in memory" };
  try {
    await clause.check({ store: memoryStore(), second: cannot, damage: cannot });
    kept++;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skipped++;
  }
}
console.log(`store: ${kept} clauses kept, ${skipped} skipped, of ${STORE_CONTRACT.length}`);
