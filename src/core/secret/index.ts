export { PRIVATE_VARIABLES, withoutPrivate } from "./private-variables.ts";
export { redact } from "./redact.ts";
export { redactShown } from "./redact-shown.ts";
export { type Secret, secretsOf } from "./secrets-of.ts";
export { withoutSecrets } from "./without-secrets.ts";
