import { afterAll, expect, test } from "vitest";
import type { StopReason } from "../../src/core/reason/index.ts";
import type { Step } from "../../src/testing/index.ts";
import { bash, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, QUICK, useOpenCode } from "./opencode-stage.ts";
import { oks } from "./script.ts";

// What a person types to continue a run that stopped inside OpenCode: each row of the table that can be reached there.
interface Situation {
  readonly steps: readonly Step[];
  readonly config?: string;
  /** A command of ours typed into OpenCode when it has settled. */
  readonly stops?: string;
  /** Typed into another terminal. */
  readonly first?: readonly string[];
  /** `/unhold`, or the words of a message. */
  readonly typed: "/unhold" | "message";
}
const list: Step = { calls: [todowrite(1, 0)] };
const asks: Step = { text: "Which of the two do you mean?" };

const SITUATIONS: Partial<Record<StopReason, Situation>> = {
  held: { steps: [list, ...oks()], stops: "hold", typed: "/unhold" },
  no_progress: { steps: [list, ...oks()], typed: "/unhold" },
  question: { steps: [list, asks, asks, asks], typed: "message" },
  provider_error: { steps: [list, { status: 400, message: "something is wrong" }], typed: "/unhold" },
  budget_continuations: {
    steps: [list, ...oks()],
    config: "budget:\n  continuations: 1\n",
    first: ["extend", "--continuations", "5"],
    typed: "message",
  },
};

const rows: string[] = [];
afterAll(() => console.log(["reason | requests | typed", ...rows].join("\n")));

describeOpenCode("a run that stopped inside opencode", () => {
  const { start, command, model, server, sandbox, logged, mainRequests, idled } = useOpenCode("opencode-resume");

  test.each(Object.keys(SITUATIONS) as StopReason[])("%s: what is typed continues it", async (reason) => {
    const { steps, config = "", stops, first, typed } = SITUATIONS[reason]!;
    model().play(turns(steps));
    sandbox().write("home/.config/tildone/config.yaml", `${QUICK}${config}`);
    const session = await start();
    await server().prompt(session, "go");
    if (stops !== undefined) {
      await idled(session, 1);
      await command(session, stops);
    }
    await logged(({ ledger: { decision } }) => decision?.type === "stop" && decision.reason === reason);
    const before = mainRequests();
    // It begins, and stops early: only a run that continues is told to continue to the end.
    model().play(
      turns([
        { calls: [bash("echo 1 >> work.txt")] },
        { text: "I stop here." },
        { calls: [bash("echo 2 >> work.txt"), todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    if (first) sandbox().tildone(...first);
    if (typed === "/unhold") await command(session, "unhold");
    else await server().prompt(session, "continue");
    await logged(({ plan }) => plan.todos[0]?.status === "completed");
    const made = mainRequests() - before;
    rows.push(`${reason} | ${made} | ${[...(first ? [`tildone ${first.join(" ")}`] : []), typed].join(", ")}`);
    expect(made).toBeGreaterThanOrEqual(3);
  });
});
