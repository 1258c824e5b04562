/** How `tildone help` orders the commands. A command that is in none of them fails a test. */
export interface CommandGroup {
  /** As typed: `tildone help <topic>`. */
  readonly topic: string;
  readonly title: string;
  readonly says: string;
  readonly commands: readonly string[];
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    topic: "work",
    title: "Work",
    says: "Start an agent and let it continue.",
    commands: ["chat", "run", "resume", "demo"],
  },
  {
    topic: "look",
    title: "Look",
    says: "See what happens, what happened and why.",
    commands: ["status", "top", "serve", "why", "report", "log", "diff", "checkpoints", "verify", "stats"],
  },
  {
    topic: "steer",
    title: "Steer",
    says: "Stop a run, talk to it, change its list, answer its questions.",
    commands: [
      ...["hold", "unhold", "say", "todo", "approvals", "approve", "deny"],
      ...["extend", "accept", "undo", "redo"],
    ],
  },
  {
    topic: "machines",
    title: "Fleet",
    says: "Goals on a queue, workers on many machines.",
    commands: ["fleet", "submit", "worker", "cancel"],
  },
  {
    topic: "setup",
    title: "Set up",
    says: "Hosts, settings, workflows.",
    commands: ["install", "uninstall", "doctor", "config", "workflow", "trust", "untrust", "completion"],
  },
  {
    topic: "plumbing",
    title: "Plumbing",
    says: "For scripts, hosts and repairs.",
    commands: ["runs", "replay", "attach", "mcp", "hook"],
  },
];
