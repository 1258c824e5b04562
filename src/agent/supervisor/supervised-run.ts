import { randomUUID } from "node:crypto";
import { openTildone, systemClock, type Tildone } from "../../compose/index.ts";
import { directories, type HostName } from "../../config/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import { openDrivers } from "../../drivers/index.ts";
import type { Host, Leave, RunSummary } from "../../engine/index.ts";
import { writtenByPlan } from "../plan-list.ts";
import { supervised } from "./capabilities.ts";
import { programOf } from "./program.ts";
import type { SuperviseOptions } from "./supervise.ts";

/**
 * The session of a supervised host and its run, told and asked by the supervisor itself. As long as the supervisor lives, the run of its
 * session is being worked on.
 *
 *     unknown --the host tells its session, or its log does--> known --the host lost it--> known, another one --leave--> unknown
 */
export function createSupervisedRun(options: SuperviseOptions) {
  const { host } = options;
  const program = programOf(host);
  const clock = options.clock ?? systemClock();
  const own = `${host}:supervised:${randomUUID().slice(0, 8)}`;
  const drivers = openDrivers({ state: directories(options).state, clock });
  let at: { readonly session: string; readonly leave: Leave } | undefined;

  return { host, program, clock, driver: own, session, enter, moveTo, leave, open, find, tell, run, begin, remember };

  function session(): string | undefined {
    return at?.session;
  }

  function enter(key: string): void {
    leave();
    const place = { host, session: key, driver: driverOf(key), kind: "supervisor", program: host } as const;
    at = { session: key, leave: drivers.enter(place) };
  }

  /** The run goes on in a new session, with what is on its way to the agent. */
  async function moveTo(key: string): Promise<void> {
    await tell([{ type: "run.bind", host, session: key, continues: true }]);
    enter(key);
  }

  function leave(): void {
    at?.leave();
    at = undefined;
  }

  /** The host's processes and their supervisor are one driver, one after the other; hooks name it by their session. */
  function driverOf(key: string): string {
    return program.adapter === "hook" ? `${host}:${key}` : own;
  }

  async function open(port: Host = silent(host), key = session()): Promise<Tildone> {
    const { cwd, env, home, goal, flags } = options;
    const driver = key === undefined ? "" : driverOf(key);
    const given = { ...(flags && { flags }), ...(options.clock && { clock }) };
    const opened = await openTildone({ host: port, cwd, env, home, goal, driver, ...given });
    if (!opened.ok) throw new WrongConfiguration(opened.problems.join(" "));
    return opened.tildone;
  }

  async function visit<T>(key: string | undefined, look: (tildone: Tildone) => T | Promise<T>): Promise<T> {
    const tildone = await open(silent(host), key);
    try {
      return await look(tildone);
    } finally {
      tildone.dispose();
    }
  }

  /** A host that tells its session late may die before; our adapter in it claimed the run by then. */
  async function find(): Promise<void> {
    if (at || program.adapter !== "resident") return;
    const cards = await visit(undefined, ({ store }) => store.runs.list());
    const card = cards.find(({ summary }) => (summary as RunSummary).driver === own);
    if (card) enter(card.session);
  }

  /** Gives whether there was a run to tell it to. */
  async function tell(triggers: readonly Trigger[], key = session()): Promise<boolean> {
    if (key === undefined) return false;
    return visit(key, async ({ engine }) => {
      let isTold = true;
      for (const trigger of triggers) {
        const reply = await engine.tell(key, trigger);
        isTold &&= reply.type !== "ignored" || reply.why !== "no_run";
        if (reply.type === "refused" && trigger.type === "todos.write")
          throw new NotStarted(`Nothing was started: ${reply.refusal.message}`);
      }
      return isTold;
    });
  }

  async function run(): Promise<Run | undefined> {
    const key = session();
    return key === undefined ? undefined : visit(key, ({ engine }) => engine.run(key));
  }

  /** The run begins with your list or with the goal; a workflow is begun by the host itself, when it is told of it. */
  async function begin(): Promise<void> {
    const { list = [], workflow } = options;
    const first: Trigger = list.length > 0 ? writtenByPlan(list) : { type: "goal.set" };
    await tell([...(workflow !== undefined && list.length === 0 ? [] : [first]), ...launched()]);
  }

  /** What the next `--resume` uses again. */
  async function remember(): Promise<void> {
    await tell(launched());
  }

  function launched(): readonly Trigger[] {
    const { launch, model } = options;
    return [
      ...(launch ? [{ type: "run.launch", launch } as const] : []),
      ...(model === undefined ? [] : [{ type: "model.chosen", model } as const]),
    ];
  }
}

export type SupervisedRun = ReturnType<typeof createSupervisedRun>;

/** Nothing was started, and the sentence says why. */
export class NotStarted extends Error {}

/** Settings or flags that cannot be kept on this host; the message says which, and what to do. */
class WrongConfiguration extends Error {
  override readonly name = "WrongConfiguration";
}

const silent = (name: HostName): Host => ({
  name,
  capabilities: { ...supervised(programOf(name)), resident: false, startsTurns: false },
  nudge: () => Promise.reject(new Error("the host's process runs")),
  deliver: () => Promise.reject(new Error("the host's process runs")),
  show: () => {},
  endTurn: () => {},
});
