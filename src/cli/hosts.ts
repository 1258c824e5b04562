/** Hosts that call our hooks. */
export const HOSTS = ["claude-code", "codex", "gemini"] as const;

/** Hosts in which a hook can refuse calls, but not end a turn. Their capabilities say the same. */
export const ENDS_NO_TURN: ReadonlySet<string> = new Set<string>(["codex"] satisfies (typeof HOSTS)[number][]);

export function unknownHost(named: string | undefined): string {
  const meant = HOSTS.find((host) => named !== undefined && named !== "" && host.startsWith(named.toLowerCase()));
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `The host is one of: ${HOSTS.join(", ")}.${guess} pi and OpenCode install it themselves: pi install npm:tildone, or "plugin": ["tildone"] in opencode.json.`;
}
