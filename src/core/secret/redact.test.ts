import { expect, test } from "vitest";
import { redact } from "./redact.ts";
import { secretsOf } from "./secrets-of.ts";

const body = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6";

test.each([
  ["a key of a model provider", `key sk-ant-api03-${body} end`, "key [redacted key] end"],
  ["a project key", `sk-proj-${body}`, "[redacted key]"],
  ["a payment key", `sk_live_${body}`, "[redacted key]"],
  ["a token of a forge", `ghp_${body}`, "[redacted key]"],
  ["a fine-grained token", `github_pat_11ABC_${body}`, "[redacted key]"],
  ["a cloud key id", "id AKIAABCDEFGHIJKLMNOP.", "id [redacted key]."],
  ["a chat token", "xoxb-1234567890-abcdef", "[redacted key]"],
  ["a registry token", `npm_${body}abcd`, "[redacted key]"],
  ["a web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.SflKxwRJSMeKKF2QT4", "[redacted token]"],
  ["a header", `Authorization: Bearer ${body}`, "Authorization: Bearer [redacted]"],
  ["a password in an address", "postgres://me:hunter22@db/x", "postgres://me:[redacted]@db/x"],
  ["an assignment", 'DB_PASSWORD="correct horse" next', 'DB_PASSWORD="[redacted]" next'],
  ["an assignment without blanks", "db_password=correct-horse", "db_password=[redacted]"],
  ["a field of JSON", '{"apiKey": "abcdefgh12345"}', '{"apiKey": "[redacted]"}'],
  [
    "a private key",
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nb",
    "a\n[redacted private key]\nb",
  ],
  ["the end of a private key", "abc=\n-----END PRIVATE KEY-----\nb", "[redacted private key]\nb"],
])("%s is taken out", (_what, text, expected) => expect(redact(text)).toBe(expected));

test.each([
  ["12 tests passed, 3 skipped"],
  ["commit 3f786850e387550fdab836ed7e6dc881de23001b"],
  ["see https://example.org/secret/path and user@example.org"],
  ["expected token 'foo' but got token 'bar'"],
  ["sk-learn is installed; task-runner-for-everything-we-have is not"],
  ["const password = readPassword()"],
])("%s stays", (text) => expect(redact(text)).toBe(text));

test("values of variables with secret names are taken out wherever they stand, also inside an address", () => {
  const secrets = secretsOf({
    DEPLOY_TOKEN: "p@ss/word+1",
    MY_API_KEY: "zebra-99-zebra",
    PLAIN: "visible-value",
    AUTH_PORT: "8080",
    SSH_AUTH_SOCK: "/run/agent.sock",
    AUTH_MODE: "development",
  });
  expect(
    redact("p@ss/word+1 p%40ss%2Fword%2B1 zebra-99-zebra visible-value 8080 /run/agent.sock development", secrets),
  ).toBe(
    "[redacted DEPLOY_TOKEN] [redacted DEPLOY_TOKEN] [redacted MY_API_KEY] visible-value 8080 /run/agent.sock development",
  );
});

test("a secret of many lines is taken out line by line, and the longer of two secrets goes first", () => {
  const secrets = secretsOf({
    A_SECRET: "first-line-1\nsecond-line-2",
    B_TOKEN: "abcdefgh-1",
    C_TOKEN: "abcdefgh-1-more",
  });
  expect(redact("second-line-2|abcdefgh-1-more|abcdefgh-1", secrets)).toBe(
    "[redacted A_SECRET]|[redacted C_TOKEN]|[redacted B_TOKEN]",
  );
});

test("a megabyte of anything is read in linear time", () => {
  for (const unit of ["-----BEGIN ", "sk-", "eyJ", "a:b@", "password", "://a:", "bearer "]) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const began = performance.now();
    redact(text);
    expect(performance.now() - began).toBeLessThan(15_000);
  }
});
