import { info, type SessionCommand, saidOf } from "./command.ts";

export const hold: SessionCommand = {
  name: "hold",
  description: "Hold the run: the agent is not sent on until /unhold. '/hold now' also ends what it is doing",
  words: ["now"],
  run: async (args, session) =>
    saidOf(await session.tell({ type: "human.hold", now: args === "now" }), "On hold. /unhold continues."),
};

export const unhold: SessionCommand = {
  name: "unhold",
  description: "Continue after /hold, an interrupt or a cut-off turn",
  run: async (_args, session) => {
    const said = saidOf(await session.tell({ type: "human.unhold" }), "");
    return said.text === "" ? info(session.describe()) : said;
  },
};
