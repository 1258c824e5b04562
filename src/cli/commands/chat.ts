import { describeTrust, projectTrust } from "../../compose/index.ts";
import { askForTrust } from "../ask-for-trust.ts";
import { type Command, Failure, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { version } from "../version.ts";

export const chat: Command = {
  name: "chat",
  takes: "[pi's own options]",
  summary: "Opens the terminal interface. `tildone` alone does the same.",
  examples: [
    ["tildone", "open it in this folder"],
    ["tildone chat --continue", "continue the last session of this folder"],
    ['tildone chat --model anthropic/claude-sonnet-4-5 "fix the tests" @notes.md', ""],
    ["tildone chat --base-url http://localhost:11434/v1 --model <name>", "a server of your own"],
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
    const { endpointProblem, NotOpened, runInteractive } = await needsPi(() => import("../../agent/index.ts"));
    const { rest, baseUrl, model } = endpointIn(words);
    const problem = baseUrl === undefined ? undefined : endpointProblem(baseUrl, model);
    if (problem !== undefined) throw new UsageError(problem);
    const apiKey = io.env.TILDONE_API_KEY ?? io.env.OPENAI_API_KEY;
    const endpoint = baseUrl === undefined ? {} : { endpoint: { baseUrl, model: model!, ...(apiKey && { apiKey }) } };
    const here = { cwd: io.cwd, env: io.env, home: io.home };
    await runInteractive(rest, here, { version: version(), ...endpoint }).catch((error: unknown) => {
      throw error instanceof NotOpened ? new Failure(error.message, 2) : error;
    });
    return 0;
  },
};

/** Ours among pi's options: a server of your own, as `tildone run` takes it. */
function endpointIn(words: readonly string[]): {
  readonly rest: readonly string[];
  readonly baseUrl?: string;
  readonly model?: string;
} {
  const baseUrl = valueIn(words, "--base-url");
  if (baseUrl === undefined) return { rest: words };
  const model = valueIn(words, "--model");
  return { rest: without(without(words, "--base-url"), "--model"), baseUrl, ...(model !== undefined && { model }) };
}

function valueIn(words: readonly string[], option: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

function without(words: readonly string[], option: string): readonly string[] {
  const at = words.indexOf(option);
  return words.filter(
    (word, index) => !word.startsWith(`${option}=`) && (at < 0 || (index !== at && index !== at + 1)),
  );
}

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
