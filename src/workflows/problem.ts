import { oneLine } from "../core/text/index.ts";

/** One mistake in the files of a workflow: where it stands, and what was expected there. */
export interface Problem {
  /** `error`: the workflow is left out. `warning`: it runs, but something in it does not do what its author meant. */
  readonly severity: "error" | "warning";
  /** The key of the workflow it concerns; absent when it concerns a whole folder. */
  readonly workflow?: string;
  readonly file: string;
  readonly line?: number;
  readonly field?: string;
  readonly message: string;
}

/** A mistake in a file, not yet laid to one of the workflows that use it. */
export type Mistake = Omit<Problem, "workflow" | "file">;

export const isError = ({ severity }: Mistake): boolean => severity === "error";

/** `path/workflow.yaml:4: phases[2]: expected …` */
export function problemLine({ file, line, field, message }: Problem): string {
  return oneLine([line === undefined ? file : `${file}:${line}`, field, message].filter(Boolean).join(": "));
}

/** A place in a file: the keys and positions that lead to a value. */
export type Place = readonly (string | number)[];

/** `phases[2].tools.blacklist` */
export function fieldName(place: Place): string {
  return place.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? step : `${name}.${step}`;
  }, "");
}

/** What was found instead, short enough for one line. */
export function described(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "an empty value";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 60) : value) ?? String(value);
  return typeof value === "string" && value.length > 60 ? `${text.slice(0, -1)}…"` : text;
}
