import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorld, type World } from "../../fleet/fleet-world.ts";
import { asksOnce } from "../pi/models.ts";
import { openTab } from "./browser-place.ts";
import { noChromium, openChromium } from "./chromium.ts";

const LONG = { timeout: 240_000 };

/** `tildone serve` on a machine that works on nothing itself. */
async function serving(world: World) {
  const home = join(world.root, "desk");
  mkdirSync(home);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "../../fleet/programs/tildone.ts"), "serve", "--json", "--port", "0"],
    {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, TILDONE_HOME: join(home, "tildone"), TILDONE_DATABASE_URL: world.url },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const line = await world.until("the address of the page", () => /^\{"type":"serving".*\}$/m.exec(said)?.[0]);
  const ended = new Promise((done) => child.on("exit", done));
  return {
    pair: (JSON.parse(line) as { pair: string }).pair,
    said: () => said,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

describe.skipIf(noChromium !== undefined)("a run of the fleet on the page of another machine", () => {
  test("is answered there, and its worker runs the call; an outage is shown and passes", LONG, async () => {
    await using world = await openWorld();
    world.model.play(asksOnce(1, "touch made.txt"));
    world.work("a1");
    await using server = await serving(world);
    const browser = await openChromium();
    try {
      const { page, complaints } = await openTab(browser, server.pair);
      const run = await world.submit({ approval: "auto-edit", goal: "Make a file" });
      const card = page.locator(".ask", { hasText: "touch made.txt" });
      await card.waitFor({ timeout: 120_000 });

      await world.postgres.crash();
      const banner = page.locator(".banner", { hasText: "Runs of the fleet may be missing or old." });
      await banner.waitFor({ timeout: 60_000 });
      expect(await card.count()).toBe(1);
      await world.postgres.start();
      await banner.waitFor({ state: "detached", timeout: 60_000 });

      await card.getByRole("button", { name: "Approve" }).click();
      await page.locator(".toast", { hasText: /^Approved/ }).waitFor({ timeout: 30_000 });
      await card.waitFor({ state: "detached", timeout: 60_000 });
      const over = await world.until("its end", async () => {
        const found = await world.ledger.get(run);
        return found?.state === "finished" || found?.state === "parked" ? found : undefined;
      });
      const commit = over.resultCommit ?? over.checkpoint?.commit ?? "";
      expect(world.git(world.remote, "ls-tree", "--name-only", commit)).toContain("made.txt");
      const answers = (await world.ledger.rows(run, 0, 10_000)).filter(({ event }) =>
        event.includes('"type":"approval.answered"'),
      );
      expect(answers.map(({ event }) => JSON.parse(event).from?.via)).toEqual(["page"]);

      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByText("0 runs on this machine, 1 of the fleet").waitFor();
      await page.getByRole("link", { name: /Make a file/ }).click();
      await page.getByRole("heading", { name: "Make a file" }).waitFor();
      await page.getByText(world.repo).waitFor();
      expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
      expect(complaints).toEqual([]);
      expect(server.said()).not.toContain("postgres://");
    } finally {
      await browser.close();
    }
  });
});
