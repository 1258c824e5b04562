import { type Command, UsageError } from "../command.ts";
import { COMPLETION_SCRIPTS, type Shell } from "../completion-scripts.ts";

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as Shell[];

export const completion: Command = {
  name: "completion",
  takes: "<bash|zsh|fish>",
  summary: "Prints the completion script of your shell: commands, options, run ids, todo indices.",
  examples: [
    ['eval "$(tildone completion bash)"', "in ~/.bashrc"],
    ['eval "$(tildone completion zsh)"', "in ~/.zshrc, after compinit"],
    ["tildone completion fish > ~/.config/fish/completions/tildone.fish", "once"],
  ],
  completes: [SHELLS],
  options: {},
  words: 1,
  run: async (given, io) => {
    const shell = SHELLS.find((name) => name === given.words[0]);
    if (!shell) throw new UsageError("Say which shell: tildone completion bash, zsh or fish.");
    io.out(COMPLETION_SCRIPTS[shell]);
    return 0;
  },
};
