import { EDIT_ACTIONS, LIMITS, PRIORITIES } from "../todo/index.ts";
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
      "Write the ordered todo list of the task. 'replace' writes the whole list (items that stay keep their status), 'append' adds items at the end, 'insert' puts them before 'index'. Returns the list.",
    parameters: {
      type: "object",
      required: ["mode", "todos"],
      properties: {
        mode: { type: "string", enum: ["replace", "append", "insert"] },
        index: { type: "integer", description: "Only for 'insert': the position that the first new item will have." },
        todos: {
          type: "array",
          maxItems: LIMITS.items,
          items: {
            type: "object",
            required: ["text"],
            properties: {
              text: { type: "string", minLength: 1, maxLength: LIMITS.text, description: "What is to be done." },
              priority: { type: "string", enum: PRIORITIES, description: "Default: medium." },
              needs: {
                type: "array",
                items: { type: "integer" },
                description: "Indices, in the list as it will stand, of items that must be completed first.",
              },
              check: {
                anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
                description: "A command that succeeds only when the item is done.",
              },
              covers: {
                type: "array",
                items: { type: "string" },
                description: "Ids of the requirements that the item answers.",
              },
              touches: {
                type: "array",
                items: { type: "string" },
                description: "Globs of protected files that the item has to change.",
              },
              askFirst: { type: "boolean", description: "The human releases the item before it is worked on." },
            },
          },
        },
      },
    },
  },
  list_todos: {
    name: "list_todos",
    label: "List todos",
    description: "Show the todo list with indices and statuses.",
    parameters: { type: "object", properties: {} },
  },
  edit_todos: {
    name: "edit_todos",
    label: "Edit todos",
    description:
      "Change the status of todos by index: 'start' before working on them, 'complete' when they are done, 'block' when they cannot go on, 'abandon' when they are not needed any more. All or nothing. Returns the list.",
    parameters: {
      type: "object",
      required: ["action", "indices"],
      properties: {
        action: { type: "string", enum: EDIT_ACTIONS },
        indices: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: LIMITS.indices },
        reason: { type: "string", description: "Required for 'block' and 'abandon'." },
      },
    },
  },
} as const;

/** For runs with a workflow; the same on every host. */
export const WORKFLOW_TOOL = {
  name: "workflow_step",
  label: "Workflow step",
  description:
    "Move through the active workflow: 'next' leaves the current phase for the next one, 'loop' goes back to the first phase where the workflow allows it, 'status' shows where you are, 'cancel' asks to end the workflow and must be confirmed by calling it again.",
  parameters: {
    type: "object",
    required: ["action"],
    properties: {
      action: { type: "string", enum: STEP_ACTIONS },
      summary: { type: "string", description: "What was done in the phase that is left, in a sentence or two." },
    },
  },
} as const;
