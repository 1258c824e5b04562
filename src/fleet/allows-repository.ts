/** Whether commands that were submitted for a repository may run here: `https://example.com/team/*`, or the address itself. */
export function allowsRepository(allow: readonly string[], repo: string): boolean {
  return allow.some((pattern) => {
    if (pattern === "*") return true;
    const shape = pattern
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^?#]*");
    return new RegExp(`^${shape}$`).test(repo) && !/(?:^|\/)\.\.(?:\/|$)/.test(repo);
  });
}
