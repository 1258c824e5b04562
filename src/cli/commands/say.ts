import { redact } from "../../core/secret/index.ts";
import { type Command, has, RUN_OPTION, UsageError } from "../command.ts";
import { tellOrder } from "../tell-run.ts";

const MOST = 20_000;
const HIDDEN =
  "\nWhat looks like a secret in it was replaced by [redacted]: the log keeps none. Give it to the agent in a file or a variable.";

export const say: Command = {
  name: "say",
  takes: '"message"',
  summary: "Sends a message to the agent of a run; it arrives at the next pause in its work.",
  examples: [
    ['tildone say "use the new parser, not the old one"', "the run of this folder"],
    ['tildone say --later "then update the docs"', "when the run would otherwise end"],
  ],
  options: {
    ...RUN_OPTION,
    later: { type: "boolean", says: "Only when the run would otherwise end." },
  },
  words: 1,
  run: async (given, io) => {
    const text = given.words[0]?.trim() ?? "";
    if (text === "") throw new UsageError('Say what: tildone say "message".');
    if (text.length > MOST) throw new UsageError(`The message has ${text.length} characters; the maximum is ${MOST}.`);
    const kind = has(given, "later") ? "follow-up" : "steer";
    const besides = redact(text) === text ? "" : HIDDEN;
    return tellOrder(io, given.options.run as string | undefined, { type: "say", text, kind }, besides);
  },
};
