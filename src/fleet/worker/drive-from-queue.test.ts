import { expect, test } from "vitest";
import { memoryLedger } from "../ledger/index.ts";
import type { Ending } from "../runner/job.ts";
import { driveFromQueue, type QueuePlace } from "./drive-from-queue.ts";

/** What happens while its process works, and how that says it ended. `epoch`: of the claim that it told of. */
interface Life {
  readonly claims?: readonly string[];
  readonly ending: Ending;
  readonly epoch?: number;
  readonly handsBack?: true;
}
type Given = Partial<Pick<QueuePlace, "allows" | "taken" | "keepsPlace" | "isDraining">> & {
  readonly finished?: true;
  readonly limited?: true;
};

const died: Ending = { type: "died", why: "killed" };
const overtaken: Ending = { type: "overtaken" };
const parked: Ending = { type: "parked", why: "held" };
const finished: Ending = { type: "finished", outcome: "all_done" };

const ROWS: readonly (readonly [string, string, readonly Life[], Given?])[] = [
  ["it finishes", "enter; runner after 0; publish; exit; finished", [{ claims: ["w1"], ending: finished, epoch: 1 }]],
  [
    "its process died: this worker claims it again",
    "enter; runner after 0; runner after 1; exit; parked",
    [{ claims: ["w1"], ending: died, epoch: 1 }, { ending: parked }],
  ],
  [
    "its process died when it had just handed it back",
    "enter; runner after 0; runner after 1; exit; parked",
    [{ claims: ["w1"], handsBack: true, ending: died, epoch: 1 }, { ending: parked }],
  ],
  [
    "its process died, and another worker has the run by now: that one keeps it",
    "enter; runner after 0; exit; fenced",
    [{ claims: ["w1", "w2"], ending: died, epoch: 1 }],
  ],
  [
    "its process died before it said that it had claimed",
    "enter; runner after 0; runner after 1; exit; parked",
    [{ claims: ["w1"], ending: died }, { ending: parked }],
  ],
  [
    "its process died before it claimed, and another worker did",
    "enter; runner after 0; exit; fenced",
    [{ claims: ["w2"], ending: died }],
  ],
  [
    "another worker claimed it first",
    "enter; runner after 0; exit; overtaken",
    [{ claims: ["w2"], ending: overtaken }],
  ],
  [
    "two claimed it since: the last one keeps it, also where both are of this worker's name",
    "enter; runner after 0; exit; overtaken",
    [{ claims: ["w1", "w1"], ending: overtaken }],
  ],
  [
    "a dead process of its own claimed it late",
    "enter; runner after 0; runner after 1; exit; parked",
    [{ claims: ["w1"], ending: overtaken }, { ending: parked }],
  ],
  [
    "its process dies again and again before it claims",
    "enter; runner after 0; runner after 0; runner after 0; leave; exit; left",
    [{ ending: died }, { ending: died }, { ending: died }],
  ],
  [
    "another worker finished it: the result needs no slot, no permission and no turn",
    "publish; finished",
    [],
    { finished: true, allows: () => false, limited: true },
  ],
  ["its repository is not allowed here", "leave; left", [], { allows: () => false }],
  ["a limit is reached", "enter; leave; exit; left", [], { limited: true }],
  ["it is driven here already", "overtaken", [], { taken: new Set(["r"]) }],
  ["the queue gave it to another worker meanwhile", "enter; exit; overtaken", [], { keepsPlace: async () => false }],
];
const CASES = ROWS.map(([situation, expected, lives, given = {}]) => ({ situation, expected, lives, given }));
test.each(CASES)(
  "$situation: $expected",
  async ({ expected, lives, given: { finished: isFinished, limited, ...given } }) => {
    const ledger = memoryLedger(() => 0);
    await ledger.submit({
      ...{ run: "r", goal: "g", repo: "https://e.example/a.git", checks: [], queue: "runs", needs: [], priority: 1 },
      ...{ budget: {}, pr: false, by: "a test" },
    });
    if (isFinished) {
      await ledger.claim("r", "w2", 1);
      await ledger.finish({ run: "r", epoch: 1 }, { outcome: "all_done", resultCommit: "c" });
    }
    const done: string[] = [];
    const open = [...lives];
    const how = await driveFromQueue(
      {
        ledger: { ...ledger, askForTurn: async () => (limited ? "repository" : undefined) },
        id: "w1",
        allows: () => true,
        limitsOf: () => [["repository", 1]],
        enter: () => void done.push("enter"),
        exit: () => done.push("exit"),
        isDraining: () => false,
        taken: new Set(),
        turn: async () => () => {},
        keepsPlace: async () => true,
        runner: async (run, { after }) => {
          done.push(`runner after ${after}`);
          const { claims = [], ending, epoch, handsBack } = open.shift()!;
          for (const worker of claims) await ledger.claim(run, worker, 1);
          if (handsBack) await ledger.handBack({ run, epoch: 1 });
          return { ending, ...(epoch !== undefined && { epoch }) };
        },
        ended: () => {},
        publish: async () => done.push("publish"),
        leave: () => void done.push("leave"),
        outdated: () => {},
        untilExit: () => new Promise(() => {}),
        wait: async () => {},
        ...given,
      },
      "r",
    );
    expect([...done, how].join("; ")).toBe(expected);
  },
);
