import { redact } from "../../core/secret/index.ts";

/** Untracked files that are never pushed, whatever they hold. Patterns of gitignore; what the project tracks is not touched by them. */
export const EXCLUDED: readonly string[] = [
  ...[
    ".env",
    ".env.*",
    "!.env.example",
    "!.env.sample",
    "!.env.template",
    ".envrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
  ],
  ...[
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
  ],
  ...[
    ".aws/",
    ".ssh/",
    ".gnupg/",
    ".kube/",
    ".docker/config.json",
    "credentials.json",
    "service-account*.json",
    "*.tfstate",
  ],
  ...["tildone.db", "tildone.db-*", "core.[0-9]*"],
];

/** Whether a new file holds what has the shape of a key. Large files and such that are no text are not searched. */
export function holdsSecret(content: Buffer): boolean {
  if (content.length > LONGEST || content.includes(0)) return false;
  const text = content.toString("utf8");
  return redact(text) !== text;
}

const LONGEST = 1024 * 1024;
