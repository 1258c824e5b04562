import type { Command } from "../command.ts";
import { needsPi } from "../needs-pi.ts";

export const chat: Command = {
  name: "chat",
  takes: "[pi's own options]",
  summary: "Opens the terminal interface: what tildone alone does. Options are those of pi (pi --help).",
  options: {},
  words: Number.POSITIVE_INFINITY,
  passesOn: true,
  run: async (given, io) => {
    const { runInteractive } = await needsPi(() => import("../../agent/index.ts"));
    await runInteractive(given.words, { cwd: io.cwd, env: io.env });
    return 0;
  },
};
