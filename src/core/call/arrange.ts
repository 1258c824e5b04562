/** One call of a batch, as far as its order matters. */
export interface Needing {
  readonly id: string;
  readonly needs?: readonly string[];
}

export interface Arrangement {
  /** Positions in the batch: each after those it needs, otherwise as requested. Refused ones are left out. */
  readonly order: readonly number[];
  readonly refused: ReadonlyMap<number, { readonly code: "unknown_need" | "need_cycle"; readonly need: string }>;
}

/**
 * Puts a batch in an order in which no call waits for a later one: claims are taken in this order, so a call
 * never stands in line before a call that it needs. Ids are unique; `isKnown` tells of calls accepted earlier.
 */
export function arrange(batch: readonly Needing[], isKnown: (id: string) => boolean): Arrangement {
  if (batch.every(({ needs }) => needs === undefined || needs.length === 0)) {
    return { order: Array.from(batch.keys()), refused: new Map() };
  }
  const position = new Map(batch.map(({ id }, index) => [id, index]));
  const order: number[] = [];
  const refused = new Map<number, { code: "unknown_need" | "need_cycle"; need: string }>();
  const seen: ("open" | "done" | undefined)[] = [];

  for (const start of batch.keys()) {
    if (seen[start] !== undefined) continue;
    const path = [{ index: start, need: 0 }]; // our own stack: a chain of needs may be longer than the machine's
    seen[start] = "open";
    while (path.length > 0) {
      const step = path.at(-1)!;
      const need = batch[step.index]!.needs?.[step.need++];
      if (need === undefined) {
        path.pop();
        seen[step.index] = "done";
        if (!refused.has(step.index)) order.push(step.index);
        continue;
      }
      const target = position.get(need);
      if (target === undefined) {
        if (!isKnown(need)) refused.set(step.index, { code: "unknown_need", need });
      } else if (seen[target] === "open") {
        const first = path.findIndex(({ index }) => index === target);
        for (const member of path.slice(first)) refused.set(member.index, { code: "need_cycle", need });
      } else if (seen[target] === undefined) {
        seen[target] = "open";
        path.push({ index: target, need: 0 });
      }
    }
  }
  return { order, refused };
}
