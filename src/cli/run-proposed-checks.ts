import { openTildone, stayAwake } from "../compose/index.ts";
import { mayRun } from "../core/continuation/index.ts";
import { decisionText } from "../core/run/index.ts";
import { resumeCommand } from "../core/view/index.ts";
import { type Capabilities, type Host, livingDriver } from "../engine/index.ts";
import { Failure } from "./command.ts";
import { withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickRun, readRun } from "./pick-run.ts";
import { refuseAgent, spokenHere } from "./speaker.ts";

/** The checks that the agent proposed are run: by the process that drives the run, or here where none does. */
export async function runProposedChecks(named: string | undefined, io: Io): Promise<number> {
  const trigger = { type: "human.accept", checks: "run" } as const;
  return withStore(io, async (store) => {
    const card = await pickRun(store, named, io);
    refuseAgent(store, io, "accept_checks", named);
    const from = spokenHere(store, io);
    const { run } = await readRun(store, card);
    const proposed = run.plan.todos.flatMap(({ checks }) => checks.filter((check) => !mayRun(check))).length;
    if (store.isOfFleet(card.run) || livingDriver(card, store.drivers.of(card))) {
      const told = await store.tell(card.run, trigger, from);
      if (told.status === "refused") throw new Failure(told.text);
      io.out(
        `Allowed ${proposed} ${proposed === 1 ? "check" : "checks"} of ${card.run}; they run when its todos are completed.`,
      );
      return 0;
    }
    const opened = await openTildone({
      host: { ...NO_AGENT, name: run.origin.host },
      cwd: run.origin.cwd,
      env: io.env,
      home: io.home,
      store,
      spoken: from,
    });
    if (!opened.ok) throw new Failure(opened.problems.join("\n"), 2);
    const { engine, dispose } = opened.tildone;
    try {
      const { session } = run.origin;
      if (engine.run(session)?.id !== run.id)
        throw new Failure(`A newer run took the session of ${run.id} over; its checks cannot be run any more.`);
      engine.open(session, { goOn: false });
      const judged = settled(engine);
      const reply = await engine.tell(session, trigger);
      if (reply.type === "refused") throw new Failure(reply.refusal.message);
      await stayAwake(() => judged);
      const after = engine.run(session)!;
      const { decision } = after.ledger;
      for (const { command, status } of Object.values(after.ledger.receipts)) io.out(`${status.padEnd(12)} ${command}`);
      if (after.status === "ended") {
        io.out(`Result now: ${decision ? decisionText(decision) : after.ledger.endReason}`);
        return 0;
      }
      io.out("Not proven: what failed is open again.");
      io.out(`Continue with: ${resumeCommand(after, "interrupted")}`);
      return 1;
    } finally {
      dispose();
    }
  });
}

type Engine = Extract<Awaited<ReturnType<typeof openTildone>>, { ok: true }>["tildone"]["engine"];

/** Resolves when no check runs any more, and what they mean is decided. */
function settled(engine: Engine): Promise<void> {
  return new Promise((done) => {
    const off = engine.watch((_session, { status, ledger }) => {
      const { boundary, verifying } = ledger;
      const isDecided = status === "ended" || (!verifying && boundary?.round === "ran" && boundary.status !== "open");
      if (!isDecided) return;
      off();
      done();
    });
  });
}

/** No agent is told to work: only checks run. */
const CAN: Capabilities = {
  boundary: "edge",
  holds: { countdownMs: 0, waitMs: 0 },
  resident: true,
  startsTurns: false,
  renews: "never",
  brake: { at: "none", ends: false },
  sees: {
    abort: false,
    failure: false,
    typing: false,
    background: false,
    usage: true,
    mode: false,
    question: false,
    calls: true,
  },
};
const NO_AGENT: Omit<Host, "name"> = {
  capabilities: CAN,
  nudge: () => Promise.reject(new Error("no agent works here")),
  deliver: () => Promise.reject(new Error("no agent works here")),
  show: () => {},
  endTurn: () => {},
};
