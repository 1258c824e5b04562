import { type Command, number, UsageError } from "../command.ts";
import { tellOrder } from "../tell-run.ts";

export const extend: Command = {
  name: "extend",
  takes: "[run]",
  summary: "Raises budgets of a run; it continues if one of them was spent.",
  examples: [["tildone extend --tokens 200000 --minutes 30", ""]],
  completes: ["run"],
  options: {
    tokens: { type: "string", value: "n", says: "More tokens (input, output and cache writes)." },
    cost: { type: "string", value: "n", says: "More money, in the unit that the host reports." },
    minutes: { type: "string", value: "n", says: "More active minutes." },
    continuations: { type: "string", value: "n", says: "More continuations." },
  },
  words: 1,
  run: async (given, io) => {
    const names = ["tokens", "cost", "minutes", "continuations"] as const;
    const given_ = names.flatMap((name) => {
      const value = number(given, name);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (given_.length === 0)
      throw new UsageError("Say by how much: --tokens, --cost, --minutes or --continuations with a number.");
    return tellOrder(io, given.words[0], { type: "extend", budget: Object.fromEntries(given_) });
  },
};
