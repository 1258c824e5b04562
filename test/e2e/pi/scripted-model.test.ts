/** The scripted model is used against every host, so that each of its APIs is tried with a client that was not made for it. */
import { expect, test } from "vitest";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { nudges, stopsAfterEachItem } from "./models.ts";
import { openSandbox } from "./sandbox.ts";

test.each(["openai-completions", "openai-responses", "anthropic-messages"] as const)(
  "pi holds a whole conversation over %s",
  async (api) => {
    await using box = await openSandbox({ script: stopsAfterEachItem(2), api });
    const { code, out } = await box.run("-p", "do it");
    expect([code, out, nudges(box.model.requests).length]).toEqual([0, "That is done, I stop here.\n", 2]);
    const [first] = box.model.requests;
    expect(first?.system).not.toBe("");
    expect(first?.tools).toEqual(expect.arrayContaining(["write_todos", "list_todos", "edit_todos", "bash"]));
    expect(first?.messages.at(-1)).toEqual({ role: "user", text: "do it" });
    box.model.play([{ status: 400, message: "out of order" }]);
    const failed = await box.run("-p", "again");
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("out of order")]);
  },
);

test("a script is played to its end and its last step repeated; a path that no API has is said", async () => {
  const model = await startScriptedModel([{ text: "one" }, { text: "two" }]);
  const ask = async (path = "/v1/chat/completions") => {
    const response = await fetch(model.url + path, { method: "POST", body: JSON.stringify({ messages: [] }) });
    return `${response.status} ${await response.text()}`;
  };
  expect([await ask(), await ask(), await ask()]).toEqual([
    expect.stringContaining('"one"'),
    expect.stringContaining('"two"'),
    expect.stringContaining('"two"'),
  ]);
  await model.received(3);
  expect([await ask("/v1/embeddings"), model.requests.length]).toEqual([expect.stringContaining("404"), 3]);
  await model.close();
});
