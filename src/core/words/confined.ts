/** Told to the model once, with its `bash` tool. */
export const confinedText = (root: string, network: boolean): string =>
  `bash runs confined: it can change ${root} and /tmp only, your home folder is empty in it, git hooks and git configuration are read-only, and ${reach(network)}. Do not work around this; say what is missing.`;

/** Below a command that failed for what looks like this. */
export const confinedHint = (root: string, network: boolean): string =>
  `(Commands run confined: only ${root} and /tmp can be changed, and ${reach(network)}.)`;

const reach = (network: boolean): string => (network ? "the network is available" : "there is no network");

/** Told to you once, where `auto` could not confine. */
export const cannotConfine = (cause: string, fix: string): string =>
  `The agent's commands are not confined: ${cause}. ${fix}`;

export const refusesUnconfined = (cause: string, fix: string): string =>
  `Nothing was started: \`confine\` is \`required\`, and ${cause}. ${fix} \`TILDONE_CONFINE=off\` starts without confinement.`;
