import { isPrivate } from "./private-variables.ts";

/** A value that must not be written down, with the name it may be called by. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/**
 * The values of environment variables whose names say that they are secret. Short values are left alone: replacing every
 * "1" or "dev" in an output would destroy it and hide nothing.
 */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  return Object.entries(environment)
    .filter(([name]) => isPrivate(name) || (SECRET_NAME.test(name) && !NOT_A_SECRET.test(name)))
    .flatMap(([name, value = ""]) => parts(value).map((part) => ({ name, value: part })))
    .filter(({ value }) => value.length >= SHORTEST && !isPlain(value))
    .sort((a, b) => b.value.length - a.value.length); // a secret that contains another goes first
}

const SECRET_NAME =
  /(?:^|_)(?:token|secret|password|passwd|passphrase|pat|auth|credentials?|cookie|dsn)(?:_|$)|api_?key|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|connection_?string/i;
const NOT_A_SECRET = /(?:_sock|_path|_file|_dir|_home|_url|_type|_method|_enabled)$/i;
const SHORTEST = 8;

/** A value of many lines is printed line by line; each long line is a secret of its own. */
const parts = (value: string): readonly string[] => (value.includes("\n") ? value.split("\n") : [value]);

/** Paths, words of one case and numbers below nine digits are settings, not keys. */
const isPlain = (value: string): boolean =>
  /^\//.test(value) || /^[a-z-]{1,11}$/.test(value) || /^\d{1,8}$/.test(value);
