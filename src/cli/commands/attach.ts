import { type Command, text, UsageError } from "../command.ts";
import { tellRun } from "../tell-run.ts";

export const attach: Command = {
  name: "attach",
  takes: "<run>",
  summary: "Moves a run to another session of a host; that session continues its list.",
  examples: [["tildone attach k3f9m2qx --host pi --session 0198c5d2", ""]],
  completes: ["run"],
  options: {
    host: { type: "string", completes: "host", value: "name", says: "The host, as tildone status shows it." },
    session: { type: "string", value: "id", says: "The host's own id of the session." },
  },
  words: 1,
  run: async (given, io) => {
    const [named] = given.words;
    const host = text(given, "host");
    const session = text(given, "session");
    if (named === undefined || host === undefined || session === undefined)
      throw new UsageError("attach needs a run, --host and --session. See tildone attach --help.");
    return tellRun(io, named, { type: "run.bind", host, session }, ({ id }) => `${id} is bound to ${host} ${session}.`);
  },
};
