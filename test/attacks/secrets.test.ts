import { globSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Trigger } from "../../src/core/react/index.ts";
import { markdownReport } from "../../src/core/report/index.ts";
import { redact } from "../../src/core/secret/index.ts";
import { createFakeWorld, type FakeWorld } from "../../src/testing/index.ts";
import fc from "../builders/properties.ts";
import { reportOf } from "../builders/report-of.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const of = (alphabet: string, length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((all) => all.join(""));
/** As random keys are: letters of both cases and digits. */
const key = (length: number) => of(letters, length).map((text) => `a1B2${text.slice(4)}`);
const hex = (length: number) => of("0123456789abcdef", length).map((text) => `a1${text.slice(2)}`);
const upper = (length: number) => of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length);

/** What a key looks like, and the part of it that must not be seen. */
const KEYS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Anthropic: key(40).map((it) => `sk-ant-api03-${it}`),
  OpenAI: key(40).map((it) => `sk-proj-${it}`),
  OpenRouter: hex(64).map((it) => `sk-or-v1-${it}`),
  xAI: key(60).map((it) => `xai-${it}`),
  Groq: key(48).map((it) => `gsk_${it}`),
  Perplexity: key(48).map((it) => `pplx-${it}`),
  "Hugging Face": key(34).map((it) => `hf_${it}`),
  Google: key(35).map((it) => `AIza${it}`),
  GitHub: fc.tuple(fc.constantFrom("p", "o", "u", "s", "r"), key(36)).map(([kind, it]) => `gh${kind}_${it}`),
  "GitHub, fine": key(70).map((it) => `github_pat_${it}`),
  GitLab: key(20).map((it) => `glpat-${it}`),
  npm: key(36).map((it) => `npm_${it}`),
  PyPI: key(60).map((it) => `pypi-${it}`),
  Docker: key(27).map((it) => `dckr_pat_${it}`),
  AWS: upper(16).map((it) => `AKIA${it}`),
  "Google OAuth": key(60).map((it) => `ya29.${it}`),
  "Azure client": key(34).map((it) => `abc8Q~${it}`),
  DigitalOcean: hex(64).map((it) => `dop_v1_${it}`),
  Databricks: hex(32).map((it) => `dapi${it}`),
  Vault: key(90).map((it) => `hvs.${it}`),
  "Vault, old": key(24).map((it) => `s.${it}`),
  Terraform: key(60).map((it) => `abcdefghij1234.atlasv1.${it}`),
  age: upper(58).map((it) => `AGE-SECRET-KEY-1${it}`),
  Stripe: fc
    .tuple(fc.constantFrom("sk", "rk", "pk"), fc.constantFrom("live", "test"), key(24))
    .map((all) => all.join("_")),
  "Stripe webhook": key(32).map((it) => `whsec_${it}`),
  Slack: fc.tuple(fc.constantFrom("b", "p", "a", "s"), key(24)).map(([kind, it]) => `xox${kind}-123456789012-${it}`),
  "Slack app": key(30).map((it) => `xapp-1-A0123-${it}`),
  SendGrid: fc.tuple(key(22), key(43)).map(([one, other]) => `SG.${one}.${other}`),
  Twilio: hex(32).map((it) => `SK${it}`),
  Mailgun: hex(32).map((it) => `key-${it}`),
  Linear: key(40).map((it) => `lin_api_${it}`),
  Notion: key(43).map((it) => `secret_${it}`),
  Figma: key(40).map((it) => `figd_${it}`),
  Telegram: key(33).map((it) => `123456789:AA${it}`),
  JWT: fc.tuple(key(30), key(60), key(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
};

const plain = key(24);
/** Words that say that what follows is secret, whatever it looks like. */
const PLACES: Readonly<Record<string, (value: string) => string>> = {
  "a variable ending in TOKEN": (it) => `MY_SERVICE_TOKEN=${it}`,
  "a variable in quotes": (it) => `export DEPLOY_TOKEN="${it}"`,
  "a variable with PASS": (it) => `DB_PASS=${it}`,
  "a variable with PASSWORD": (it) => `POSTGRES_PASSWORD='${it}'`,
  "a variable with SECRET in the middle": (it) => `APP_SECRET_KEY_BASE=${it}`,
  "a variable with PWD": (it) => `MYSQL_PWD=${it}`,
  "a line of env": (it) => `A=b\nAWS_SECRET_ACCESS_KEY=${it}\nC=d`,
  "an ini file": (it) => `aws_secret_access_key = ${it}`,
  "JSON token": (it) => `{"token":"${it}"}`,
  "JSON access_token": (it) => `{ "access_token": "${it}", "expires_in": 3600 }`,
  "JSON clientSecret": (it) => `"clientSecret": "${it}"`,
  "JSON password": (it) => `{"user":"a","password": "${it}"}`,
  YAML: (it) => `  api_key: ${it}`,
  "YAML in quotes": (it) => `  secret: '${it}'`,
  TOML: (it) => `auth_token = "${it}"`,
  source: (it) => `const apiKey = "${it}";`,
  "an option": (it) => `mysql --password=${it} db`,
  "an option as a word": (it) => `tool --token ${it}`,
  "a header": (it) => `x-api-key: ${it}`,
  Authorization: (it) => `Authorization: Bearer ${it}`,
  "Authorization, basic": (it) => `authorization: Basic ${it}==`,
  curl: (it) => `curl -H "Authorization: token ${it}" https://api.example.com`,
  "an address": (it) => `postgres://user:${it}@db:5432/x`,
  "an address with a token only": (it) => `https://${it}@github.com/a/b.git`,
  "a query": (it) => `GET /x?access_token=${it}&y=1`,
  "Azure storage": (it) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${it}==;EndpointSuffix=core`,
  "Azure bus": (it) => `Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=${it}=`,
  "Azure SAS": (it) => `https://a.blob.core.windows.net/c?sv=2022&se=x&sig=${it}%3D`,
  "an S3 signature": (it) => `https://b.s3.amazonaws.com/k?X-Amz-Signature=${it}`,
  "a database's settings": (it) => `Server=x;User Id=sa;Password=${it};Encrypt=true`,
  "an npmrc": (it) => `//npm.example.com/:_authToken=${it}`,
  "a cookie": (it) => `Cookie: session=${it}; theme=dark`,
  "a cookie that is set": (it) => `set-cookie: sid=${it}; HttpOnly`,
  "a Slack hook": (it) => `https://hooks.slack.com/services/T000/B000/${it}`,
  "a private key": (it) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${it}\n${it}\n-----END OPENSSH PRIVATE KEY-----`,
  "an EC key, cut": (it) => `-----BEGIN EC PRIVATE KEY-----\n${it}`,
  "a PGP key": (it) =>
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${it}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
};

/** As people choose them. */
const chosen = fc
  .tuple(fc.constantFrom("hunter", "Summer", "letmein", "qwerty", "Tr0ub4dor"), fc.integer({ min: 10, max: 99_999 }))
  .map(([word, number]) => `${word}${number}x`);
/** Where the place alone says that it is a password. */
const PLACES_OF_PASSWORDS: Readonly<Record<string, (value: string) => string>> = {
  YAML: (it) => `password: ${it}`,
  "an ini file": (it) => `passwd=${it}`,
  "a variable without a break": (it) => `PGPASSWORD=${it} psql -h db`,
  "an option with =": (it) => `tool --password=${it}`,
  "an option as a word": (it) => `tool --password ${it} --verbose`,
  "mysql's own": (it) => `mysql -u root -p${it} db`,
  "curl's user": (it) => `curl -s -u admin:${it} https://example.com`,
  "curl's user, long": (it) => `curl --user 'admin:${it}' https://example.com`,
  "wget in a chain": (it) => `cd x && http -a admin:${it} GET example.com`,
  sshpass: (it) => `sshpass -p ${it} ssh host`,
  "docker login": (it) => `docker login -u me -p ${it} registry.example.com`,
  "redis-cli": (it) => `redis-cli -h x -a ${it} ping`,
  htpasswd: (it) => `htpasswd -cb .htpasswd admin ${it}`,
  "openssl, pass": (it) => `openssl rsa -in k -passin pass:${it}`,
  "openssl, key": (it) => `openssl enc -aes-256-cbc -k ${it}`,
  "sudo -S": (it) => `echo '${it}' | sudo -k -S apt update`,
  netrc: (it) => `machine example.com login me password ${it}`,
  "an address without a user": (it) => `redis://:${it}@cache:6379/0`,
  XML: (it) => `<password>${it}</password>`,
  "a sentence": (it) => `The admin password is ${it}, use it.`,
};

const around = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `before\n${text}\nafter`,
  (text) => `$ ${text}`,
  (text) => `  "${text.replaceAll('"', "'")}",`,
  (text) => `error: (${text})`,
);

