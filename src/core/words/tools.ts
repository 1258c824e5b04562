import { EDIT_ACTIONS, PRIORITIES } from "../todo/index.ts";
import { STEP_ACTIONS } from "../workflow/index.ts";

/**
 * The todo tools as a model sees them, the same on every host: names, what they do, parameters as JSON Schema.
 * Hosts hand these over as they are; arguments come back through `readWrite` and `readEdit`.
 */
export const TODO_TOOLS = {
  write_todos: {
    name: "write_todos",
    label: "Write todos",
    description:
      "Write the ordered todo list: 'replace' all of it (todos that stay keep their status), 'append', or 'insert' before 'index'.",
    parameters: {
      type: "object",
      required: ["mode", "todos"],
      properties: {
        mode: { type: "string", enum: ["replace", "append", "insert"] },
        index: { type: "integer" },
        todos: {
          type: "array",
          items: {
            type: "object",
            required: ["text"],
            properties: {
              text: { type: "string" },
              priority: { type: "string", enum: PRIORITIES },
              needs: { type: "array", items: { type: "integer" }, description: "Indices of todos to complete first" },
              check: {
                anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
                description: "Command that succeeds only when it is done",
              },
              covers: { type: "array", items: { type: "string" }, description: "Ids of requirements it answers" },
              touches: {
                type: "array",
                items: { type: "string" },
                description: "Globs of protected files it has to change",
              },
              askFirst: { type: "boolean", description: "The user releases it first" },
            },
          },
        },
      },
    },
  },
  list_todos: {
    name: "list_todos",
    label: "List todos",
    description: "Show the whole todo list with indices and statuses.",
    parameters: { type: "object", properties: {} },
  },
  edit_todos: {
    name: "edit_todos",
    label: "Edit todos",
    description: "Change the status of todos by index, all or nothing. 'start' names todos to start in the same call.",
    parameters: {
      type: "object",
      required: ["action", "indices"],
      properties: {
        action: { type: "string", enum: EDIT_ACTIONS },
        indices: { type: "array", items: { type: "integer" } },
        start: { type: "array", items: { type: "integer" } },
        reason: { type: "string", description: "For 'block' and 'abandon'" },
        note: { type: "string", description: "What later todos must know" },
      },
    },
  },
} as const;

/** For runs with a workflow; the same on every host. */
export const WORKFLOW_TOOL = {
  name: "workflow_step",
  label: "Workflow step",
  description:
    "Move through the active workflow: 'next' phase, 'loop' back to the first one, 'status', or 'cancel' (call it twice).",
  parameters: {
    type: "object",
    required: ["action"],
    properties: {
      action: { type: "string", enum: STEP_ACTIONS },
      summary: { type: "string", description: "What was done in the phase, in a sentence or two" },
    },
  },
} as const;
