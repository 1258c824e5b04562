/** What a host wrote on our standard input: any JSON, read field by field. */
export type Payload = Readonly<Record<string, unknown>>;

/** The object in that text; undefined if it is something else. */
export function readPayload(input: string): Payload | undefined {
  const value: unknown = JSON.parse(input);
  return isObject(value) ? value : undefined;
}

export const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function textAt(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === "string" ? value : undefined;
}

export function objectAt(payload: Payload, key: string): Payload {
  const value = payload[key];
  return isObject(value) ? value : {};
}

export function objectsAt(payload: Payload, key: string): readonly Payload[] {
  const value = payload[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsAt(payload: Payload, key: string): readonly string[] {
  const value = payload[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
