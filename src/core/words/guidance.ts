/** How the tools are meant to be used, for hosts that let a tool speak in the system prompt. True whether or not anything is told to continue. */
export const TODO_GUIDANCE = {
  snippet: "Keep an ordered todo list and work through it until every todo is finished",
  rules: [
    "For work of several steps write the list first with write_todos, then work through it in order.",
    "Call edit_todos start before working on a todo and complete as soon as it is done, with the next one in 'start'. Send list calls along with other calls.",
    "Block a todo with a reason when it needs something you cannot get or waits for a background command (name it); abandon one that is not needed.",
  ],
} as const;

/**
 * Under this name a hook adds the session to the arguments of our tools, where the host does not tell its MCP servers whose
 * call it is. No model sees it.
 */
export const SESSION_ARGUMENT = "tildone_session";

/** The same for where the session works, on hosts that start a plugin's server in the plugin's own folder. */
export const FOLDER_ARGUMENT = "tildone_folder";
