export { redact } from "./redact.ts";
export { type Secret, secretsOf } from "./secrets-of.ts";
