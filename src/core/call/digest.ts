/**
 * A short name for (tool, arguments, result): equal for equal values whatever the order of their keys.
 * It tells repetition from news and is no secret keeper: two different calls share one by accident about once
 * in 2^64 pairs.
 */
export function digestOf(tool: string, args: unknown, result: unknown): string {
  return named(tool, canonical(args), canonical(result));
}

/** JSON with sorted keys. Total: what JSON cannot say (cycles, functions, a throwing `toJSON`) becomes a mark. */
export function canonical(value: unknown): string {
  return written(value, []);
}

/** `above`: the objects that this value lies in. */
function written(value: unknown, above: object[]): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return `<${typeof value}${typeof value === "bigint" ? ` ${value}` : ""}>`;
  if (above.includes(value)) return "<cycle>";
  if (above.length >= 100) return "<deep>";
  const depth = above.push(value);
  try {
    return writtenObject(value, above);
  } catch {
    return "<unreadable>"; // a getter or a `toJSON` of a foreign value threw
  } finally {
    above.length = depth - 1;
  }
}

function writtenObject(value: object, above: object[]): string {
  if (Array.isArray(value)) return `[${value.map((item) => written(item, above)).join(",")}]`;
  if ("toJSON" in value && typeof value.toJSON === "function") return written(value.toJSON(), above);
  if (value instanceof Error) return `<${value.name} ${JSON.stringify(value.message)}>`;
  const fields = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${written(field, above)}`;
  }
  return `{${text}}`;
}

/** Two 32-bit lanes over the UTF-16 units, mixed at the end so that near texts get far names. */
function named(...texts: readonly string[]): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x5bd1e995);
      b ^= b >>> 15;
    }
    a = Math.imul(a ^ text.length, 0x01000193); // where one text ends matters too
    b = Math.imul(b ^ text.length, 0x5bd1e995);
  }
  return spelled(mixed(a), mixed(b ^ a));
}

function mixed(seed: number): number {
  let x = seed;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** Sixteen letters from `a` to `p`, four bits each: made in one go, because this happens at every call. */
function spelled(a: number, b: number): string {
  return String.fromCharCode(
    97 + (a >>> 28),
    97 + ((a >>> 24) & 15),
    97 + ((a >>> 20) & 15),
    97 + ((a >>> 16) & 15),
    97 + ((a >>> 12) & 15),
    97 + ((a >>> 8) & 15),
    97 + ((a >>> 4) & 15),
    97 + (a & 15),
    97 + (b >>> 28),
    97 + ((b >>> 24) & 15),
    97 + ((b >>> 20) & 15),
    97 + ((b >>> 16) & 15),
    97 + ((b >>> 12) & 15),
    97 + ((b >>> 8) & 15),
    97 + ((b >>> 4) & 15),
    97 + (b & 15),
  );
}
