import { createPlugin } from "./plugin.ts";

/** OpenCode accepts a module of this shape, and rejects one that exports anything else. */
export default { id: "tildone", server: createPlugin };
