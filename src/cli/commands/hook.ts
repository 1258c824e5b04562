import { readFileSync } from "node:fs";
import { type Command, UsageError } from "../command.ts";

export const hook: Command = {
  name: "hook",
  takes: "<host> <event>",
  summary: "Answers one event of Claude Code, Codex or Gemini CLI; the hosts call it, not you.",
  details: `Reads the host's JSON from standard input and prints the answer, or nothing. Install it with: tildone install <host>`,
  options: {},
  words: 2,
  run: async (given, io) => {
    const { answerHook, DIALECTS, EVENTS } = await import("../../hooks/index.ts");
    const host = (Object.keys(DIALECTS) as (keyof typeof DIALECTS)[]).find((name) => name === given.words[0]);
    const event = EVENTS.find((name) => name === given.words[1]);
    if (!host) throw new UsageError(`The host is one of: ${Object.keys(DIALECTS).join(", ")}.`);
    if (!event) throw new UsageError(`The event is one of: ${EVENTS.join(", ")}.`);
    const input = readFileSync(0, "utf8");
    await answerHook({ host, event, input, env: io.env, home: io.home, now: io.now }, io.out);
    return 0;
  },
};
