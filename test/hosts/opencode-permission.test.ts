import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { Answered, Board, InboxItem, Saying } from "../../src/serve/index.ts";
import { aReceiver } from "../builders/loopback-receiver.ts";
import { bash, isMain, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import type { Sandbox } from "./sandbox.ts";

// What the real OpenCode asks permission for, answered by the page's server; and what can only be answered there.
describeOpenCode("opencode and the page", () => {
  const { start, model, sandbox, server, run, toast } = useOpenCode("opencode-permission");

  test("approved, denied with words, answered in OpenCode, always: each once, and each told once", async () => {
    await using phone = await aReceiver();
    sandbox().write(
      "home/.config/tildone/config.yaml",
      `notify:\n  slack: ${phone.url}/x\n  on: [approval, question]\n`,
    );
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { calls: [bash("echo one >> one.txt\necho two && ls | head -1")] },
        { calls: [bash("touch two.txt")] },
        { calls: [bash("touch three.txt")] },
        { calls: [["write", { filePath: "four.txt", content: "four\n" }]] },
        { calls: [["question", { questions: [QUESTION] }]] },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    const session = await start({ env: { OPENCODE_PERMISSION: JSON.stringify({ bash: "ask", edit: "ask" }) } });
    await server().prompt(session, "go");
    await using page = await openPage(sandbox());

    const one = await page.waits("one.txt");
    expect(one).toMatchObject({
      ...{ tool: "bash", shows: "command", what: "echo one >> one.txt\necho two && ls | head -1" },
      always: "bash echo *; bash ls *; bash head *",
    });
    await expect.poll(() => phone.received.length, { timeout: 120_000 }).toBe(1); // sent by a process that OpenCode started
    const clicked = performance.now();
    expect(await page.answers(one, "once")).toMatchObject({ status: "done" });
    const file = (name: string) => join(sandbox().project, name);
    await expect.poll(() => existsSync(file("one.txt")), { interval: 5, timeout: 60_000 }).toBe(true);
    console.log(`from the answer to the file: ${Math.round(performance.now() - clicked)} ms`);
    expect(await page.answers(one, "denied")).toMatchObject({ status: "taken" }); // one wins, the other is told

    const two = await page.waits("touch two.txt");
    await page.answers(two, "denied", "make three instead");

    const three = await page.waits("touch three.txt");
    const heard = model().requests.filter(isMain).at(-1)!.messages.at(-1)!.text;
    expect(heard).toContain("make three instead");
    const { id } = (
      await server().seen(
        ({ type, properties }) => type === "permission.asked" && JSON.stringify(properties).includes("three.txt"),
      )
    ).properties as { id?: string };
    await server().request("POST", `/permission/${id}/reply`, { reply: "once" });
    const four = await page.waits("four.txt");
    expect(await page.answers(three, "denied")).toMatchObject({ status: "taken" });

    expect([four.shows, four.always, four.alwaysTool]).toEqual(["diff", "edit *", undefined]);
    expect(four.what).toContain("+four");
    await page.answers(four, "always_rule");

    const question = await page.waits(QUESTION.question);
    expect(question).toMatchObject({
      type: "question",
      answers: [{ how: expect.stringContaining("in opencode, where the agent works") }],
    });
    expect(question).not.toHaveProperty("id");
    const asked = await server().seen(({ type }) => type === "question.asked");
    await server().request("POST", `/question/${(asked.properties as { id?: string }).id}/reply`, {
      answers: [["Tabs"]],
    });
    await toast("Finished");

    expect(readFileSync(file("one.txt"), "utf8")).toBe("one\n");
    expect(["two.txt", "three.txt", "four.txt"].map((name) => existsSync(file(name)))).toEqual([false, true, true]);
    // Four approvals and a question, each queued once; what was answered before it left is not sent.
    expect((await run())!.ledger.notifications?.count).toBe(5);
    const texts = phone.received.map(({ body }) => body);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

const QUESTION = {
  question: "Tabs or spaces?",
  header: "Style",
  options: [
    { label: "Tabs", description: "wide" },
    { label: "Spaces", description: "narrow" },
  ],
};

/** `tildone serve` of the sandbox, and a browser that is paired with it, as far as requests go. */
async function openPage({ env, project }: Sandbox) {
  const child = spawn(process.execPath, [resolve("bin/tildone.js"), "serve", "--json", "--port", "0"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { address, pair } = JSON.parse(line) as { address: string; pair: string };
  const headers: Record<string, string> = { "content-type": "application/json" };
  const post = async <T>(path: string, body: object) =>
    (await (await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()) as T;
  const { token } = await post<{ token: string }>("/api/pair", { code: /#pair=(.*)$/.exec(pair)![1]! });
  headers.authorization = `Bearer ${token}`;
  let clicks = 0;
  return {
    /** What waits with these words in it. */
    async waits(words: string): Promise<InboxItem> {
      for (;;) {
        const { inbox } = (await (await fetch(`${address}/api/board`, { headers })).json()) as Board;
        const found = inbox.find(({ what }) => what?.includes(words));
        if (found) return found;
        await new Promise((done) => setTimeout(done, 20)); // another process writes it
      }
    },
    answers: ({ run, id }: InboxItem, outcome: "once" | "always_rule" | "denied", words = "") => {
      const saying: Saying = { type: "answer", ask: id!, outcome, words };
      return post<Answered>(`/api/runs/${run}/tell`, { id: `click-number-${++clicks}`, saying });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
