import type { Command } from "./command.ts";

/** Every command, loaded only when it is called. The order is that of the help text. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  chat: async () => (await import("./commands/chat.ts")).chat,
  run: async () => (await import("./commands/run.ts")).run,
  demo: async () => (await import("./commands/demo.ts")).demo,
  status: async () => (await import("./commands/status.ts")).status,
  why: async () => (await import("./commands/why.ts")).why,
  report: async () => (await import("./commands/report.ts")).report,
  verify: async () => (await import("./commands/verify.ts")).verify,
  log: async () => (await import("./commands/log.ts")).log,
  todo: async () => (await import("./commands/todo.ts")).todo,
  hold: async () => (await import("./commands/hold.ts")).hold,
  unhold: async () => (await import("./commands/hold.ts")).unhold,
  extend: async () => (await import("./commands/extend.ts")).extend,
  accept: async () => (await import("./commands/accept.ts")).accept,
  say: async () => (await import("./commands/say.ts")).say,
  approvals: async () => (await import("./commands/approvals.ts")).approvals,
  approve: async () => (await import("./commands/approvals.ts")).approve,
  deny: async () => (await import("./commands/approvals.ts")).deny,
  attach: async () => (await import("./commands/attach.ts")).attach,
  replay: async () => (await import("./commands/replay.ts")).replay,
  runs: async () => (await import("./commands/runs.ts")).runs,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  hook: async () => (await import("./commands/hook.ts")).hook,
  install: async () => (await import("./commands/install.ts")).install,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  uninstall: async () => (await import("./commands/install.ts")).uninstall,
  config: async () => (await import("./commands/config.ts")).config,
  workflow: async () => (await import("./commands/workflow.ts")).workflow,
  trust: async () => (await import("./commands/trust.ts")).trust,
  untrust: async () => (await import("./commands/trust.ts")).untrust,
};

/** Names that people try; the command they mean. */
export const ALIASES: Readonly<Record<string, string>> = {
  todos: "todo",
  workflows: "workflow",
  list: "status",
  ls: "status",
  ps: "status",
  pause: "hold",
  resume: "unhold",
  stop: "hold",
};
