import { KEY_SHAPES } from "./key-shapes.ts";
import { withoutNamedValues } from "./named-values.ts";
import type { Secret } from "./secrets-of.ts";

/**
 * Text without known secrets and without what has the shape of a key. A guard rail: a secret of unknown shape that no
 * environment variable holds goes through.
 */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  const known = secrets.reduce(
    (rest, { name, value }) => written(value).reduce((left, form) => left.replaceAll(form, `[redacted ${name}]`), rest),
    text,
  );
  return withoutNamedValues(KEY_SHAPES.reduce((rest, [shape, by]) => rest.replace(shape, by), known));
}

/** A secret as it may stand in an output: as it is, and inside a URL. */
function written(value: string): readonly string[] {
  const escaped = encodeURIComponent(value.toWellFormed());
  return escaped === value ? [value] : [value, escaped];
}