describe("secrets by their shape", () => {
  test.each(Object.entries(KEYS))("%s", (_name, shape) => {
    fc.assert(
      fc.property(shape, around, (secret, put) => {
        expect(redact(put(secret))).not.toContain(secret.slice(-8));
      }),
      { numRuns: 60 },
    );
  });

  test.each(Object.entries(PLACES))("%s", (_name, place) => {
    fc.assert(
      fc.property(
        plain,
        fc.constantFrom(
          (text: string) => text,
          (text: string) => `x\n${text}\ny`,
        ),
        (secret, put) => {
          expect(redact(put(place(secret)))).not.toContain(secret);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("passwords by their place", () => {
  test.each(Object.entries(PLACES_OF_PASSWORDS))("%s", (_name, place) => {
    fc.assert(
      fc.property(chosen, around, (secret, put) => {
        expect(redact(put(place(secret)))).not.toContain(secret);
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is none", () => {
  test.each([
    "mysql -p",
    "mysql -u root -p db",
    "docker run -p 8080:80 nginx",
    "docker login -u me --password-stdin",
    "curl -u $USER:$PASS https://example.com",
    "curl https://example.com:8080/x",
    "mkdir -p a1/b2 && ssh -p 2222 host",
    "openssl enc -aes-256-cbc -k $KEY",
    "the password is required",
    "the token is valid for 30 minutes",
    "echo hello | sudo tee /etc/x",
    "<token>string</token-list>",
    "tool --password-file x1y2z3",
    "MAX_TOKENS=4096",
    "the tokenizer passed 12 of 12",
    "const token = getToken();",
    "password: process.env.DB_PASSWORD",
    `password: ${"$"}{{ secrets.DB }}`,
    "auth: true",
    "author: Somebody <a@b.example>",
    "type Props = { token: string; password?: string };",
    "tokens: 12345, cost: 0.01",
    "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "https://example.org/path?key=value&page=2",
    "session 7d2a4f7a-1a2b-4c3d-8e9f-0a1b2c3d4e5f",
    "cookie: string",
    'PASSWORD: "PASSWORD"',
    "pass 12/12",
    "secretsOf(env)",
  ])("%s", (text) => expect(redact(text)).toBe(text));

  test("source trees stay as they are, but for a few lines in a million characters", () => {
    const files = globSync(
      "node_modules/{typescript,zod,yaml,undici,vitest,fast-check,@types/node,@earendil-works}/**/*.{js,ts,md}",
    )
      .filter((_, at) => at % 11 === 0)
      .filter((file) => statSync(file).isFile() && statSync(file).size < 200_000)
      .slice(0, 250);
    let characters = 0;
    let changed = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      characters += text.length;
      const lines = redact(text).split("\n");
      changed += text.split("\n").filter((line, at) => line !== lines[at]).length;
    }
    expect(files.length).toBeGreaterThan(100);
    expect((changed * 1_000_000) / characters).toBeLessThan(12);
  });
});

/** Every way in which words of people, models and hosts enter a log. */
const DOORS: Readonly<Record<string, (world: FakeWorld, text: string) => Promise<unknown>>> = {
  "a goal": async () => {}, // every run below has one
  "a todo": (world, text) =>
    world.tell({ type: "todos.write", by: "model", write: { mode: "append", todos: [{ text }] } } as Trigger),
  "a list of the host's": (world, text) =>
    world.tell({ type: "todos.mirror", by: "model", items: [{ text, status: "not_started" }] } as Trigger),
  "a reason to block": (world, text) =>
    world.tell({ type: "todos.edit", by: "model", edit: { action: "block", indices: [0], reason: text } }),
  "a reason to give up": (world, text) =>
    world.tell({ type: "todos.edit", by: "model", edit: { action: "abandon", indices: [0], reason: text } }),
  "an edit of yours": (world, text) =>
    world.tell({ type: "todos.human_edit", edit: { action: "change", index: 0, text } } as unknown as Trigger),
  "a message": (world, text) => world.tell({ type: "words.queue", words: { id: "w", text, kind: "steer" } }),
  "a message that is changed": async (world, text) => {
    await world.tell({ type: "words.queue", words: { id: "w", text: "later", kind: "follow-up" } });
    return world.tell({ type: "words.edit", id: "w", text });
  },
  "a word to continue": (world, text) => world.tell({ type: "human.resume", words: { id: "w", text, kind: "steer" } }),
  "a question": (world, text) => world.tell({ type: "question.opened", id: "q", text }),
  "last words": async (world, text) => world.settle({ text: `Shall I use this? ${text} ?` }),
  "a failure": async (world, text) => world.settle({ outcome: "failed", failure: { kind: "other", message: text } }),
  "a failure of ours": (world, text) => world.tell({ type: "host.failed", where: "x", message: text }),
};

describe("what is written down, sent, shown and exported", () => {
  const secret = fc.oneof(...Object.values(KEYS));
  const place = fc.constantFrom(...Object.values(PLACES));
  const said = fc.oneof(
    fc.tuple(secret, around).map(([it, put]) => [it.slice(-10), put(it)] as const),
    fc.tuple(plain, place).map(([it, put]) => [it, put(it)] as const),
  );
  test.each(Object.entries(DOORS))("holds no secret that came as %s", async (_name, enter) => {
    await fc.assert(
      fc.asyncProperty(said, async ([hidden, text]) => {
        const world = createFakeWorld({ kind: "idle", birth: { goal: text } });
        await world.tell({
          ...{ type: "todos.write", by: "model", write: { mode: "replace", todos: [{ text: "a" }, { text: "b" }] } },
        } as Trigger);
        await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
        await enter(world, text);
        world.settle();
        await world.clock.settle();
        const { log, runs } = world.store;
        const all = runs.list().flatMap(({ run }) => log.read(run, 0).events);
        const told = JSON.stringify([all, runs.list(), world.host.nudges, world.host.delivered, world.host.notices]);
        expect(told).not.toContain(hidden);
        expect(markdownReport(reportOf(all))).not.toContain(hidden);
      }),
      { numRuns: 40 },
    );
  });

  test("a secret of the environment has no shape and is known all the same", async () => {
    const world = createFakeWorld({
      kind: "idle",
      redact: (text) => redact(text, [{ name: "MY", value: "open sesame" }]),
    });
    const todos = [{ text: "say open sesame to it" }];
    await world.tell({ type: "todos.write", by: "model", write: { mode: "replace", todos } } as Trigger);
    expect(world.run.plan.todos.map(({ text }) => text)).toEqual(["say [redacted MY] to it"]);
  });

  test("a list of the host's with a secret in it is the same list when it is told again", async () => {
    const world = createFakeWorld({ kind: "idle" });
    const items = [{ text: "use ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", status: "not_started" }];
    await world.tell({ type: "todos.mirror", by: "model", items } as Trigger);
    const before = world.types.length;
    await world.tell({ type: "todos.mirror", by: "model", items } as Trigger);
    expect(world.types).toHaveLength(before);
  });
});
