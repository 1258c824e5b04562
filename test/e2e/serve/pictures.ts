import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { commandOptions } from "../../builders/command-options.ts";
import { aBrowserPlace, type BrowserPlace, type Theme } from "./browser-place.ts";
import { aFleet } from "./fleet-rows.ts";
import { aDay, aLongDay, manyRuns } from "./runs.ts";

const HELP = `Takes pictures of every page, to be looked at.

  node test/e2e/serve/pictures.ts --out shots   all of them, into this folder (shots)
  node test/e2e/serve/pictures.ts --docs        docs/serve-inbox.png and docs/serve-run.png instead

  --only <name>          those whose name has this in it
  --widths 360,1280      of these widths (360,768,1280,1920)
  --themes light,dark    in these themes (both)`;

const values = commandOptions({
  help: HELP,
  options: {
    out: { type: "string", default: "shots" },
    only: { type: "string", default: "" },
    widths: { type: "string", default: "360,768,1280,1920" },
    themes: { type: "string", default: "light,dark" },
    docs: { type: "boolean", default: false },
  },
});

interface Scene {
  readonly name: string;
  readonly path: string;
  /** What is clicked or waited for first. */
  readonly stage?: (page: Page) => Promise<unknown>;
  /** Only what fits on the screen. */
  readonly isScreen?: boolean;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).or(page.getByLabel(name)).first().click();

/** A click, and what it brings up. */
const pressFor = (name: string, shown: string) => async (page: Page) => {
  await press(name)(page);
  await page.locator(shown).waitFor();
};

/** Everything that is folded. */
const unfoldTables = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll(".panel > details")) details.setAttribute("open", "");
  });

const WORLDS: readonly (readonly [world: string, fill: (place: BrowserPlace) => void, scenes: readonly Scene[]])[] = [
  [
    "empty",
    () => {},
    [
      { name: "inbox", path: "/" },
      { name: "runs", path: "/runs" },
      { name: "devices", path: "/devices" },
      { name: "nowhere", path: "/nowhere" },
      { name: "gone", path: "/runs/no-such-run" },
    ],
  ],
  [
    "day",
    ({ store }) => void aDay(store),
    [
      { name: "inbox", path: "/" },
      { name: "inbox-always", path: "/", stage: press("Always…"), isScreen: true },
      { name: "inbox-edit", path: "/", stage: press("Edit…"), isScreen: true },
      { name: "inbox-deny", path: "/", stage: press("Deny…"), isScreen: true },
      { name: "inbox-focus", path: "/", stage: (page) => page.keyboard.press("j"), isScreen: true },
      { name: "runs", path: "/runs" },
      {
        name: "runs-none",
        path: "/runs",
        stage: (page) => page.getByRole("searchbox").fill("no such thing"),
        isScreen: true,
      },
      { name: "run", path: "/runs/shop-vat1" },
      { name: "run-tables", path: "/runs/shop-vat1", stage: unfoldTables },
      { name: "run-failing", path: "/runs/auth-flaky" },
      { name: "run-done", path: "/runs/shop-cart" },
      { name: "run-held", path: "/runs/infra-move" },
      { name: "run-question", path: "/runs/docs-links", isScreen: true },
      { name: "run-extend", path: "/runs/shop-vat1", stage: pressFor("Extend…", "dialog[open]"), isScreen: true },
      { name: "run-hold-now", path: "/runs/shop-vat1", stage: pressFor("Hold now…", "dialog[open]"), isScreen: true },
      { name: "run-menu", path: "/runs/infra-move", stage: press("Change todo 0"), isScreen: true },
      { name: "run-toast", path: "/runs/auth-flaky", stage: pressFor("Accept", ".toast"), isScreen: true },
      { name: "devices", path: "/devices", stage: press("Make a code") },
    ],
  ],
  [
    "long",
    ({ store }) => void aLongDay(store),
    [
      { name: "inbox", path: "/" },
      { name: "inbox-open", path: "/", stage: press(/Show all/) },
      { name: "runs", path: "/runs" },
      { name: "run", path: "/runs/billing-long" },
      { name: "run-failing", path: "/runs/failing-long" },
    ],
  ],
  [
    "fleet",
    ({ store }) => void aDay(store),
    [
      { name: "inbox", path: "/" },
      { name: "runs", path: "/runs" },
      { name: "run", path: "/runs/fleet-release" },
      { name: "run-queued", path: "/runs/fleet-queued" },
      { name: "run-cancel", path: "/runs/fleet-release", stage: pressFor("Cancel…", "dialog[open]"), isScreen: true },
    ],
  ],
  [
    "many",
    ({ store }) => manyRuns(store, 1000),
    [
      { name: "inbox", path: "/", isScreen: true },
      { name: "runs", path: "/runs", isScreen: true },
    ],
  ],
];

