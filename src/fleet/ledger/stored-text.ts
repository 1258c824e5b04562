/** Text as PostgreSQL can keep it: JSON writes NUL and halves of surrogate pairs as escapes. */
export const toStored = (text: string): string => JSON.stringify(text);
export const maybeStored = (text: string | undefined): string | null => (text === undefined ? null : toStored(text));

export function fromStored(text: string): string {
  return JSON.parse(text) as string;
}
export const maybeFrom = (text: string | null): string | undefined => (text === null ? undefined : fromStored(text));

/** JSON text that says the same and can be kept. What is no JSON stays none. */
export function keepable(json: string): string {
  if (json.isWellFormed() && !json.includes("\0")) return json;
  return json.replace(UNKEEPABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
const UNKEEPABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
