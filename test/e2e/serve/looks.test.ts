import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOn } from "./axe.ts";
import { aBrowserPlace, type BrowserPlace, SIZES, type Theme } from "./browser-place.ts";
import { noChromium } from "./chromium.ts";
import { aDay, aLongDay, manyRuns } from "./runs.ts";

const LONG = 180_000;
const LOOKS = (["light", "dark"] as const).map((theme) => [theme] as const);

async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.waitForSelector(path.startsWith("/runs/") ? ".run-page" : "h1");
}

/** Nothing for axe to say, and nothing that has to be scrolled sideways. */
async function isFine(page: Page, what: string, width: number): Promise<void> {
  expect(await violationsOn(page), what).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what} is too wide`).toBeLessThanOrEqual(
    width,
  );
}

const each = async (place: BrowserPlace, theme: Theme, act: (page: Page, width: number) => Promise<void>) => {
  for (const size of ["phone", "desktop"] as const) {
    const { page, context, complaints } = await place.tab(size, theme);
    await act(page, SIZES[size].width);
    expect(complaints).toEqual([]);
    await context.close();
  }
};

describe.skipIf(noChromium !== undefined)("axe and the width of the screen", () => {
  test.each(LOOKS)("without any run, every page says what to do: %s", { timeout: LONG }, async (theme) => {
    await using place = await aBrowserPlace();
    await each(place, theme, async (page, width) => {
      for (const path of ["/", "/runs"]) {
        await visit(page, path);
        await page.getByRole("heading", { name: "No runs yet" }).waitFor();
        await page.getByText('tildone run "fix the tests" --check "npm test"').waitFor();
        await isFine(page, path, width);
      }
    });
  });

  test.each(LOOKS)("with texts that are too long, open and folded: %s", { timeout: LONG }, async (theme) => {
    await using place = await aBrowserPlace();
    const { long } = aLongDay(place.store);
    await each(place, theme, async (page, width) => {
      for (const path of ["/", "/runs", `/runs/${long}`, "/runs/failing-long"]) {
        await visit(page, path);
        await isFine(page, path, width);
      }
      await visit(page, "/");
      const change = page.getByRole("article", { name: /^Edit needs your approval/ });
      expect(await change.getByRole("button", { name: "Approve" }).count(), "approved unread").toBe(0);
      await change.getByRole("button", { name: "Show all 40 lines" }).click();
      await change.getByRole("button", { name: "Approve" }).waitFor();
      await page.getByText("line 5 stays as it is").waitFor();
      await isFine(page, "a change of 40 lines", width);
    });
  });

  test.each(LOOKS)("with 1,000 runs, and while an answer is on its way: %s", { timeout: LONG }, async (theme) => {
    await using place = await aBrowserPlace();
    manyRuns(place.store, 1000);
    await each(place, theme, async (page, width) => {
      await visit(page, "/runs");
      await page.getByText("1,000 runs on this machine").waitFor();
      await isFine(page, "/runs", width);
      await visit(page, "/");
      await page.route("**/tell", () => {}); // no answer comes
      await page.getByRole("button", { name: "Approve" }).first().click();
      await page.getByRole("button", { name: "Sending…" }).waitFor();
      await isFine(page, "an answer on its way", width);
    });
  });

  test.each(LOOKS)("in a report, which is one file: %s", { timeout: LONG }, async (theme) => {
    await using place = await aBrowserPlace();
    aDay(place.store);
    aLongDay(place.store);
    for (const size of ["phone", "desktop"] as const) {
      const context = await place.browser.newContext({ viewport: SIZES[size], colorScheme: theme });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      for (const run of ["shop-vat1", "auth-flaky", "shop-cart", "billing-long", "failing-long"]) {
        const { text } = (await (await place.get(`/api/runs/${run}/report`)).json()) as { text: string };
        await page.setContent(text);
        await isFine(page, `${run} ${size}`, SIZES[size].width);
      }
      expect(asked).toEqual([]);
      await context.close();
    }
  });
});
