import { STOP } from "../../core/continuation/index.ts";
import type { Envelope } from "../../core/run/index.ts";
import { decisionText } from "../../core/words/index.ts";
import { type Command, JSON_OPTION, number } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { clockTime } from "../span.ts";
import { wrap } from "../wrap.ts";

export const why: Command = {
  name: "why",
  takes: "[run]",
  summary: "Says why the run goes on, waits or stopped: the last decisions and the rule that spoke.",
  options: {
    ...JSON_OPTION,
    last: { type: "string", value: "n", says: "How many decisions; 5 without it." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, (store) => {
      const last = number(given, "last") ?? 5;
      const card = pickRun(store, given.words[0], io);
      const decisions = (store.log.read(card.run, 0).events as readonly Envelope[])
        .flatMap(({ seq, at, event }) => (event.type === "decision.made" ? [{ seq, at, ...event }] : []))
        .slice(-last);
      if (given.options.json === true) {
        io.out(
          JSON.stringify(
            decisions.map(({ type: _, ...decision }) => decision),
            null,
            2,
          ),
        );
        return 0;
      }
      if (decisions.length === 0) io.out(`Nothing was decided in ${card.run} yet: the agent has not settled.`);
      for (const { at, boundary, decision } of decisions) {
        const head = `${clockTime(at, io.now())}  ${boundary}  ${decision.type}${decision.type === "continue" ? "" : ` ${decision.reason}`}`;
        const exit = decision.type === "stop" ? ` Exit code ${STOP[decision.reason].exit}.` : "";
        io.out(head);
        io.out(indent(wrap(`${decisionText(decision)}${exit} Rule: ${decision.rule}.`, io.columns - 4)));
      }
      return 0;
    }),
};

const indent = (text: string): string => text.replace(/^/gm, "    ");
