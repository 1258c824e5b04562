import { expect, test } from "vitest";
import { createTurnState } from "./turn-state.ts";

const aTurn = () => {
  let ids = 0;
  return createTurnState(() => `new${++ids}`);
};

test("its end says its name, its last text and what was refused in it, once", () => {
  const turn = aTurn();
  turn.begins("t1");
  turn.says("Done.");
  turn.refuses("denied");
  expect(turn.leave()).toEqual({ turn: "t1", text: "Done.", refusal: "denied" });
  expect([turn.id(), turn.leave()]).toEqual([undefined, { turn: undefined, text: "Done." }]);
});

test("a text before it begins is not its own, and what was refused before the model is asked again is answered", () => {
  const turn = aTurn();
  turn.says("before");
  turn.refuses("dismissed");
  turn.begins("t1");
  turn.asks();
  expect(turn.leave()).toEqual({ turn: "t1", text: "" });
});

test("it continues under another name after its end, and not while one runs", () => {
  const turn = aTurn();
  expect(turn.begins()).toBe("new1");
  expect(turn.goesOn()).toBeUndefined();
  turn.leave();
  expect([turn.goesOn(), turn.id()]).toEqual([{ id: "new2", ended: "new1" }, "new2"]);
});
