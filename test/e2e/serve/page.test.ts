import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aReceipt } from "../../../src/testing/index.ts";
import { aPhase, aWorkflow } from "../../builders/workflow.ts";
import { violationsOn } from "./axe.ts";
import { aBrowserPlace, type BrowserPlace, SIZES, type Theme } from "./browser-place.ts";
import { noChromium } from "./chromium.ts";
import { aDay, aLife, anApproval, asking, keep } from "./runs.ts";

const LONG = 120_000;
if (noChromium !== undefined) console.warn(`The page is not tested in a browser: ${noChromium}.`);

describe.skipIf(noChromium !== undefined)("the page in a real browser", () => {
  let place: BrowserPlace;
  beforeAll(async () => {
    place = await aBrowserPlace();
    aDay(place.store);
  }, LONG);
  afterAll(() => place[Symbol.asyncDispose]());
  const answered = (run: string) =>
    place.store.log
      .read(run, 0)
      .events.flatMap(({ event }) => (event.type === "approval.answered" ? [event.outcome] : []));
  const waits = (run: string, what = "rm -rf build") =>
    keep(
      place.store,
      asking(
        aLife({ run, goal: `Goal of ${run}` })
          .writes("first todo", "second todo")
          .starts(0),
        anApproval(`call-of-${run}`, what),
      ),
    );

  /** Each page, and what its buttons open. */
  const STATES: readonly (readonly [path: string, ...buttons: readonly (string | RegExp)[]])[] = [
    ["/"],
    ["/", "Always…"],
    ["/", "Edit…"],
    ["/", "Deny…"],
    ["/runs"],
    ["/runs/shop-vat1"],
    ["/runs/shop-vat1", "Extend…"],
    ["/runs/shop-vat1", "Hold now…"],
    ["/runs/shop-vat1", "Change todo 3"],
    ["/runs/auth-flaky"],
    ["/devices"],
    ["/devices", "Make a code"],
    ["/nowhere"],
  ];
  const THEMES: readonly Theme[] = ["light", "dark"];
  test.each(THEMES.flatMap((theme) => (["desktop", "phone"] as const).map((size) => [theme, size] as const)))(
    "axe finds nothing on any page, %s, %s; nothing is wider than the screen",
    async (theme, size) => {
      const { page, context, complaints } = await place.tab(size, theme);
      for (const [path, ...buttons] of STATES) {
        await page.evaluate((to) => {
          history.pushState(null, "", to);
          dispatchEvent(new PopStateEvent("popstate"));
        }, path);
        await page.waitForSelector("h1, .empty h2");
        if (path.startsWith("/runs/")) await page.waitForSelector(".run-page");
        for (const name of buttons) await page.getByRole("button", { name }).or(page.getByLabel(name)).first().click();
        await page.evaluate(() => {
          for (const details of document.querySelectorAll(".panel details")) details.setAttribute("open", "");
        });
        expect(await violationsOn(page), `${path} ${buttons} ${theme} ${size}`).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, `${path} ${buttons} is too wide`).toBeLessThanOrEqual(SIZES[size].width);
        if (buttons.length > 0) await page.keyboard.press("Escape");
      }
      await page.route("**/api/events", (route) => route.abort());
      await page.goto(place.origin);
      await page.getByText(/^No connection to tildone serve/).waitFor();
      expect(await violationsOn(page), `no connection ${theme} ${size}`).toEqual([]);
      const stranger = await context.newPage();
      await stranger.goto(place.origin);
      await stranger.getByRole("heading", { name: "Pair this browser" }).waitFor();
      expect(await violationsOn(stranger), `pairing ${theme} ${size}`).toEqual([]);
      expect(complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
      await context.close();
    },
    LONG,
  );

  test("pairing takes the code out of the address, and the token stays in this tab", async () => {
    const { page, context } = await place.tab();
    expect(await page.evaluate(() => [location.href, document.cookie, localStorage.length])).toEqual([
      `${place.origin}/`,
      "",
      0,
    ]);
    expect(await page.evaluate(() => sessionStorage.getItem("tildone.token"))).toMatch(/^[a-f0-9]{16}\./);
    const other = await context.newPage();
    await other.goto(place.origin);
    await other.getByRole("heading", { name: "Pair this browser" }).waitFor();
    await context.close();
  });

  test("a wrong code and a revoked browser are told why, and what to type for this server", async () => {
    const { page, context } = await place.tab();
    const { port } = new URL(place.origin);
    await page.goto(`${place.origin}/devices`);
    await page.getByRole("listitem").filter({ hasText: "this browser" }).getByRole("button").click();
    await page.getByText("You revoked this browser.").waitFor();
    await page.getByText(`tildone serve --pair --port ${port}`).waitFor();
    await page.goto(`${place.origin}/#pair=wrong`);
    await page.getByText("This code was used already, is too old or is wrong.").waitFor();
    await page.goto(`${place.origin}/#pair=${place.pairing()}`);
    await page.waitForSelector(".connection.live");
    const { own } = (await page.evaluate(async () => {
      const token = sessionStorage.getItem("tildone.token");
      return (await fetch("/api/devices", { headers: { authorization: `Bearer ${token}` } })).json();
    })) as { own: string };
    await fetch(`${place.origin}/api/devices/${own}`, { method: "DELETE", headers: place.headers });
    await page.getByText("This browser is not paired any more.").waitFor();
    await context.close();
  });

  test.each(["desktop", "phone"] as const)("an approval is answered in the inbox, on a %s", async (size) => {
    const run = waits(`inbox-${size}`, "git push --force");
    const { page, context } = await place.tab(size);
    const card = page.locator(".ask", { hasText: "git push --force" }).filter({ hasText: run });
    await card.getByRole("button", { name: "Approve" }).click();
    await card.waitFor({ state: "detached" });
    expect(answered(run)).toEqual(["once"]);
    await page.locator(".toast", { hasText: /^Approved/ }).waitFor();
    await context.close();
  });

  test("denied with words, by the keyboard alone", async () => {
    const run = waits("denied-by-keys");
    const { page, context } = await place.tab();
    const card = page.locator(".ask", { hasText: run });
    await card.getByRole("button", { name: "Deny…" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("open a pull request");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await card.waitFor({ state: "detached" });
    expect(answered(run)).toEqual(["denied"]);
    await context.close();
  });

  test("a command is edited before it runs, and the answer says so; the same command again is no edit", async () => {
    const run = keep(
      place.store,
      asking(aLife({ run: "edited-run", goal: "Be edited" }).writes("a todo").starts(0), {
        ...anApproval("call-edited", "rm -rf build dist"),
        ...{ shows: "command", editable: true },
      }),
    );
    const { page, context, complaints } = await place.tab("phone");
    const card = page.locator(".ask", { hasText: "Be edited" });
    await card.getByRole("button", { name: "Edit…" }).click();
    const runs = card.getByRole("button", { name: "Run this instead" });
    expect(await runs.isDisabled()).toBe(true);
    await card.getByLabel("The command that runs instead").fill("rm -rf dist");
    await runs.click();
    await card.waitFor({ state: "detached" });
    await page.locator(".toast", { hasText: "Approved with other arguments" }).waitFor();
    const events = place.store.log.read(run, 0).events.map(({ event }) => event);
    expect(events.filter(({ type }) => type === "approval.answered")).toMatchObject([
      { outcome: "edited", what: "rm -rf dist", from: { via: "page" } },
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("always: exactly this or the whole tool, each with what it allows, and Escape leads back", async () => {
    const [exact, tool] = [waits("always-exact"), waits("always-tool")];
    const { page, context } = await place.tab();
    const card = (run: string) => page.locator(".ask", { hasText: run });
    await card(exact).getByRole("button", { name: "Always…" }).click();
    await page.keyboard.press("Escape");
    await card(exact).getByRole("button", { name: "Always…" }).click();
    await card(exact).getByRole("button", { name: "Exactly this bash rm -rf build" }).click();
    await card(exact).waitFor({ state: "detached" });
    await card(tool).getByRole("button", { name: "Always…" }).click();
    await card(tool)
      .getByRole("button", { name: /^Everything bash does/ })
      .click();
    await card(tool).waitFor({ state: "detached" });
    expect([answered(exact), answered(tool)]).toEqual([["always_rule"], ["always_tool"]]);
    await context.close();
  });

  test("what can be approved only once offers nothing else", async () => {
    keep(
      place.store,
      asking(aLife({ run: "only-once", goal: "Ask once" }).writes("a todo").starts(0), {
        ...{ call: "c-once", tool: "deploy", what: "deploy now", because: "it costs money", alwaysTool: false },
        askedAt: Date.now(),
      }),
    );
    const { page, context } = await place.tab();
    const card = page.locator(".ask", { hasText: "Ask once" });
    await card.getByText("The run waits until you answer.").waitFor();
    expect(await card.getByRole("button").allTextContents()).toEqual(["Approve", "Deny…"]);
    await context.close();
    place.store.runs.remove("only-once");
  });

  test("of two browsers that answer at once one wins, and the other is told", async () => {
    const run = waits("two-browsers");
    const [one, two] = await Promise.all([place.tab(), place.tab("phone")]);
    const approve = ({ page }: typeof one) =>
      page.locator(".ask", { hasText: run }).getByRole("button", { name: "Approve" });
    await Promise.all([approve(one).waitFor(), approve(two).waitFor()]);
    await two.page.route("**/tell", async (route) => {
      await expect.poll(() => answered(run).length, { timeout: 20_000 }).toBe(1); // on its way first, it arrives second
      await route.continue();
    });
    await approve(two).click(); // first: its button is gone as soon as it hears of the other answer
    await approve(one).click();
    await one.page.locator(".toast", { hasText: /^Approved/ }).waitFor();
    await two.page.getByText(/Already answered at .* Your answer changed nothing\./).waitFor();
    expect(answered(run)).toEqual(["once"]);
    await Promise.all([one.context.close(), two.context.close()]);
  });

  test("a question of a host that only answers there says where", async () => {
    const { page, context } = await place.tab();
    const card = page.locator(".ask", { hasText: "dead link" });
    await card.getByText("Answer there").waitFor();
    expect(await card.textContent()).toContain("In opencode, where the agent works");
    expect(await card.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await context.close();
  });

  test.each(["desktop", "phone"] as const)(
    "a run is held, continued, told, extended and its list changed, on a %s",
    async (size) => {
      const run = keep(
        place.store,
        aLife({ run: `steered-${size}`, goal: "Be steered" })
          .writes("first todo", "second todo", "third todo")
          .starts(0)
          .works(),
      );
      const { page, context, complaints } = await place.tab(size);
      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByRole("searchbox").fill(run);
      await page.getByRole("link", { name: /Be steered/ }).click();
      await page.waitForURL(`**/runs/${run}`);
      const list = () => place.store.runs.get(run)?.summary;
      await page.getByRole("button", { name: "Hold", exact: true }).click();
      await page.getByRole("button", { name: "Unhold" }).click();
      await page.getByRole("button", { name: "Hold", exact: true }).waitFor();
      expect(list()).toMatchObject({ held: false });
      await page.getByLabel("Message to the agent").fill("use the new parser");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".messages").getByText("use the new parser").waitFor();
      await page.getByLabel("New todo").fill("fourth todo");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("fourth todo").first().waitFor();
      await page.getByLabel("Change todo 3").click();
      await page.getByRole("button", { name: "Move up" }).click();
      await page.locator(".todo", { hasText: "[2] fourth todo" }).waitFor();
      await page.getByLabel("Change todo 1").click();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Text of todo 1").fill("second, but better");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".todo", { hasText: "[1] second, but better" }).waitFor();
      await page.getByLabel("Change todo 3").click();
      await page.getByRole("button", { name: "Drop" }).click();
      await page.locator(".todo", { hasText: "third todo" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Extend…" }).click();
      await page.getByRole("spinbutton", { name: "Tokens" }).fill("1000");
      await page.getByRole("dialog").getByRole("button", { name: "Extend" }).click();
      await page.getByText("of 401,000").waitFor();
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Report" }).click();
      expect((await saved).suggestedFilename()).toBe(`${run}.html`);
      await page.getByRole("button", { name: "Hold now…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Hold now" }).click();
      await page.getByRole("button", { name: "Unhold" }).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    LONG,
  );

  test(
    "a lost connection is shown, and what was clicked meanwhile is sent afterwards, once",
    async () => {
      const run = waits("lost-meanwhile");
      const { page, context } = await place.tab();
      await page.locator(".ask", { hasText: run }).waitFor();
      await context.setOffline(true);
      await page.locator(".ask", { hasText: run }).getByRole("button", { name: "Approve" }).click();
      await page.getByText(/1 action of yours not sent yet/).waitFor();
      expect(answered(run)).toEqual([]);
      await page.reload({ waitUntil: "commit" }).catch(() => {}); // even then it is kept
      await context.setOffline(false);
      await page.goto(place.origin);
      await page.locator(".ask", { hasText: run }).waitFor({ state: "detached" });
      await expect.poll(() => answered(run)).toEqual(["once"]);
      await context.close();
    },
    LONG,
  );

  test("a run that is removed while its page is open says so", async () => {
    const run = keep(place.store, aLife({ run: "removed-meanwhile", goal: "Vanish" }).writes("a"));
    const { page, context } = await place.tab();
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/runs/${run}`);
    await page.getByRole("heading", { name: "Vanish" }).waitFor();
    place.store.runs.remove(run);
    await page.getByText(`Run ${run} was removed while this page was open.`).waitFor();
    await context.close();
  });

  const visit = (page: Page, path: string) =>
    page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  const toolbar = (page: Page) => page.getByRole("toolbar").getByRole("button").allTextContents();

  test("a run offers only what it can take", async () => {
    const { page, context } = await place.tab();
    await visit(page, "/runs/shop-cart"); // over, and proven
    await page.getByRole("heading", { name: "Fix the rounding of cart totals" }).waitFor();
    expect(await toolbar(page)).toEqual(["Report"]);
    expect(
      await page
        .getByLabel("New todo")
        .or(page.getByLabel(/^Change todo/))
        .count(),
    ).toBe(0);
    await visit(page, "/runs/infra-move"); // on hold, with nothing done that could be accepted
    await page.getByRole("heading", { name: "Move the staging cluster" }).waitFor();
    expect(await toolbar(page)).toEqual(["Unhold", "Hold now…", "Extend…", "Report"]);
    await visit(page, "/runs/auth-flaky"); // works, with two todos done
    await page.getByRole("heading", { name: "login test is flaky" }).waitFor();
    expect(await toolbar(page)).toEqual(["Hold", "Hold now…", "Extend…", "Accept", "Report"]);
    await context.close();
  });

  test("a search or a group without a run leads back to all of them", async () => {
    const { page, context } = await place.tab();
    await visit(page, "/runs");
    for (const narrow of [
      () => page.getByRole("searchbox").fill("no such thing"),
      async () => {
        await page.getByRole("searchbox").fill("VAT depend on the country");
        await page.getByRole("button", { name: /^Stopped/ }).click();
      },
    ]) {
      await narrow();
      await page.getByRole("heading", { name: "No run matches" }).waitFor();
      await page.getByRole("button", { name: "Show all runs" }).click();
      await page.getByText("Fix the rounding of cart totals").waitFor();
    }
    await context.close();
  });

  test("on a phone the timeline is seen whole, and a command breaks between its words", async () => {
    const { page, context } = await place.tab("phone");
    await visit(page, "/runs/shop-vat1");
    const drawn = await page.locator("svg.timeline").evaluate((svg) => svg.getBoundingClientRect().right);
    expect(drawn).toBeLessThanOrEqual(SIZES.phone.width);
    waits("breaks-at-words", "git push origin main --follow-tags --force-with-lease");
    await visit(page, "/");
    const words = page.locator(".ask", { hasText: "Goal of breaks-at-words" }).locator(".typed > span");
    await words.last().waitFor();
    expect(await words.evaluateAll((all) => all.map((word) => word.getClientRects().length))).toEqual(Array(6).fill(1));
    await context.close();
  });

  test("a wrong address that was typed shows the page, which leads back", async () => {
    const { page, context } = await place.tab();
    for (const [path, says, leads] of [
      ["/inbox", "There is nothing here", "Go to the inbox"],
      ["/runs/100%25", "No such run", "All runs"],
      ["/runs/%", "No such run", "All runs"],
    ] as const) {
      await page.goto(`${place.origin}${path}`);
      await page.getByRole("heading", { name: says }).waitFor();
      await page.getByRole("link", { name: leads }).waitFor();
    }
    await context.close();
  });

  test("whatever agents, todos, checks, files and commands are called, it is text", async () => {
    const evil = (name: string) =>
      `<img src=x onerror="window.pwned='${name}'"><script>window.pwned='${name}'</script>"'><svg onload=window.pwned=1>${"\u202e"}javascript:alert(1)`;
    const life = aLife(
      {
        run: "evil-run",
        goal: evil("goal"),
        cwd: `/tmp/${evil("folder")}`,
        host: evil("host"),
        session: evil("session"),
      },
      [`echo ${evil("check")}`],
    );
    life
      .writes(evil("todo"), { text: evil("second"), check: evil("proposed") })
      .starts(0)
      .works()
      .edits("block", 1);
    life.tell({ type: "words.queue", words: { id: "w", text: evil("message"), kind: "steer" } });
    asking(
      life,
      anApproval(
        "evil-call",
        `${evil("command")}\n--- ${evil("file")}\n+++ b\n@@ -1 +1 @@\n-${evil("old")}\n+${evil("new")}`,
        { tool: evil("tool"), because: evil("because"), always: evil("always") },
      ),
    );
    keep(place.store, life);
    keepEvilOutcomes(evil);
    const { page, context, complaints } = await place.tab();
    for (const path of ["/", "/runs", "/runs/evil-run", "/runs/evil-check", "/runs/evil-flow"]) {
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path);
      await page.getByText("window.pwned='goal'").first().waitFor();
      for (const shown of SHOWN[path] ?? []) await page.getByText(`window.pwned='${shown}'`).first().waitFor();
      expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
      expect(await page.locator("#root img:not([src='/icon.svg']), #root script, #root svg[onload]").count()).toBe(0);
    }
    expect(complaints).toEqual([]);
    await context.close();
    for (const run of ["evil-run", "evil-check", "evil-flow"]) place.store.runs.remove(run);
  });

  /** Where what checks print, agents ask and workflows are called is shown: it must be seen to have been shown as text. */
  const SHOWN: Readonly<Record<string, readonly string[]>> = {
    "/": ["command", "question"],
    "/runs/evil-run": ["todo", "message", "because"],
    "/runs/evil-check": ["output"],
    "/runs/evil-flow": ["workflow", "question"],
  };
  function keepEvilOutcomes(evil: (name: string) => string): void {
    const failing = aLife({ run: "evil-check", goal: evil("goal") }, ["npm test"]);
    failing.writes("a").works().completes(0).ends({ workspace: "w1" });
    const failed = { status: "failed", exit: 1, workspace: "w1", at: Date.now() } as const;
    keep(place.store, failing.checked(aReceipt("run", "npm test", { ...failed, tail: evil("output") })));
    const flow = aLife({ run: "evil-flow", goal: evil("goal") });
    const forest = [aWorkflow(evil("workflow"), [aPhase("look", { name: evil("phase") })], { name: evil("name") })];
    const start = { workflowKey: evil("workflow"), forest, fingerprint: "print", description: evil("description") };
    flow.tell({ type: "workflow.start", start: { ...start, taskId: "wf-1", whenActive: "refuse" } });
    flow
      .writes("a")
      .starts(0)
      .tell({ type: "question.opened", id: "q-evil", text: evil("question") });
    keep(place.store, flow);
  }

  test("a planted script does not run: not in the page, not by hand", async () => {
    const { page, context, complaints } = await place.tab();
    await page.route(`${place.origin}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        "</body>",
        "<script>window.pwned=1</script><script src='data:text/javascript,window.pwned=2'></script><img src=x onerror='window.pwned=3'></body>",
      );
      await route.fulfill({ response, body });
    });
    await page.goto(`${place.origin}/`);
    await page.waitForSelector(".connection.live");
    const tried = await page.evaluate(() => {
      try {
        document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.pwned=4'>");
        return "inserted";
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(tried).toBe("TypeError"); // trusted types
    expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
    expect(complaints.some((text) => text.includes("Content Security Policy"))).toBe(true);
    await context.close();
  });
});
