import { openTildone, systemClock } from "../compose/index.ts";
import { type Store, tellFailed } from "../engine/index.ts";
import type { Told } from "./answer-happening.ts";
import { brakeCall } from "./brake-call.ts";
import type { Answer, Happening } from "./happening.ts";
import { createHookHost } from "./host.ts";
import { textAt } from "./payload.ts";
import { respond } from "./respond.ts";
import { noteHost, serverState } from "./server-state.ts";
import { transcriptOf } from "./transcripts.ts";
import { unrunChecks } from "./unrun-checks.ts";

/** Tells the run of the session what happened. A failure is counted in the run's own log, too. */
export async function inRun(
  happening: Happening,
  { dialect, event, payload, session, env, home, workspace, parent, gone }: Told,
  store: Store,
  runsIn: string | undefined,
): Promise<Answer | undefined> {
  const clock = systemClock();
  const host = createHookHost(dialect);
  const agent = textAt(payload, "agent_type");
  const cwd = runsIn ?? textAt(payload, "cwd") ?? process.cwd();
  const opened = await openTildone({
    host,
    cwd,
    env,
    home,
    store,
    clock,
    runChecks: unrunChecks(clock),
    checkpointMs: CHECKPOINT_MS,
    driver: `${dialect.host}:${session}`,
    ...(agent !== undefined && { agent }),
    ...(workspace && { workspace }),
  });
  if (!opened.ok) {
    const message = `your configuration is wrong. ${opened.problems.join(" ")}`.slice(0, 1000);
    const run = store.runs.find(dialect.host, session)?.run;
    if (run !== undefined) tellFailed(store.log, run, { where: `hook ${happening.type}`, message }, clock.now());
    throw new Error(message);
  }
  if (parent !== undefined && SHOWS_LIFE.has(happening.type))
    noteHost({ host: dialect.host, session, env, home, parent });
  const { engine, dispose } = opened.tildone;
  gone?.addEventListener("abort", dispose);
  try {
    if (gone?.aborted) return undefined;
    if (happening.type === "call.asked") return await brakeCall(happening, { engine, dialect, session });
    return await respond(happening, {
      dialect,
      event,
      engine,
      host,
      session,
      now: clock.now,
      isSupervised: env.TILDONE_SUPERVISED !== undefined,
      heard: async (ids) => {
        const { heardIn } = await import("./heard.ts"); // seldom: a hook died
        return heardIn(transcriptOf(payload, dialect, session, { env, home }), ids, dialect.isRead);
      },
      // The server answers in its own place, so a hook that has to decide looks whether there is one.
      server:
        parent !== undefined && happening.type === "stopped"
          ? serverState({ host: dialect.host, session, env, home, parent })
          : undefined,
      startWorkflow: async (order) =>
        (await import("./start-workflow.ts")).startWorkflow(order, { cwd, env, home }, "Say: tildone workflow"),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await engine.tell(session, { type: "host.failed", where: `hook ${happening.type}`, message });
    throw error;
  } finally {
    dispose();
  }
}

/** All of a hook, a stop that holds its answer included, stays within what its host lets it take. */
const CHECKPOINT_MS = 3_000;

/** Events that only a host which lives tells of. */
const SHOWS_LIFE: ReadonlySet<Happening["type"]> = new Set<Happening["type"]>([
  "session.started",
  "prompted",
  "calls.ended",
]);
