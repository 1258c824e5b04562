import type { Action, Invocation, SlashCommand } from "../../../scheduler/index.ts";
import { splitFrontmatter } from "../../../workflows/index.ts";

export type ReadCommand =
  | { readonly ok: true; readonly command: SlashCommand }
  | { readonly ok: false; readonly message: string };

export interface CommandFilePorts {
  readonly parseYaml: (text: string) => unknown;
  /** Runs a shell line that the user confirmed; what it printed. */
  readonly shell: (line: string) => Promise<string>;
}

/** What a file may say besides its description. At most one says what it does; with none of them its text is a prompt. */
const DOES = ["tool", "message", "dialog", "quit", "history"] as const;
const FIELDS: readonly string[] = ["description", "confirm", "args", ...DOES];

/**
 * A command of the user's or the project's: Markdown with a header. `{{args}}` stands for what was typed after the name,
 * `!{line}` in a prompt for what that shell line prints - once the user has agreed to it.
 */
export function readCommandFile(name: string, text: string, ports: CommandFilePorts): ReadCommand {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) return wrong("the file's name must be small letters, digits and dashes");
  const split = splitFrontmatter(text);
  if (!split) return wrong("it needs a header between two lines of --- with at least a description");
  const header = ports.parseYaml(split.header);
  if (typeof header !== "object" || header === null || Array.isArray(header))
    return wrong("its header is not a list of fields");
  const fields = header as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) return wrong(`it has no field "${unknown}"; there are ${FIELDS.join(", ")}`);
  const { description, confirm } = fields;
  if (typeof description !== "string" || description.trim() === "") return wrong("description must be text");
  if (confirm !== undefined && typeof confirm !== "string") return wrong("confirm must be a question");
  const does = DOES.filter((key) => fields[key] !== undefined);
  if (does.length > 1) return wrong(`it can do one thing: ${does.join(" or ")}`);
  const read = actionOf(does[0], fields, split.body, ports);
  if (!read.ok) return read;
  return {
    ok: true,
    command: {
      name,
      description,
      action: (invocation) => {
        if (confirm !== undefined && !invocation.isConfirmed)
          return { type: "confirm_action", question: filled(confirm, invocation.args) };
        return read.action(invocation);
      },
    },
  };
}

type ReadAction =
  | { readonly ok: true; readonly action: (invocation: Invocation) => Action | Promise<Action> }
  | { readonly ok: false; readonly message: string };

function actionOf(
  does: (typeof DOES)[number] | undefined,
  { tool, args, message, dialog, quit, history }: Readonly<Record<string, unknown>>,
  body: string,
  { shell }: CommandFilePorts,
): ReadAction {
  if (args !== undefined && does !== "tool") return wrong("args belong to a tool");
  switch (does) {
    case "tool":
      if (typeof tool !== "string") return wrong("tool must be the name of a tool");
      return doing(({ args: typed }) => ({
        type: "tool",
        tool,
        args: filledIn(args ?? {}, typed),
        ...(body !== "" && { afterwards: filled(body, typed) }),
      }));
    case "message":
      if (typeof message !== "string") return wrong("message must be text");
      return doing(({ args: typed }) => ({ type: "message", level: "info", text: filled(message, typed) }));
    case "dialog":
      if (typeof dialog !== "string") return wrong("dialog must be the name of a dialog");
      return doing(() => ({ type: "dialog", dialog }));
    case "quit":
      if (quit !== true && typeof quit !== "string") return wrong("quit must be true, or a text to leave with");
      return doing(() => ({ type: "quit", ...(typeof quit === "string" && { message: quit }) }));
    case "history":
      if (!Array.isArray(history)) return wrong("history must be a list of { role, text }");
      return doing(() => ({ type: "load_history", history }));
    case undefined:
      if (body === "") return wrong("it has no text: write what the agent is told below the header");
      return doing((invocation) => prompt(body, invocation, shell));
  }
}

const SHELL = /!\{((?:\{\{args\}\}|[^}])+)\}/g;

async function prompt(
  body: string,
  { args, confirmedShell }: Invocation,
  shell: CommandFilePorts["shell"],
): Promise<Action> {
  // Text and shell lines in turns: what one of them brings in is never read as the other.
  const parts = body.split(SHELL).map((text, at) => (at % 2 === 0 ? filled(text, args) : shellLine(text, args)));
  const lines = parts.filter((_, at) => at % 2 === 1);
  const unconfirmed = lines.filter((line) => !confirmedShell.has(line));
  if (unconfirmed.length > 0) return { type: "confirm_shell", commands: [...new Set(unconfirmed)] };
  const said: string[] = [];
  for (const [at, part] of parts.entries()) said.push(at % 2 === 0 ? part : await shell(part));
  return { type: "submit_prompt", text: said.join("") };
}

/** In a shell line the words are one quoted argument: they are the user's text, not code. */
const shellLine = (line: string, args: string): string =>
  line.trim().replaceAll("{{args}}", () => `'${args.replaceAll("'", "'\\''")}'`);

const filled = (text: string, args: string): string => text.replaceAll("{{args}}", () => args);

function filledIn(value: unknown, args: string): unknown {
  if (typeof value === "string") return filled(value, args);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, args));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, args)]));
}

const doing = (action: (invocation: Invocation) => Action | Promise<Action>): ReadAction => ({ ok: true, action });
const wrong = (message: string) => ({ ok: false, message }) as const;
