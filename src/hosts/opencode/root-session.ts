import { endOfTurnIn } from "../../core/react/index.ts";
import { createActivity } from "./activity.ts";
import type { Agents } from "./agents.ts";
import { lastChoiceIn } from "./last-choice.ts";
import { createLoopBoundary } from "./loop-boundary.ts";
import { accepted, type Client, type Fields, fieldsOf, textAt } from "./payload.ts";
import { createPermissions } from "./permissions.ts";
import { createPrompter, mirrored } from "./prompter.ts";
import { type RootParts, type RootRun, rootRun } from "./root-run.ts";
import type { SessionTree } from "./session-tree.ts";
import { OWN_TOOLS } from "./tools.ts";
import { kindsOf, seenOf, usageOf } from "./translate.ts";
import { createTurnBegins } from "./turn-begins.ts";
import { createTurnEnds } from "./turn-ends.ts";
import { createTurnRecord } from "./turn-record.ts";
import { createTurnWatch } from "./turn-watch.ts";

export interface Parts extends Pick<RootRun, "engine" | "clock" | "driver" | "prelude" | "say"> {
  readonly redact: (text: string) => string;
  readonly client: Client;
  readonly tree: SessionTree;
  readonly agents: Agents;
}

/**
 * A root session of OpenCode: its events in our words, and both ways to continue it. Here is what happens inside a turn; where turns begin
 * and end has a file each. What it remembers are small machines.
 *
 *     activity   idle | unasked | busy              what OpenCode says of itself
 *     turn       none | running                     the turn as the log knows it, and what its end will say
 *     loop       asked | held | a nudge lies there  where `opencode run` is continued
 *     ends       at work | settling | at rest       the end of a turn that is being written down
 */
export function bindRoot(session: string, { client, tree, agents, redact, ...given }: Parts) {
  const { driver, clock, engine, say } = given;
  const root = rootRun(session, given);
  const { tell, run, judged, isLive } = root;
  const at = { path: { id: session } };
  const activity = createActivity(clock.now);
  const newTurn = counted((count) => `${session}.${clock.now()}.${count}`);
  const turn = createTurnRecord(newTurn, clock.now);
  const prompter = createPrompter(session, { client, tree, agents, driver, run, isBusy: activity.isBusy });
  const abort = () => {
    activity.endedByUs();
    return client.session
      .abort(at)
      .then(activity.endedByUs, (error: unknown) => say(`tildone failed: ${String(error)}`));
  };
  const permissions = createPermissions({
    ...{ now: clock.now, redact, tell },
    reply: (requestID, body) =>
      accepted(
        client._client.post({ url: "/permission/{requestID}/reply", path: { requestID }, headers: JSON_BODY, body }),
      ),
  });
  const watch = createTurnWatch({ clock, tell, run: judged, turn: turn.id, abort });
  const parts: RootParts = { root, activity, turn, watch, prompter, loop: () => loop };
  const { prompted, begin, worked } = createTurnBegins(parts);
  const { idle, finished, takeIn, settle } = createTurnEnds(parts);
  const loop = createLoopBoundary(session, { client, clock, turn, prompter, isLive, tell, begin, takeIn, settle });

  return {
    prompted,
    requestStarts,
    callStarts,
    callEnds,
    textOver,
    worked,
    idle,
    failed,
    compacted,
    isStored: loop.isStored,
    partChanged,
    grew: watch.grew,
    end: watch.end,
    refusal: watch.refusal,
    answered,
    refused,
    backgroundChanged,
    permissions,
    /** Under `run` OpenCode itself refuses every request. */
    answersPermissions: driver === "idle",
    unasked: activity.unasked,
    recheck: prompter.recheck,
    send: prompter.send,
    deliver: prompter.deliver,
    tell,
    run,
    openWork: () => engine.dueNudge(session),
    whyReadOnly: prompter.whyReadOnly,
    finished,
    close: given.prelude.over,
  };

  /** A model request begins: what was refused before it was taken as an answer, and a nudge that lies there stands. */
  async function requestStarts(agent: string): Promise<void> {
    activity.asked();
    turn.asks();
    await loop.asked(agent);
    await watch.requested();
  }

  async function callStarts(call: string): Promise<void> {
    await loop.callStarts(driver);
    await watch.callBegins(call);
  }

  /** OpenCode gives the model what we leave in `output`. */
  async function callEnds(tool: string, call: string, args: Fields, result: { output?: unknown }): Promise<void> {
    turn.says("");
    const ends = tool === "todowrite" ? endOfTurnIn(await tell(mirrored(args.todos))) : undefined;
    const own = OWN_TOOLS.includes(tool) || kindsOf(tool).includes("@control");
    const { command, ...seen } = seenOf(tool, args, fieldsOf(result));
    const id = turn.id();
    if (judged())
      await tell({
        type: "call.seen",
        ...(id !== undefined && { turn: id }),
        tool,
        ...seen,
        ...(own ? { own } : command && { command }),
      });
    if (ends !== undefined && typeof result.output === "string") result.output += `\n${ends}`;
    await watch.callEnds(call);
  }

  /** A call that failed has no hook of its own. */
  async function partChanged(part: Fields): Promise<void> {
    const status = part.type === "tool" ? textAt(fieldsOf(part.state), "status") : undefined;
    if (status === "completed" || status === "error") await watch.callEnds(textAt(part, "callID") ?? "");
  }

  async function textOver(text: string): Promise<void> {
    if (loop.isCompaction()) return;
    turn.says(text);
    if (driver === "loop") await loop.textOver();
  }

  async function backgroundChanged(): Promise<void> {
    if (isLive()) await tell({ type: "background.changed", agents: await tree.busyBelow(session), awaited: 0 });
  }

  async function failed(error: unknown): Promise<void> {
    if (activity.isBusy()) turn.failed(error);
  }

  async function compacted(): Promise<void> {
    if (turn.compacted() === "hopeless" && isLive()) await abort();
  }

  function refused(how: "dismissed" | "denied"): void {
    if (driver === "idle") turn.refuses(how); // under `run` OpenCode itself refuses every request
  }

  /** An answer of the model changed: what it used so far, and as whom it speaks. */
  async function answered(info: Fields): Promise<void> {
    if (info.error !== undefined) {
      activity.errorStored();
      if (activity.isBusy() && textAt(info, "parentID") === turn.id()) turn.failureStored(info.error);
    }
    if (info.summary === true) return;
    if (info.error === undefined) {
      prompter.hears(lastChoiceIn(info, info));
      turn.used(textAt(info, "id") ?? "", usageOf(info));
    }
    await watch.answered(info);
  }
}

const JSON_BODY = { "content-type": "application/json" };

export type RootSession = ReturnType<typeof bindRoot>;

function counted(name: (count: number) => string): () => string {
  let count = 0;
  return () => name(++count);
}
