/** Who began whom, and who works: a root session is told to continue, its descendants are waited for. */
export function createSessionTree(parentOf: (session: string) => Promise<string | undefined>) {
  const parents = new Map<string, Promise<string | undefined>>();
  const busy = new Set<string>();

  return { learn, rootOf, setBusy, busyBelow, forget };

  function learn(session: string, parent: string | undefined): void {
    parents.set(session, Promise.resolve(parent));
  }

  async function rootOf(session: string): Promise<string> {
    let parent = parents.get(session);
    if (!parent) {
      parent = parentOf(session);
      parents.set(session, parent);
      parent.catch(() => parents.delete(session)); // asked again next time
    }
    const above = await parent;
    return above === undefined ? session : rootOf(above);
  }

  function setBusy(session: string, isBusy: boolean): void {
    if (isBusy) busy.add(session);
    else busy.delete(session);
  }

  async function busyBelow(root: string, others: readonly string[] = []): Promise<number> {
    const working = [...new Set([...busy, ...others])].filter((session) => session !== root);
    const roots = await Promise.all(working.map((session) => rootOf(session).catch(() => undefined)));
    return roots.filter((each) => each === root).length;
  }

  function forget(session: string): void {
    parents.delete(session);
    busy.delete(session);
  }
}

export type SessionTree = ReturnType<typeof createSessionTree>;
