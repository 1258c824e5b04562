import { signal } from "@preact/signals";
import type { Paired } from "../serve/index.ts";

/** Kept by this tab alone: another program on this machine that serves pages does not get it, as it would get a cookie. */
const KEY = "tildone.token";
export const token = signal<string | null>(sessionStorage.getItem(KEY));

/** Why this tab has none. */
export const problem = signal<string | undefined>(undefined);

export function setToken(value: string | null, why?: string): void {
  problem.value = why;
  if (value === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
  token.value = value;
}

/** The server was not reached, or did not answer as we know it: worth another try. */
export class NotReached extends Error {}
/** It answered no, and says why. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const PATIENCE_MS = 15_000;

export async function ask<T>(
  path: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
): Promise<T> {
  const { status, value } = await request(path, method, body);
  if (status < 300) return value as T;
  if (status === 401) setToken(null, messageIn(value));
  if (status >= 500) throw new NotReached(messageIn(value));
  throw new Refused(status, messageIn(value));
}

/** For what answers with a sentence either way. */
export async function tellServer<T>(path: string, body: unknown): Promise<T> {
  const { status, value } = await request(path, "POST", body);
  if (status < 300 || status === 409) return value as T;
  if (status === 401) setToken(null, messageIn(value));
  if (status === 401 || status >= 500) throw new NotReached(messageIn(value));
  throw new Refused(status, messageIn(value));
}

async function request(path: string, method: string, body: unknown): Promise<{ status: number; value: unknown }> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body !== undefined),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
      referrerPolicy: "no-referrer",
    });
  } catch {
    throw new NotReached("The server cannot be reached.");
  }
  return { status: response.status, value: await response.json().catch(() => ({})) };
}

export const headers = (hasBody = false): Record<string, string> => ({
  ...(token.value !== null && { Authorization: `Bearer ${token.value}` }),
  ...(hasBody && { "Content-Type": "application/json" }),
});

const messageIn = (value: unknown): string => {
  const { message } = (typeof value === "object" && value !== null ? value : {}) as { message?: unknown };
  return typeof message === "string" ? message : "The server answered with an error.";
};

/** The code of the address is exchanged for a token, and taken out of the address at once. */
export async function pairFromAddress(): Promise<void> {
  const [, code] = /^#pair=([\w-]+)$/.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname);
  try {
    const { token: given } = await ask<Paired>("/api/pair", { method: "POST", body: { code } });
    setToken(given);
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
}
