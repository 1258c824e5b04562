/** Hosts that call our hooks. */
export const HOSTS = ["claude-code", "codex", "gemini"] as const;
