import type { Browser, BrowserContext, Page } from "playwright-core";
import { type AServer, type AServerGiven, aServer } from "./a-server.ts";
import { openChromium } from "./chromium.ts";

export const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const;
export type Theme = "light" | "dark";

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about. */
  readonly complaints: string[];
}

export interface BrowserPlace extends AServer {
  readonly browser: Browser;
  tab(size?: keyof typeof SIZES, theme?: Theme): Promise<Tab>;
}

/** A server, and a browser whose tabs are paired with it. */
export async function aBrowserPlace(given: AServerGiven = {}): Promise<BrowserPlace> {
  const [place, browser] = await Promise.all([aServer(given), openChromium()]);
  return {
    ...place,
    browser,
    tab: (size, theme) => openTab(browser, place.server.invite().address, size, theme),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

export async function openTab(
  browser: Browser,
  address: string,
  size: keyof typeof SIZES = "desktop",
  theme: Theme = "light",
): Promise<Tab> {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  await page.goto(address);
  await page.waitForSelector(".connection.live");
  return { context, page, complaints };
}
