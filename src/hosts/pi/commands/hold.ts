import { randomUUID } from "node:crypto";
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
  description: "Continue a run that was held, interrupted or stopped; words after it are a message to the agent",
  run: async (args, session) => {
    const words = args === "" ? {} : { words: { id: randomUUID(), text: args, kind: "steer" } as const };
    const said = saidOf(await session.tell({ type: "human.resume", ...words }), "");
    return said.text === "" ? info(session.describe()) : said;
  },
};
