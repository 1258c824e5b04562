import type { Approval } from "../../../src/core/call/index.ts";
import { cardOf, type Store } from "../../../src/engine/index.ts";
import { aReceipt, type History, history } from "../../../src/testing/index.ts";

/** Writes a run that was lived through into a store, as its engine would have. */
export function keep(store: Store, life: History): string {
  const { id, origin } = life.run;
  const append = life.envelopes.map(({ seq: _, ...event }) => event);
  const card = cardOf(life.run, life.now);
  store.log.transact(id, 0, () => ({ append, value: undefined, card, bind: origin }));
  return id;
}

export interface Told {
  readonly run: string;
  readonly goal?: string;
  readonly cwd?: string;
  readonly host?: string;
  readonly session?: string;
  readonly now?: number;
}

const USAGE = { input: 9_000, output: 1_400, cacheRead: 40_000, cacheWrite: 900, cost: 0.031 };

/** A run that began some time ago. */
export function aLife(
  { run, goal, cwd = "/home/you/shop", host = "pi", session = run, now = Date.now() }: Told,
  checks: readonly string[] = [],
): History {
  const life = history({
    birth: {
      ...{ run, driver: "nobody", origin: { host, session, cwd }, budget: { tokens: 400_000, continuations: 20 } },
      checks: checks.map((each) => ({ run: each, by: "human" as const })),
    },
  });
  life.now = now - 47 * 60_000;
  return goal === undefined ? life.says() : life.goal(goal).says();
}

/** An approval that waits, as the scheduler asks for it. */
export const anApproval = (call: string, what: string, more: Partial<Approval> = {}): Approval => ({
  ...{ call, tool: "bash", what, digest: digestFor(call), because: "changes need approval" },
  ...{ askedAt: Date.now() - 95_000, endsAt: Date.now() + 13 * 60_000, always: `bash ${what.split("\n")[0]}` },
  ...more,
});

export const digestFor = (call: string): string => Buffer.from(call).toString("hex").padEnd(64, "0").slice(0, 64);

export const asking = (life: History, approval: Approval): History =>
  life.tell({ type: "calls.journal", events: [{ type: "approval.requested", approval }] });

export const DIFF = `--- src/vat.ts
+++ src/vat.ts
@@ -8,9 +8,12 @@
 export function vat(net: number, country: Country): number {
-  return net * 0.19;
+  const rate = RATES[country];
+  if (rate === undefined) throw new UnknownCountry(country);
+  return round(net * rate);
 }
 
 export function gross(net: number, country: Country): number {
-  return net + net * 0.19;
+  return net + vat(net, country);
 }
`;

/** A day at the desk: something of everything that the page shows. */
export function aDay(
  store: Store,
  now = Date.now(),
): { readonly asking: string; readonly editing: string; readonly proven: string } {
  const shop = aLife({ run: "shop-vat1", goal: "Make VAT depend on the country, with tests for every rate", now }, [
    "npm test",
  ]);
  shop.writes(
    { text: "Read how VAT is computed today", priority: "high" },
    "Move the rates into a table",
    "Fix vat() and gross()",
    "Add a test for every country",
    "Update the README",
  );
  for (const at of [0, 1]) {
    shop
      .starts(at)
      .after(4 * 60_000)
      .works()
      .tell({ type: "answer.seen", usage: USAGE })
      .works()
      .after(60_000)
      .completes(at);
    shop.tell({ type: "answer.seen", usage: USAGE });
    shop
      .ends({ workspace: `w${at}`, usage: USAGE })
      .after(2_000)
      .tell({ type: "log.moved" });
    if (shop.run.ledger.nudge) shop.nudged();
    else shop.turn("host");
  }
  shop
    .starts(2)
    .after(3 * 60_000)
    .works();
  asking(
    shop,
    anApproval("call-edit", DIFF, { tool: "edit", because: "changes need approval", askedAt: now - 40_000 }),
  );
  keep(store, shop);

  const deploy = aLife({ run: "api-deploy", goal: "Release 2.4.0 of the API", cwd: "/home/you/api", now });
  deploy
    .writes("Bump the version", "Run the whole test suite", "Tag and push")
    .starts(0)
    .works()
    .completes(0)
    .starts(2);
  asking(
    deploy,
    anApproval("call-push", "git push origin main --follow-tags", {
      ...{ endsAt: now + 90_000, shows: "command", editable: true },
    }),
  );
  keep(store, deploy);

  const docs = aLife({
    run: "docs-links",
    goal: "Fix every dead link in the handbook",
    cwd: "/home/you/handbook",
    host: "opencode",
    now,
  });
  docs.writes("Collect the links", "Fix or remove the dead ones").starts(0).works();
  docs.tell({
    type: "question.opened",
    id: "q1",
    text: "The page about invoices moved. Should old links redirect, or be rewritten?",
  });
  keep(store, docs);

  const done = aLife({ run: "shop-cart", goal: "Fix the rounding of cart totals", now: now - 3 * 3_600_000 }, [
    "npm test",
  ]);
  done
    .writes("Write a failing test", "Round once, at the end")
    .starts(0)
    .works()
    .completes(0)
    .works()
    .completes(1)
    .ends({ workspace: "w1" });
  if (done.run.ledger.verifying)
    done.after(9_000).checked(
      aReceipt("run", "npm test", {
        workspace: "w1",
        durationMs: 8_400,
        at: now - 3 * 3_600_000,
        tail: "Tests  42 passed (42)",
      }),
    );
  keep(store, done);

  const failing = aLife(
    {
      run: "auth-flaky",
      goal: "Find out why the login test is flaky",
      cwd: "/home/you/auth",
      host: "claude-code",
      now: now - 3_600_000,
    },
    ["npm test -- login"],
  );
  failing.writes("Reproduce it", "Fix it").works().completes(0).works().completes(1).ends({ workspace: "w1" });
  if (failing.run.ledger.verifying)
    failing.after(5_000).checked(
      aReceipt("run", "npm test -- login", {
        ...{ status: "failed", exit: 1, workspace: "w1", durationMs: 4_100, at: now - 3_600_000 },
        tail: " FAIL  test/login.test.ts > keeps the session\nAssertionError: expected 401 to be 200\n    at test/login.test.ts:41:28\n\n Tests  1 failed | 11 passed (12)",
      }),
    );
  keep(store, failing);

  const held = aLife({
    run: "infra-move",
    goal: "Move the staging cluster to the new network",
    cwd: "/home/you/infra",
    host: "codex",
    now: now - 1_800_000,
  });
  held.writes("Plan the addresses", "Move the databases").starts(0).works().ends({ workspace: "w1" }).holds();
  keep(store, held);
  return { asking: "api-deploy", editing: "shop-vat1", proven: "shop-cart" };
}

