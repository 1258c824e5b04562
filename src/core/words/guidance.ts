/** How the tools are meant to be used, for hosts that let a tool speak in the system prompt. True whether or not anything is sent on. */
export const TODO_GUIDANCE = {
  snippet: "Keep an ordered todo list and work through it until every item is finished",
  rules: [
    "For work of several steps write the list first with write_todos, then work through it in order.",
    "Call edit_todos start on an item before working on it and edit_todos complete as soon as it is done, not later.",
    "Call edit_todos block with a reason when an item needs something you cannot get, or waits for a background command: name the command; abandon with a reason when it is not needed.",
  ],
} as const;

/**
 * Under this name a hook adds the session to the arguments of our tools, where the host does not tell its MCP servers whose
 * call it is. No model sees it.
 */
export const SESSION_ARGUMENT = "tildone_session";

/** The same for where the session works, on hosts that start a plugin's server in the plugin's own folder. */
export const FOLDER_ARGUMENT = "tildone_folder";