/** The server goes away, and you click. */
async function lost(width: number, theme: Theme): Promise<void> {
  await using place = await aBrowserPlace();
  aDay(place.store);
  const { page } = await aTab(place, width, theme);
  const approve = page.getByRole("button", { name: "Approve" }).first();
  await approve.waitFor();
  await place.server.close();
  await page.getByText(/^No connection/).waitFor();
  await approve.click();
  await page.getByText(/of yours not sent yet/).waitFor();
  await page.screenshot({ path: join(values.out, `lost-${width}-${theme}.png`) });
}

/** A browser that is not paired, and one whose code was wrong. */
async function stranger(width: number, theme: Theme): Promise<void> {
  await using place = await aBrowserPlace();
  const context = await place.browser.newContext({ viewport: sizeOf(width), colorScheme: theme });
  const page = await context.newPage();
  for (const [name, path] of [
    ["pair", "/"],
    ["pair-wrong", "/#pair=wrong"],
  ] as const) {
    await page.goto(`${place.origin}${path}`);
    await page.getByRole("heading", { name: "Pair this browser" }).waitFor();
    if (name === "pair-wrong") await page.getByRole("alert").waitFor();
    await page.screenshot({ path: join(values.out, `${name}-${width}-${theme}.png`) });
  }
}

const REPORTS: Readonly<Record<string, readonly string[]>> = {
  day: ["shop-vat1", "auth-flaky", "shop-cart"],
  long: ["billing-long", "failing-long"],
};

async function visit(page: Page, { path, stage }: Scene): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.waitForSelector("h1, .empty h2");
  if (path.startsWith("/runs/") && path !== "/runs/no-such-run") await page.waitForSelector(".run-page");
  if (path === "/devices") await page.waitForSelector(".device-list li");
  await stage?.(page);
  await page.evaluate(() => document.fonts.ready);
}

const sizeOf = (width: number) => ({ width, height: width < 500 ? 740 : width > 1500 ? 1080 : 900 });

/** A screen as high as the page: what sticks to its end does not lie across the middle of the picture. */
async function unfold(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
}

async function aTab(
  place: BrowserPlace,
  width: number,
  theme: Theme,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await place.browser.newContext({
    ...{ viewport: sizeOf(width), colorScheme: theme, reducedMotion: "reduce", deviceScaleFactor: 1 },
  });
  const page = await context.newPage();
  await page.goto(place.server.invite().address);
  await page.waitForSelector(".connection.live");
  return { page, context };
}

async function everything(): Promise<void> {
  mkdirSync(values.out, { recursive: true });
  const isWanted = (name: string) => name.includes(values.only);
  const widths = values.widths.split(",").map(Number);
  const themes = values.themes.split(",") as Theme[];
  for (const [world, fill, scenes] of WORLDS) {
    const names = [
      ...scenes.map(({ name }) => `${world}-${name}`),
      ...(REPORTS[world] ?? []).map((run) => `report-${run}`),
    ];
    if (!names.some(isWanted)) continue;
    await using place = await aBrowserPlace(world === "fleet" ? { fleet: aFleet } : {});
    fill(place);
    for (const width of widths)
      for (const theme of themes) {
        // Paired once: a server forgets the oldest of more than 100 devices.
        const { page, context } = await aTab(place, width, theme);
        const file = (name: string) => join(values.out, `${name}-${width}-${theme}.png`);
        for (const scene of scenes.filter(({ name }) => isWanted(`${world}-${name}`))) {
          await page.reload();
          await page.waitForSelector(".connection.live");
          await visit(page, scene);
          if (scene.isScreen !== true) await unfold(page);
          await page.screenshot({ path: file(`${world}-${scene.name}`) });
          await page.setViewportSize(sizeOf(width));
        }
        for (const run of (REPORTS[world] ?? []).filter((each) => isWanted(`report-${each}`))) {
          const response = await place.get(`/api/runs/${run}/report`);
          if (!response.ok) throw new Error(`the report of ${run}: ${response.status} ${await response.text()}`);
          const { text } = (await response.json()) as { text: string };
          const reader = await context.newPage();
          await reader.setContent(text);
          await reader.screenshot({ path: file(`report-${run}`), fullPage: true });
          await reader.close();
        }
        await context.close();
        console.log(`${world} ${width} ${theme}`);
      }
  }
  if (isWanted("pair")) for (const width of widths) for (const theme of themes) await stranger(width, theme);
  if (isWanted("lost")) for (const width of widths) for (const theme of themes) await lost(width, theme);
}

/** The two that stand in the README. */
async function forDocs(): Promise<void> {
  await using place = await aBrowserPlace();
  aDay(place.store);
  for (const [name, path, theme, height] of [
    ["serve-inbox", "/", "light", 900],
    ["serve-run", "/runs/shop-vat1", "dark", 1040],
  ] as const) {
    const { page, context } = await aTab(place, 1200, theme);
    await page.setViewportSize({ width: 1200, height });
    await visit(page, { name, path });
    await page.screenshot({ path: join("docs", `${name}.png`) });
    await context.close();
  }
}

await (values.docs ? forDocs() : everything());
