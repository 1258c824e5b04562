import { randomUUID } from "node:crypto";
import { readWorkflows, type Whereabouts } from "../../compose/index.ts";
import { countProof, countText, markedTodos } from "../../core/proof/index.ts";
import type { Reply } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import { plainList } from "../../core/todo/index.ts";
import { decisionText } from "../../core/words/index.ts";
import { initialMessage } from "../../core/workflow/index.ts";
import type { Clock } from "../../engine/index.ts";
import { findWorkflow, listWorkflows } from "../../workflows/index.ts";
import type { RootSession } from "./root-session.ts";

/** What a command came to: words for the human and no turn, or words that begin one. */
export type Said =
  | {
      readonly type: "told";
      readonly text: string;
      /** What the agent was doing ends with it. */
      readonly ends?: boolean;
      /** What the model reads where OpenCode asks it anyway, or where nobody else would send the run on. */
      readonly asks?: string | undefined;
    }
  | { readonly type: "begins"; readonly text: string };

interface Command {
  readonly description: string;
  readonly run: (root: RootSession, args: string, here: Whereabouts, clock: Clock) => Promise<Said>;
}

/** None of these is a name of OpenCode's own. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  hold: {
    description: "tildone: hold the run until /unhold; the tool that runs may finish, '/hold now' ends it at once",
    run: async (root, args) => {
      const now = args.trim() === "now";
      const isAtWork = root.run()?.ledger.turn !== undefined;
      const reply = await root.tell({ type: "human.hold", now });
      return { ...told(saidOf(reply, "On hold. /unhold continues.")), ends: now || isAtWork };
    },
  },
  unhold: {
    description: "tildone: continue a run that was held, interrupted or stopped; words after it are a message",
    run: async (root, args) => {
      const text = args.trim();
      const words = text === "" ? {} : { words: { id: randomUUID(), text, kind: "steer" } as const };
      const reply = await root.tell({ type: "human.resume", ...words });
      return { ...told(saidOf(reply, "Continuing.")), asks: text === "" ? root.openWork() : undefined };
    },
  },
  todos: {
    description: "tildone: the list of this session's run, and how the run stands",
    run: async (root) => {
      const run = root.run();
      if (!run) return told(NO_RUN);
      const { decision } = run.ledger;
      return told([plainList(markedTodos(run)), decision ? decisionText(decision) : ""].filter(Boolean).join("\n\n"));
    },
  },
  tildone: {
    description: "tildone: how the run stands and what it took; or: on, off, accept, clear",
    run: async (root, args) => {
      const run = root.run();
      switch (args.trim()) {
        case "":
          return told(run ? standing(run) : NO_RUN);
        case "on":
        case "off": {
          const on = args.trim() === "on";
          const reply = await root.tell({ type: "continuation.switch", on });
          return told(saidOf(reply, `Continuation is ${on ? "on" : "off"} for this run.`));
        }
        case "accept":
          return told(saidOf(await root.tell({ type: "human.accept" }), "Accepted as done."));
        case "clear":
          return told(saidOf(await root.tell({ type: "human.clear" }), "The run is cleared."));
        default:
          return told(`There is no "/tildone ${args.trim()}": on, off, accept or clear.`);
      }
    },
  },
  workflow: {
    description: "tildone: work through phases: /workflow <name> <description>",
    run: async (root, args, here, clock) => {
      const library = await readWorkflows(here);
      const [, name = "", description = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
      if (name === "" || description === "")
        return told(`Usage: /workflow <name> <description>\n\n${listWorkflows(library)}`);
      const found = findWorkflow(library, name);
      if (found.status === "not_found") return told(found.message);
      const taskId = `wf-${clock.now()}-${randomUUID().slice(0, 6)}`;
      const start = { ...found.start, description, taskId, whenActive: "refuse" } as const;
      const reply = await root.tell({ type: "workflow.start", start });
      const state = root.run()?.plan.workflow;
      if (reply.type !== "done" || !state) return told(saidOf(reply, "The workflow did not start."));
      return { type: "begins", text: initialMessage(state) };
    },
  },
  "cancel-workflow": {
    description: "tildone: end the active workflow at once",
    run: async (root) =>
      told(
        saidOf(await root.tell({ type: "workflow.step", action: "cancel", by: "human" }), "The workflow is cancelled."),
      ),
  },
};

const NO_RUN = "There is no run in this session.";

function standing(run: Run): string {
  const { decision, held, since, spent } = run.ledger;
  return [
    `Run ${run.id}: ${countText(countProof(run))}${held ? ", on hold" : ""}.`,
    ...(decision ? [decisionText(decision)] : []),
    `Told to continue ${spent.continuations} times, ${since.nudged} since the last progress; ${spent.input + spent.output} tokens.`,
  ].join("\n");
}

const told = (text: string) => ({ type: "told", text }) as const;

function saidOf(reply: Reply, done: string): string {
  if (reply.type === "refused") return reply.refusal.message;
  if (reply.type === "ignored") return reply.why === "nothing_to_do" ? "It stands so already." : NO_RUN;
  return done;
}
