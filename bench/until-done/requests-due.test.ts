import { expect, test } from "vitest";
import { PERSONAS, playPersona } from "../../src/testing/index.ts";
import { personaNamed } from "./a-cell.ts";
import { canFinish, PATIENCE, requestsDue } from "./requests-due.ts";

test.each([
  ["does what is asked", { fewest: 4, earlyStops: 0, most: 4, nudges: 0 }],
  ["stops after each todo", { fewest: 4, earlyStops: 1, most: 5, nudges: 1 }],
  ["fails, then recovers", { fewest: 4, earlyStops: 2, most: 6, nudges: 2 }],
  ["edits for forty turns on one todo", { fewest: 43, earlyStops: 41, most: 84, nudges: 41 }],
  ["says ok", { most: PATIENCE }],
  ["asks a real question", { most: 5, nudges: 2 }],
  ["is aborted by the human", { most: 2, nudges: 0 }],
  ["never ends its turn", { most: PATIENCE }],
  ["overflows its context for good", {}],
])("a model that %s: %o", (name, due) => expect(requestsDue(personaNamed(name))).toEqual(due));

test.each(PERSONAS.filter(canFinish).map((persona) => [persona.name, persona] as const))(
  "a model that %s needs a nudge for each early stop",
  (_name, persona) => expect(requestsDue(persona).earlyStops).toBe(persona.ends.nudges.atMost),
);

test("the engine asks no more often than that", async () => {
  const { requests } = await playPersona(personaNamed("alternates two calls"));
  expect(requests).toBeLessThanOrEqual(requestsDue(personaNamed("alternates two calls")).most!);
});
