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
  return SHAPES.reduce((rest, [shape, by]) => rest.replace(shape, by), known);
}

/** A secret as it may stand in an output: as it is, and inside a URL. */
function written(value: string): readonly string[] {
  const escaped = encodeURIComponent(value.toWellFormed());
  return escaped === value ? [value] : [value, escaped];
}

const NAMED = String.raw`\b([\w-]{0,40}(?:api[_-]?key|secret|passw(?:or)?d|access[_-]?key|auth[_-]?token)["']?\s{0,3}[=:]\s{0,3}`;

/** Each expression is linear: one class, one repetition, nothing nested. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // A key that was cut at its beginning still ends in its last line.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, "[redacted private key]"],
  [/^[A-Za-z0-9+/=\s]*-----END [A-Z ]{0,40}PRIVATE KEY-----/, "[redacted private key]"],
  [/\b(?:sk|pk|rk)-(?:[a-z]{2,12}-)?[A-Za-z0-9_-]{16,}/g, "[redacted key]"],
  [/\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g, "[redacted key]"],
  [/\bgh[opsur]_[A-Za-z0-9]{20,}/g, "[redacted key]"],
  [/\bgithub_pat_\w{20,}/g, "[redacted key]"],
  [/\bgl(?:pat|dt|rt)-[\w-]{16,}/g, "[redacted key]"],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, "[redacted key]"],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g, "[redacted key]"],
  [/\bAIza[\w-]{30,}/g, "[redacted key]"],
  [/\bya29\.[\w-]{20,}/g, "[redacted key]"],
  [/\bGOCSPX-[\w-]{20,}/g, "[redacted key]"],
  [/\bnpm_[A-Za-z0-9]{30,}/g, "[redacted key]"],
  [/\bpypi-[\w-]{30,}/g, "[redacted key]"],
  [/\bhf_[A-Za-z0-9]{20,}/g, "[redacted key]"],
  [/\bSG\.[\w-]{16,}\.[\w-]{16,}/g, "[redacted key]"],
  [/\bdop_v1_[a-f0-9]{40,}/g, "[redacted key]"],
  [/\bshp(?:at|ca|pa|ss)_[a-f0-9]{24,}/g, "[redacted key]"],
  [/\b\d{8,10}:AA[\w-]{30,}/g, "[redacted key]"],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g, "[redacted token]"],
  [/\b(bearer|basic|token)(\s+)[\w.~+/=-]{16,}/gi, "$1$2[redacted]"],
  [/(:\/\/[^\s:/@]{1,100}:)[^\s/@]{3,200}@/g, "$1[redacted]@"],
  [new RegExp(`${NAMED}["'])[^"'\\n[\\]]{8,200}(?=["'])`, "gi"), "$1[redacted]"],
  [new RegExp(`${NAMED})[^\\s"',;()[\\]]{8,}(?![\\w(])`, "gi"), "$1[redacted]"],
];
