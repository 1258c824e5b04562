/** What a command wants done. The host does it; the command only says so. */
export type Action =
  /** Schedules a tool call on behalf of the user; if it succeeds, `afterwards` is put to the agent. */
  | { readonly type: "tool"; readonly tool: string; readonly args: unknown; readonly afterwards?: string }
  | { readonly type: "message"; readonly level: "info" | "error"; readonly text: string }
  | { readonly type: "quit"; readonly message?: string }
  | { readonly type: "dialog"; readonly dialog: string; readonly props?: unknown }
  /** Puts another conversation in place of the present one. */
  | { readonly type: "load_history"; readonly history: readonly unknown[] }
  | { readonly type: "submit_prompt"; readonly text: string }
  /** The command would run these; if the user agrees, it is called again and may. */
  | { readonly type: "confirm_shell"; readonly commands: readonly string[] }
  /** If the user agrees, the command is called again. */
  | { readonly type: "confirm_action"; readonly question: string };

/** A question to you before a command acts, and what it does then. */
export type Confirmation =
  | { readonly type: "shell"; readonly commands: readonly string[] }
  | { readonly type: "action"; readonly question: string };

/** What a host can do for a command. What is absent it cannot do, and the user is told so. */
export interface CommandHost {
  show(level: "info" | "error", text: string): void;
  /** `ended`: what the call came to, in one line when it did not succeed. */
  schedule?(tool: string, args: unknown): Promise<{ readonly ok: boolean; readonly ended: string }>;
  submit?(text: string): Promise<void>;
  /** `always`: the same shell commands need not be confirmed again in this session. */
  confirm?(confirmation: Confirmation): Promise<"yes" | "always" | "no">;
  openDialog?(dialog: string, props: unknown): Promise<void>;
  loadHistory?(history: readonly unknown[]): Promise<void>;
  quit?(message: string | undefined): Promise<void>;
}

/** `again`: the user agreed, so the command is to be called once more. */
export type Performed =
  | { readonly type: "done" }
  | { readonly type: "again"; readonly shell: readonly string[]; readonly always: boolean };

/** Does what a command answered with, as far as the host can. */
export async function performAction(host: CommandHost, action: Action): Promise<Performed> {
  switch (action.type) {
    case "tool":
      return callTool(host, action);
    case "message":
      host.show(action.level, action.text);
      return DONE;
    case "quit":
      return host.quit ? done(host.quit(action.message)) : cannot(host, "quit from here");
    case "dialog":
      return host.openDialog ? done(host.openDialog(action.dialog, action.props)) : cannot(host, "open dialogs");
    case "load_history":
      return host.loadHistory ? done(host.loadHistory(action.history)) : cannot(host, "load another conversation");
    case "submit_prompt":
      return host.submit ? done(host.submit(action.text)) : cannot(host, "start a turn");
    case "confirm_shell":
      return confirm(host, { type: "shell", commands: action.commands });
    case "confirm_action":
      return confirm(host, { type: "action", question: action.question });
  }
}

async function callTool(host: CommandHost, { tool, args, afterwards }: Action & { type: "tool" }): Promise<Performed> {
  if (!host.schedule) return cannot(host, "call tools for a command");
  const { ok, ended } = await host.schedule(tool, args);
  if (!ok) host.show("error", `${tool}: ${ended}`);
  else if (afterwards !== undefined) return performAction(host, { type: "submit_prompt", text: afterwards });
  return DONE;
}

async function confirm(host: CommandHost, confirmation: Confirmation): Promise<Performed> {
  if (!host.confirm) return cannot(host, "ask for a confirmation");
  const answer = await host.confirm(confirmation);
  const shell = confirmation.type === "shell" ? confirmation.commands : [];
  if (answer !== "no") return { type: "again", shell, always: answer === "always" };
  host.show("info", "Nothing was done.");
  return DONE;
}

const DONE: Performed = { type: "done" };

async function done(work: Promise<void>): Promise<Performed> {
  await work;
  return DONE;
}

function cannot(host: CommandHost, what: string): Performed {
  host.show("error", `This host cannot ${what}.`);
  return DONE;
}
