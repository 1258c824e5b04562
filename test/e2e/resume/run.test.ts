import { afterAll, describe, expect, test } from "vitest";
import { STOP, type StopReason } from "../../../src/core/reason/index.ts";
import {
  type Call,
  type ModelRequest,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from "../../../src/testing/index.ts";
import { workOn, writeList } from "../pi/models.ts";
import { aCommandLine, type Typed } from "./command-line.ts";

const LONG = { timeout: 60_000 };
type Script = (request: ModelRequest, count: number) => Step;

/** How each reason comes about in `tildone run`: what the model does, and what is typed. */
interface Situation {
  readonly script: Script;
  readonly flags?: readonly string[];
  readonly config?: string;
  /** Its model has a price. */
  readonly isPriced?: boolean;
  /** How the continued run ends; proven or not asked for proof unless said otherwise. */
  readonly ends?: number;
  /** Typed into another terminal when the second request is asked. */
  readonly meanwhile?: readonly string[] | "Ctrl-C";
}

const [list, ...works]: readonly Call[] = [writeList(1), ...workOn(0)];
const first =
  (then: Step): Script =>
  (_request, count) =>
    count === 1 ? { calls: [list!] } : then;
const blocks: Call = ["edit_todos", { action: "block", indices: [0], reason: "needs the key" }];
const asks = { text: "Which of the two do you mean?" };

const SITUATIONS: Partial<Record<StopReason, Situation>> = {
  disabled: { script: first({ text: "ok" }), flags: ["--agent", "task"] },
  held: { script: first({ text: "ok" }), meanwhile: ["hold"] },
  interrupted: { script: first({ text: "ok" }), meanwhile: "Ctrl-C" },
  no_todos: { script: () => ({ text: "ok" }) },
  done_with_doubt: {
    ends: STOP.done_with_doubt.exit, // the message is answered; the doubt stays until you accept the todo or reopen it
    script: (_request, count) =>
      count === 1
        ? { calls: [list!] }
        : count === 2
          ? { calls: [["edit_todos", { action: "complete", indices: [0] }]] }
          : { text: "ok" },
  },
  budget_tokens: { script: first({ text: "ok" }), flags: ["--max-tokens", "40"] },
  budget_cost: { script: first({ text: "ok" }), flags: ["--max-cost", "0.03"], isPriced: true },
  budget_minutes: { script: first({ text: "ok" }), flags: ["--max-minutes", "0.000001"] },
  budget_continuations: { script: first({ text: "ok" }), config: "budget:\n  continuations: 1\n" },
  rate_limited: {
    script: first({ status: 400, message: "Your usage limit is reached." }),
    config: "waits:\n  rateLimitWindows: 0\n",
  },
  provider_error: { script: first({ status: 401, message: "this key is not valid" }) },
  context_full: { script: first({ status: 400, message: "prompt is too long: maximum context length is 10" }) },
  refused: { script: first({ status: 400, message: "blocked by the content policy" }) },
  blocked: {
    script: (_request, count) =>
      count === 1 ? { calls: [list!] } : count === 2 ? { calls: [blocks] } : { text: "ok" },
  },
  awaiting_release: {
    script: (_request, count) =>
      count === 1
        ? { calls: [["write_todos", { mode: "replace", todos: [{ text: "item 0", askFirst: true }] }]] }
        : { text: "ok" },
  },
  question: { script: first(asks) },
  no_progress: { script: first({ text: "I think about it." }) },
};

/** Reasons that only other hosts know, or that end a run. */
const ELSEWHERE: readonly StopReason[] = ["read_only", "host_limit", "host_failed"];
const OVER: readonly StopReason[] = ["all_done", "done_unproven", "done_accepted"];

/** The rest of the work. */
const finishes: Script = (request) => {
  if (request.messages.at(-1)?.role === "tool") return { text: "done" };
  const hasList = request.messages.some(({ text }) => /item 0/.test(text));
  return hasList ? { calls: works } : { calls: [list!] };
};

const rows: string[] = [];
afterAll(() => console.log(["reason | requests | typed", ...rows].join("\n")));

describe("the printed command continues the run", () => {
  test("every reason has a situation, here or in another host", () => {
    const known = [...Object.keys(SITUATIONS), ...ELSEWHERE, ...OVER].sort();
    expect(known).toEqual(Object.keys(STOP).sort());
  });

  test.each(Object.keys(SITUATIONS) as StopReason[])("%s", LONG, async (reason) => {
    const { script, flags = [], config, meanwhile, ends = 0, isPriced = false } = SITUATIONS[reason]!;
    using line = aCommandLine(config);
    const said = Promise.withResolvers<void>();
    const provider = await startScriptedModel((request, count) => ({
      ...script(request, count),
      ...(meanwhile && count > 1 && { after: said.promise }),
    }));
    const model = isPriced ? line.priced(provider.url) : unpriced(provider);
    const stopped = await stop(line, [...model, ...flags], meanwhile, said.resolve);
    expect(stopped.out, stopped.err).toContain("Continue with: ");
    expect(STOP[reason].exit === stopped.code || stopped.code === 130, stopped.out).toBe(true);
    const printed = /Continue with: (.*)$/m.exec(stopped.out)![1]!.split("   or   ").at(-1)!;
    const before = provider.requests.length;
    provider.play(finishes);
    const resumed = await line.paste(printed);
    await provider.close();
    const made = provider.requests.length - before;
    rows.push(`${reason} | ${made} | ${printed.replace(/[0-9a-z]{8,}/, "<run>")}`);
    expect(made, `${printed}\n${resumed.out}\n${resumed.err}`).toBeGreaterThan(0);
    expect(resumed.code, `${printed}\n${resumed.out}\n${resumed.err}`).toBe(ends);
    const message = /"([^"]+)"/.exec(printed)?.[1];
    if (message !== undefined) expect(textOf(provider.requests[before]!)).toContain(message);
  });

  async function stop(
    line: ReturnType<typeof aCommandLine>,
    flags: readonly string[],
    meanwhile: Situation["meanwhile"],
    said: () => void,
  ): Promise<Typed> {
    const args = ["run", "make it", "--approval", "yolo", ...flags];
    let typed: Promise<unknown> | undefined;
    return line.type(args, (text, ctrlC) => {
      if (meanwhile === undefined || typed || !/list written/.test(text)) return;
      typed = (meanwhile === "Ctrl-C" ? Promise.resolve(ctrlC()) : line.type(meanwhile)).finally(said);
    });
  }
});

describe("without what has to come first, nothing starts", () => {
  test.each([
    ["budget_tokens", "--max-tokens"],
    ["awaiting_release", "tildone todo release 0"],
    ["done_with_doubt", "tildone accept"],
  ] as const)("%s names it", LONG, async (reason, named) => {
    const { script, flags = [] } = SITUATIONS[reason]!;
    using line = aCommandLine();
    const provider = await startScriptedModel(script);
    await line.type(["run", "x", "--base-url", `${provider.url}/v1`, "--model", "m", "--approval", "yolo", ...flags]);
    const before = provider.requests.length;
    const refused = await line.type(["run", "--resume"]);
    await provider.close();
    expect([refused.code, provider.requests.length - before]).toEqual([2, 0]);
    expect(refused.err).toContain(named);
    expect(refused.err).not.toContain("<");
  });
});

const unpriced = ({ url }: ScriptedModel): readonly string[] => ["--base-url", `${url}/v1`, "--model", "scripted"];

const textOf = ({ messages }: ModelRequest): string => messages.map(({ text }) => text).join("\n");
