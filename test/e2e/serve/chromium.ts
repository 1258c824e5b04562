import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const program = process.env.TILDONE_CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));

/** Why tests in a real browser are skipped; undefined: they run. */
export const noChromium: string | undefined =
  program === undefined ? "no Chromium on this machine (apt-get install chromium)" : undefined;

/** A real browser with a profile of its own that calls no server of its maker. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program!,
    args: [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
