import { startScriptedModel } from "../../src/testing/index.ts";
import { aPlace } from "../../test/e2e/agent/tildone.ts";
import { type Cell, RUNAWAY, type System } from "./cell.ts";
import { needsHands } from "./pi.ts";
import { boundedScript, characters, isReallyDone, layOut } from "./play.ts";
import { piTool } from "./tools.ts";

/** `tildone run` as a user would call it. */
export const standalone: System = {
  name: "tildone run",
  async play(persona): Promise<Cell> {
    if (persona.workflow) return { status: "not run", why: "needs a workflow started by hand" };
    if (needsHands(persona)) return { status: "not run", why: "needs a human's hand, or an agent in the background" };
    await using place = aPlace();
    const model = await startScriptedModel(boundedScript(persona, piTool));
    layOut(persona, place.project);
    const begun = performance.now();
    const { out, code } = await place.tildone(
      ...["run", persona.asks, "--json", "--approval", "yolo", "--base-url", `${model.url}/v1`, "--model", "m"],
      ...persona.checks.flatMap((check) => ["--check", check]),
    );
    const ms = performance.now() - begun;
    await model.close();
    const last = out.trimEnd().split("\n").at(-1) ?? "{}";
    const { reason = `exit ${code}` } = JSON.parse(last) as { reason?: string };
    const nudges = model.requests.flatMap(({ messages }) => {
      const text = messages.at(-1)?.text ?? "";
      return messages.at(-1)?.role === "user" && /Todos remain|Next action/.test(text) ? [text] : [];
    });
    return {
      status: "ran",
      finished: isReallyDone(persona, place.project, process.env),
      claims: code === 0 ? "done" : "not done",
      reason: model.requests.length > RUNAWAY ? "never stopped" : reason,
      requests: model.requests.length,
      added: characters(nudges),
      ms,
    };
  },
};
