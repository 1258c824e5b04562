import { type ReadOrder, read, unclear } from "./order.ts";
import { readBudget } from "./read-budget.ts";
import { readTodos } from "./read-todos.ts";

interface CommandRow {
  /** As a list of commands shows it. */
  readonly says: string;
  /** Words that the argument may begin with. */
  readonly words?: readonly string[];
  /** `args`: what stands behind the name, without space around it. */
  readonly read: (args: string) => ReadOrder;
}

/** The commands of a run, the same words on every host. What a host calls them is the host's; what they mean stands here. */
export const COMMANDS = {
  todos: {
    says: "See and edit the list; or: add <text>, done|drop|reopen|unblock|release <index...>, move <from> <to>, edit <index> <text>, clear",
    words: ["add ", "done ", "drop ", "reopen ", "unblock ", "release ", "move ", "edit ", "clear"],
    read: (args) => readTodos(args),
  },
  hold: {
    says: "Hold the run until /unhold; '/hold now' also ends the turn",
    words: ["now"],
    // A brake brakes, whatever stands behind it.
    read: (args) => read({ type: "hold", now: args === "now" }),
  },
  unhold: {
    says: "Continue a run that was held, interrupted or stopped; text after it is a message to the agent",
    read: (text) => read({ type: "unhold", text }),
  },
  extend: {
    says: "Let a run continue that stopped at a limit: /extend, /extend 20, /extend tokens=100000 cost=1 minutes=30",
    words: ["continuations=", "tokens=", "cost=", "minutes="],
    read: readBudget,
  },
  tildone: {
    says: "Show the status of the run and what it used; or: on, off, accept, clear",
    words: ["on", "off", "accept", "clear"],
    read: (args) => {
      switch (args) {
        case "":
        case "status":
          return read({ type: "status" });
        case "on":
        case "off":
          return read({ type: "switch", on: args === "on" });
        case "accept":
        case "clear":
          return read({ type: args });
        default:
          return unclear(`There is no "/tildone ${args}": on, off, accept or clear.`);
      }
    },
  },
  workflow: {
    says: "Work through phases: /workflow <name> <description>; without arguments it lists them",
    read: (args) => {
      const [, replaces, name = "", description = ""] = /^(--replace\s+)?(\S*)\s*([\s\S]*)$/.exec(args)!;
      return read({ type: "workflow", name, description: description.trim(), replaces: replaces !== undefined });
    },
  },
  "cancel-workflow": {
    says: "End the active workflow now",
    read: () => read({ type: "cancel-workflow" }),
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];
export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

export const readOrder = (name: CommandName, args: string): ReadOrder => COMMANDS[name].read(args.trim());