const LONG_WORD = "aVeryLongIdentifierThatNoLineBreaksByItself".repeat(4);

/** A change of 40 lines. */
const LONG_DIFF = [
  "--- packages/billing/src/invoices/rendering/localised-invoice-number-formatter.ts",
  "+++ packages/billing/src/invoices/rendering/localised-invoice-number-formatter.ts",
  "@@ -1,18 +1,22 @@",
  ...Array.from({ length: 12 }, (_, at) => `-  case "${at}": return pad(invoice.number, ${at}) + separators[${at}];`),
  ...Array.from({ length: 18 }, (_, at) => `+  [${at}, { width: ${at + 4}, separator: "-", prefix: "INV" }],`),
  ...Array.from({ length: 6 }, (_, at) => `   // line ${at} stays as it is`),
  `+  const longest = "${LONG_WORD}";`,
].join("\n");

/** Texts that are longer than anyone would wish, everywhere where one stands. */
export function aLongDay(store: Store, now = Date.now()): { readonly long: string } {
  const goal = `Rewrite the numbering of invoices so that every country, every branch and every year has its own sequence, keep old numbers readable, and prove with tests that no number is given twice, not even when two servers write at once (${LONG_WORD})`;
  const cwd = "/home/you/work/customers/a-rather-long-customer-name/monorepo/packages/billing";
  const life = aLife({ run: "billing-long", goal, cwd, host: "claude-code", now }, [
    `node --test --test-reporter=spec packages/billing/test/${LONG_WORD}.test.ts && npm run lint -- --max-warnings 0`,
  ]);
  life.writes(
    `Read everything about ${LONG_WORD} and write down what depends on it, file by file, with the reason for each, so that the next one who comes along understands it`,
    { text: "Change the formatter", priority: "high", check: "npm test -w packages/billing -- formatter" },
    ...Array.from({ length: 14 }, (_, at) => `Move country ${at} to the new table`),
  );
  life.starts(0).works().completes(0).ends({ workspace: "w1", usage: USAGE });
  if (life.run.ledger.nudge) life.nudged();
  else life.turn("host");
  life.starts(1).works();
  life.tell({
    type: "words.queue",
    words: { id: "w1", text: `Keep in mind ${LONG_WORD}, and ask me before you touch the database`, kind: "steer" },
  });
  asking(life, anApproval("call-long-diff", LONG_DIFF, { tool: "edit", because: "changes need approval" }));
  keep(store, life);
  const script = aLife({ run: "script-long", goal: "Clean up", cwd, now }).writes("Clean up").starts(0);
  const command = `find . -name node_modules -prune -o -type f -name '*.orig' -print0 | xargs -0 -n 50 rm -fv -- ${LONG_WORD}`;
  asking(script, anApproval("call-long-command", command, { shows: "command", editable: true }));
  keep(store, script);
  const failing = aLife({ run: "failing-long", goal: "Make the build pass", cwd, now: now - 600_000 }, [
    "npm run build",
  ]);
  failing.writes("Fix the build").works().completes(0).ends({ workspace: "w1" });
  if (failing.run.ledger.verifying) {
    const tail = Array.from(
      { length: 40 },
      (_, at) => `src/invoices/${LONG_WORD.slice(0, 60)}.ts(${at},7): error TS2345`,
    );
    const failed = { status: "failed", exit: 2, workspace: "w1", durationMs: 61_000, at: now - 500_000 } as const;
    failing.after(5_000).checked(aReceipt("run", "npm run build", { ...failed, tail: tail.join("\n") }));
  }
  keep(store, failing);
  return { long: "billing-long" };
}

/** So many runs in 40 folders: most ended, some work, every fiftieth waits. */
export function manyRuns(store: Store, count: number, now = Date.now()): void {
  for (let at = 0; at < count; at++) {
    const goal = `Goal number ${at}: make the tests of part ${at % 37} pass`;
    const began = now - (at % 6) * 86_400_000 - at * 1_000;
    const life = aLife({
      run: `run-${String(at).padStart(4, "0")}`,
      goal,
      cwd: `/home/you/project-${at % 40}`,
      now: began,
    });
    life.writes("read", "change", "test").starts(0).works();
    if (at % 50 === 0) asking(life, anApproval(`call-${at}`, `npm publish --tag part-${at}`));
    else if (at % 4 !== 0) life.completes(0, 1, 2).ends({ workspace: "w" });
    keep(store, life);
  }
}
