import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { MODE_SAYS, yoloText } from "../../../core/call/index.ts";
import { MODES, type Mode, type SlashCommand } from "../../../scheduler/index.ts";
import type { OpenSession } from "../open-session.ts";
import { callsReport } from "./calls-report.ts";

/** What the terminal of tildone can do beyond pi's own commands and those of the run. */
export function builtinCommands(
  current: () => OpenSession,
  cwd: string,
  steer: (words: string) => Promise<void>,
): readonly SlashCommand[] {
  return [
    {
      name: "help",
      description: "Keys and commands of tildone",
      action: () => info(HELP),
    },
    {
      name: "calls",
      description: "Running tool calls, their states, and what waits for your answer",
      action: () => info(callsReport(current().scheduler.snapshot(), current().tildone.clock.now())),
    },
    {
      name: "call",
      description: 'Call a tool yourself: /call read README.md, /call bash npm test, /call ls {"path": "src"}',
      complete: (prefix) =>
        prefix.includes(" ") ? [] : toolNames().flatMap((name) => (name.startsWith(prefix) ? [`${name} `] : [])),
      action: ({ args }) => {
        const [, tool = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args)!;
        if (tool === "") return failure(`Usage: /call <tool> <argument or JSON>. Tools: ${toolNames().join(", ")}.`);
        return { type: "tool", tool, args: argumentsOf(tool, rest) };
      },
    },
    {
      name: "approve",
      description: "Ask again about a call whose question you left with Esc",
      action: () => ({ type: "dialog", dialog: "approvals" }),
    },
    {
      name: "approval",
      description: "What runs without asking until you leave: /approval, or plan, ask, auto-edit, yolo",
      complete: (prefix) => MODES.filter((mode) => mode.startsWith(prefix)),
      action: ({ args, isConfirmed }) => {
        if (args === "") return { type: "dialog", dialog: "approval-mode" };
        const mode = MODES.find((each) => each === args);
        if (mode === undefined) return failure(`There is no approval mode "${args}": ${MODES.join(", ")}.`);
        if (mode === "yolo" && !isConfirmed) return { type: "confirm_action", question: everythingRuns() };
        return set(mode);
      },
    },
    {
      name: "queue",
      description: "Messages that wait for the agent; /queue <message> delivers one when the run would end",
      action: async ({ args }) => {
        if (args === "") return { type: "dialog", dialog: "queue" };
        const queued = await current().queue.add(args, "follow-up");
        return queued.ok ? undefined : failure(queued.message);
      },
    },
    {
      name: "now",
      description: "Send the agent a message at its next step, without waiting until it stops: /now <message>",
      action: async ({ args }) => {
        if (args === "") return failure("Usage: /now <message>");
        await steer(args);
        return undefined;
      },
    },
    {
      name: "load",
      description: "Start over with a conversation from a file: a list of { role, text }, as JSON or YAML",
      action: async ({ args }) => {
        if (args === "") return failure("Usage: /load <file>");
        const { parse } = await import("yaml");
        return { type: "load_history", history: parse(readFileSync(resolve(cwd, args), "utf8")) };
      },
    },
    {
      name: "leave",
      description: "Stop what runs and leave; open todos stay open, and tildone chat --continue finds them",
      action: async ({ args }) => ({ type: "quit", message: args === "" ? farewell(current()) : args }),
    },
  ];

  function everythingRuns(): string {
    return yoloText(current().tildone.config.approval.protectInYolo);
  }

  function set(mode: Mode) {
    current().scheduler.setMode(mode);
    return info(`Approval is ${mode}: ${MODE_SAYS[mode]}.`);
  }

  function toolNames(): readonly string[] {
    return current().tools.box.names();
  }
}

const HELP = [
  "Esc        stops the agent; any key ends a countdown; Ctrl-C twice leaves",
  "/todos     see and edit the list",
  "/hold      hold the run; /unhold continues it",
  "/tildone   why the run continues or stopped",
  "/undo      undo what a todo changed; /redo restores it",
  "/approval  what runs without asking; /calls what runs now",
  "/model     choose a model; /login adds one",
  "/leave     stop and leave; open todos stay open",
  "More commands: type / and use the arrow keys. In a shell: tildone --help",
].join("\n");

const info = (text: string) => ({ type: "message", level: "info", text }) as const;
const failure = (text: string) => ({ type: "message", level: "error", text }) as const;

/** JSON as it stands; anything else is the one argument that matters. */
function argumentsOf(tool: string, text: string): unknown {
  if (text.startsWith("{")) return JSON.parse(text);
  if (text === "") return {};
  return tool === "bash" ? { command: text } : tool === "grep" || tool === "find" ? { pattern: text } : { path: text };
}

function farewell({ tildone, session }: OpenSession): string {
  const run = tildone.engine.run(session);
  return run?.status === "live"
    ? `tildone: run ${run.id} is open. Continue: tildone chat --continue, then /unhold`
    : "tildone: nothing was left open.";
}
