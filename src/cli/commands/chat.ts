import { describeTrust, projectTrust } from "../../compose/index.ts";
import { askForTrust } from "../ask-for-trust.ts";
import { type Command, Failure, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";

export const chat: Command = {
  name: "chat",
  takes: "[pi's own options]",
  summary: "Opens the terminal interface. `tildone` alone does the same.",
  examples: [
    ["tildone", "open it in this folder"],
    ["tildone chat --continue", "continue the last session of this folder"],
    ['tildone chat --model anthropic/claude-sonnet-4-5 "fix the tests" @notes.md', ""],
  ],
  details: `Takes pi's options (pi --help): --resume chooses a session, --session <file> names
one, --no-session keeps none.
Inside, Esc stops the agent, any key ends a countdown, and / shows the commands.`,
  options: {},
  words: Number.POSITIVE_INFINITY,
  passesOn: true,
  run: async ({ words }, io) => {
    if (!io.isInteractive)
      throw new UsageError(
        'the terminal interface needs a terminal for input and output. Without one: tildone run "goal". See tildone --help.',
      );
    const headless = words.find((word) => HEADLESS.test(word));
    if (headless !== undefined)
      throw new UsageError(
        `the terminal interface does not take ${headless}, because its questions could not be answered. Without a terminal: tildone run "goal".`,
      );
    await offerTrust(io);
    const { NotOpened, runInteractive } = await needsPi(() => import("../../agent/index.ts"));
    await runInteractive(words, { cwd: io.cwd, env: io.env, home: io.home }).catch((error: unknown) => {
      throw error instanceof NotOpened ? new Failure(error.message, 2) : error;
    });
    return 0;
  },
};

/** Asked once, and again when something changed; without a yes the project is opened without what it brings. */
async function offerTrust(io: Io): Promise<void> {
  const project = await projectTrust(io);
  if (!project || project.untrusted.length === 0 || project.isDeclined) return;
  for (const line of describeTrust(project)) io.out(line);
  const answer = await askForTrust(project, io);
  if (answer === "yes") project.trust();
  else project.decline();
  if (answer !== "yes") io.out("Opened without them. tildone trust asks again.");
}

/** Options of pi that take its interface away. */
const HEADLESS = /^(-p|--print|--mode)(=|$)/;
