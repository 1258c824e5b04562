import { type Command, UsageError } from "../command.ts";
import { needsPi } from "../needs-pi.ts";

export const chat: Command = {
  name: "chat",
  takes: "[pi's own options]",
  summary: "Opens the terminal interface: what tildone alone does. Options are those of pi (pi --help).",
  details: `  tildone                         the same, with pi's own settings
  tildone chat --continue         goes on with the last session of this folder
  tildone chat --model anthropic/claude-sonnet-4-5 "mend the tests" @notes.md

More of pi's options: --resume (choose a session), --session <file>, --no-session.
Inside, Esc stops the agent, any key ends a countdown, and / shows the commands.`,
  options: {},
  words: Number.POSITIVE_INFINITY,
  passesOn: true,
  run: async ({ words }, io) => {
    if (!io.isInteractive)
      throw new UsageError(
        'the terminal interface needs a terminal for input and output, and here is none. Without one: tildone run "goal". See tildone --help.',
      );
    const headless = words.find((word) => HEADLESS.test(word));
    if (headless !== undefined)
      throw new UsageError(
        `the terminal interface does not take ${headless}: nobody could answer its questions. Without a terminal: tildone run "goal".`,
      );
    const { runInteractive } = await needsPi(() => import("../../agent/index.ts"));
    await runInteractive(words, { cwd: io.cwd, env: io.env, home: io.home });
    return 0;
  },
};

/** Options of pi that take its interface away. */
const HEADLESS = /^(-p|--print|--mode)(=|$)/;
