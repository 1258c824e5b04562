/** What a value has to look like before it is believed: a row may come from a later version, from a hand, or from a disk that failed. */
export type Kind = (value: unknown) => boolean;
export type Form = readonly (readonly [field: string, kind: Kind])[];

export function misfit(form: Form, value: object): string | undefined {
  for (const [field, fits] of form) if (!fits((value as Record<string, unknown>)[field])) return field;
  return undefined;
}

export const text: Kind = (value) => typeof value === "string";
export const number: Kind = (value) => Number.isFinite(value);
export const amount: Kind = (value) => Number.isFinite(value) && (value as number) >= 0;
export const flag: Kind = (value) => typeof value === "boolean";
export const maybe =
  (kind: Kind): Kind =>
  (value) =>
    value === undefined || kind(value);
export const either =
  (...kinds: readonly Kind[]): Kind =>
  (value) =>
    kinds.some((kind) => kind(value));
export const oneOf =
  (...values: readonly string[]): Kind =>
  (value) =>
    values.includes(value as string);
export const list =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.every(kind);
export const object = (fields: Readonly<Record<string, Kind>>): Kind => {
  let form: Form | undefined; // made when it is asked: most of the table is not, in a process that lives for one event
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    form ??= Object.entries(fields);
    return misfit(form, value) === undefined;
  };
};
export const record =
  (kind: Kind): Kind =>
  (value) =>
    typeof value === "object" && value !== null && Object.values(value).every(kind);

export const texts = list(text);
export const timebase = object({ boot: text, zero: number });
export const check = object({
  run: either(text, texts),
  cwd: maybe(text),
  timeoutMs: maybe(number),
  by: oneOf("human", "plan", "model"),
  allowed: maybe(flag),
  byPattern: maybe(flag),
});
export const todo = object({
  id: text,
  text,
  status: oneOf("not_started", "in_progress", "blocked", "completed", "abandoned"),
  priority: oneOf("high", "medium", "low"),
  needs: texts,
  checks: list(check),
  covers: texts,
  touches: texts,
  askFirst: flag,
  by: oneOf("human", "plan", "model"),
  reason: maybe(text),
});
export const path = list(object({ workflowKey: text, phaseIndex: amount, phaseId: text }));
export const phase = object({
  id: text,
  name: text,
  emoji: text,
  instructions: text,
  tools: object({ rule: oneOf("all", "except", "only"), tools: maybe(texts) }),
  availableProfiles: texts,
  context: maybe(oneOf("same", "fresh", "auto")),
  checks: list(check),
  todos: list(object({ text, priority: text, checks: list(check), askFirst: flag })),
});
export const forest = list(
  object({ key: text, name: text, phases: list(either(object({ subworkflow: text }), phase)) }),
);
export const workflow = object({
  status: oneOf("active", "finished", "cancelled"),
  workflowKey: text,
  forest,
  description: text,
  taskId: text,
  path,
  moves: amount,
  summaries: list(object({ phaseName: text, text })),
  visited: texts,
});
export const budget = record(amount);
export const requirement = object({ id: text, text });
export const failure = object({
  kind: oneOf("rate_limit", "overload", "host", "context_full", "host_limit", "refused", "other"),
  message: text,
  resetAt: maybe(number),
  resumeAt: maybe(number),
});
export const usage = object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, cost: amount });
export const nudgeKind = oneOf("todo", "phase", "requirement", "write_list", "question", "wind_down");
/** A name of a table; golden logs show that none is ever taken out of it. */
export const named =
  (table: () => object): Kind =>
  (value) =>
    typeof value === "string" && Object.hasOwn(table(), value);
/** The name of a reason; one that this version does not know was written by a later one, and has a sentence of its own. */
export const reason: Kind = (value) => typeof value === "string" && /^[a-z][a-z_]{0,59}$/.test(value);
export const decision = either(
  object({
    type: oneOf("continue"),
    kind: nudgeKind,
    step: object({ type: oneOf("todo", "phase", "requirement", "write_list") }),
    after: number,
    rule: text,
  }),
  object({ type: oneOf("wait"), reason, until: maybe(number), detail: maybe(text), rule: text }),
  object({ type: oneOf("stop"), reason, detail: maybe(text), rule: text }),
);
const proof = object({
  where: oneOf("room", "place"),
  confined: flag,
  tree: maybe(text),
  judge: maybe(text),
  room: maybe(text),
  command: text,
  environment: maybe(text),
  prepared: maybe(flag),
  why: maybe(text),
  unconfined: maybe(text),
  notes: maybe(texts),
});
export const firstResult = object({
  key: text,
  command: text,
  status: oneOf("passed", "failed", "timed_out", "not_runnable"),
  exit: maybe(number),
  durationMs: number,
  tail: text,
  proof,
  place: maybe(text),
  decides: oneOf("room", "place"),
});
export const receipt = object({
  key: text,
  owner: text,
  command: text,
  status: oneOf("passed", "failed", "timed_out", "cut_short", "not_runnable", "observed"),
  exit: maybe(number),
  durationMs: number,
  workspace: maybe(text),
  tail: text,
  suspect: flag,
  doubt: maybe(text),
  beside: maybe(texts),
  first: maybe(oneOf("passed", "failed", "timed_out", "not_runnable")),
  proof: maybe(proof),
});
export const approval = object({
  call: text,
  tool: text,
  what: text,
  digest: maybe(text),
  because: text,
  askedAt: number,
  endsAt: maybe(number),
  shows: maybe(oneOf("command")),
});

export const spoken = maybe(
  object({
    ...{ via: text, host: maybe(text), tty: maybe(text), unclear: maybe(text), marks: maybe(texts) },
    ...{ device: maybe(text), request: maybe(text) },
  }),
);
