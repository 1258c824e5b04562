import { readFileSync } from "node:fs";
import { HOOK_HOSTS } from "../../config/index.ts";
import { HOOK_PROFILES } from "../../hosts/index.ts";
import { type Command, UsageError } from "../command.ts";

export const hook: Command = {
  name: "hook",
  takes: "<host> <event>",
  summary: "Answers one event of a host with hooks. Hosts call it; you do not.",
  details:
    "Reads the host's JSON from standard input and prints the answer, or nothing.\nSet it up with: tildone install <host>",
  completes: ["hook-host"],
  options: {},
  words: 2,
  run: async (given, io) => {
    const { answerHook, EVENTS } = await import("../../hooks/index.ts");
    const host = HOOK_HOSTS.find((name) => name === given.words[0]);
    const event = EVENTS.find((name) => name === given.words[1]);
    if (!host) throw new UsageError(`The host is one of: ${HOOK_HOSTS.join(", ")}.`);
    if (!event) throw new UsageError(`The event is one of: ${EVENTS.join(", ")}.`);
    const input = readFileSync(0, "utf8");
    await answerHook(
      { dialect: HOOK_PROFILES[host].hook.dialect, event, input, env: io.env, home: io.home, now: io.now },
      io.out,
    );
    return 0;
  },
};
