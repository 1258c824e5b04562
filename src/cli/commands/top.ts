import { randomUUID } from "node:crypto";
import { answerTo, triggerOf } from "../../core/command/index.ts";
import { attemptOf, type Trigger } from "../../core/react/index.ts";
import type { Act } from "../../top/index.ts";
import type { Command } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { refuseAgent, spokenHere } from "../speaker.ts";
import { styleOf } from "../style.ts";
import { clip, wrap } from "../wrap.ts";
import { status } from "./status.ts";

export const top: Command = {
  name: "top",
  takes: "",
  summary: "Shows every run live, and lets you hold, answer and message them with single keys.",
  examples: [["tildone top", "↑↓ choose, a answer, h hold, u unhold, s say, / search, q quit"]],
  details: "Without a terminal it prints what `tildone status` prints.",
  options: {},
  words: 0,
  run: async (given, io) => {
    if (!io.isInteractive) return status.run(given, io);
    const { createRunsReader, openTop } = await needsPi(() => import("../../top/index.ts"));
    // The screen says itself that the fleet is away.
    return withStore({ ...io, err: () => {} }, async (store) => {
      await openTop({
        read: createRunsReader({ ...store, now: io.now }),
        act: (act) => perform(act, store, io),
        paper: {
          style: styleOf(io),
          clip,
          wrap: (text, columns) => wrap(text, columns).split("\n"),
        },
        now: io.now,
        signal: io.signal,
      });
      return 0;
    });
  },
};

const PLACE = { prefix: "tildone ", starts: true, namesRun: true } as const;

/** The same words, refusals and answers as the command of that name. */
async function perform(act: Exclude<Act, { type: "quit" }>, store: HomeStore, io: Io): Promise<string> {
  const { trigger, said } = wordsOf(act);
  const attempt = attemptOf(trigger);
  if (attempt !== undefined) refuseAgent(store, io, attempt, act.run);
  const told = await store.tell(act.run, trigger, spokenHere(store, io));
  return told.status === "done" ? said(told.run, told.reply) : told.text;
}

type Said = (run: Parameters<typeof answerTo>[2], reply: Parameters<typeof answerTo>[1]) => string;

function wordsOf(act: Exclude<Act, { type: "quit" }>): { readonly trigger: Trigger; readonly said: Said } {
  switch (act.type) {
    case "approve":
      return {
        trigger: { type: "human.answer", call: act.call, outcome: act.how, words: "" },
        said: () => (act.how === "once" ? "Approved." : "Approved, and it will not be asked about again in this run."),
      };
    case "deny":
      return {
        trigger: { type: "human.answer", call: act.call, outcome: "denied", words: act.words },
        said: () => (act.words === "" ? "Denied; the run stops." : "Denied; the agent is told why."),
      };
    case "hold":
    case "unhold":
    case "say": {
      const order =
        act.type === "say"
          ? ({ type: "say", text: act.text, kind: "steer" } as const)
          : act.type === "hold"
            ? ({ type: "hold", now: false } as const)
            : ({ type: "unhold", text: "" } as const);
      const made = triggerOf(order, randomUUID);
      return {
        trigger: made as Trigger,
        said: (run, reply) => answerTo(order, reply, run, PLACE).text,
      };
    }
  }
}
