import { expect, test } from "vitest";
import type { Call, Step } from "../../src/testing/index.ts";
import { fileAppears } from "./file-appears.ts";
import { bash, isMain, turns } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import { texts } from "./script.ts";
import {
  again,
  badly,
  expectProven,
  layOutProject,
  refusalOfUndo,
  third,
  timesTold,
  undoSecond,
  type Worker,
} from "./undone-project.ts";

// `tildone undo` beside the real OpenCode: the todo is open again, the agent hears of it once and does it again, and the verdict is right.
const stage = useOpenCode("undo");

/** OpenCode's own list, which is always told whole. */
const list = (...completed: readonly number[]): Call => [
  "todowrite",
  {
    todos: texts(3).map((content, at) => ({
      content,
      status: completed.includes(at) ? "completed" : "pending",
      priority: "medium",
    })),
  },
];
const worker: Worker = { shell: bash, list };
const DONE: Step = { text: "Done." };

describeOpenCode("opencode", () => {
  const play = (...steps: readonly Step[]) => stage.model().play(turns(steps));
  const reason = (wanted: string) => stage.logged(({ ledger: { decision } }) => said(decision) === wanted);
  const said = (decision: object | undefined) => (decision && "reason" in decision ? decision.reason : undefined);
  const expectDoneAgain = async () => {
    await stage.logged(
      ({ ledger, plan }) =>
        ledger.words.length === 0 &&
        said(ledger.decision) === "all_done" &&
        plan.todos.every(({ status }) => status === "completed"),
    );
    const told = stage
      .model()
      .requests.filter(isMain)
      .map(({ body }) => timesTold(body));
    expect(told.at(-1)).toBe(1);
    await expectProven(stage.sandbox(), "");
  };
  const begin = async (env: Readonly<Record<string, string>> = {}) => {
    layOutProject(stage.sandbox(), { continuation: { minimumGap: "0s" } });
    return stage.start({ env });
  };

  test("after the run ended: the next prompt tells of it", async () => {
    play(...badly(worker), ...third(worker), DONE, ...again(worker, 0, 2), DONE);
    const session = await begin();
    await stage.server().prompt(session, "do it");
    await reason("all_done");
    undoSecond(stage.sandbox());
    await stage.server().prompt(session, "look again");
    await expectDoneAgain();
  });

  test("at the end of a turn, before the agent is told to continue: it hears of it instead", async () => {
    play(...badly(worker), { text: "I stop here." }, ...again(worker, 0), ...third(worker), DONE);
    const session = await begin({ TILDONE_COUNTDOWN: "45s" });
    await stage.server().prompt(session, "do it");
    await stage.logged(({ ledger: { decision } }) => decision?.type === "continue");
    undoSecond(stage.sandbox());
    await expectDoneAgain();
  });

  test("in the middle of a turn it is refused; after hold --now it works", async () => {
    const pause: Step = {
      calls: [bash("touch paused; for at in $(seq 600); do test -f go && break; sleep 0.2; done; rm -f go paused")],
    };
    play(...badly(worker), pause, { calls: [bash("touch never")] }, DONE);
    const session = await begin();
    const paused = fileAppears(stage.sandbox().project, "paused");
    await stage.server().prompt(session, "do it");
    await paused;
    expect(refusalOfUndo(stage.sandbox())).toContain("The agent is working on");
    stage.sandbox().tildone("hold", "--now");
    stage.sandbox().write("project/go", "");
    await reason("held");
    play(...again(worker, 0), ...third(worker), DONE);
    undoSecond(stage.sandbox());
    stage.sandbox().tildone("unhold");
    await expectDoneAgain();
  });
});
