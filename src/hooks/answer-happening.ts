import { existsSync } from "node:fs";
import { directories } from "../config/index.ts";
import type { RunCard, RunSummary, Workspace } from "../engine/index.ts";
import { openUnread } from "../store/index.ts";
import type { HookCall } from "./answer-hook.ts";
import { readCommand } from "./command.ts";
import type { Dialect } from "./dialect.ts";
import type { Answer, Happening } from "./happening.ts";
import { INTRODUCTION } from "./introduction.ts";
import { lookAhead } from "./look-ahead.ts";
import type { Payload } from "./payload.ts";

/** One call of the hook, read. */
export interface Told extends Omit<HookCall, "input" | "now"> {
  readonly payload: Payload;
  readonly session: string;
  /** A look at the files that is already under way. */
  readonly workspace?: Workspace | undefined;
}

/** What happened is told to the run of its session, if there is one. */
export async function answerHappening(happening: Happening, told: Told): Promise<Answer | undefined> {
  const { dialect, session } = told;
  const isOwnCall = happening.type === "call.asked" && happening.tool.ours !== undefined && !happening.bySubagent;
  const added = isOwnCall ? dialect.addsTo(told.payload, told.env) : undefined;
  const rewritten: Answer | undefined =
    isOwnCall && added ? { type: "rewrite", args: { ...(happening.args as object), ...added } } : undefined;
  const path = directories(told).database;
  const mayBear = isForAnyone(happening);
  const store =
    mayBear || existsSync(path) ? await openUnread({ path, durable: "at close", patience: "short" }) : undefined;
  try {
    // A supervisor started this session to continue the run of another one.
    if (store && told.env.TILDONE_CONTINUES && isBeginning(happening))
      (await import("./bind-begun.ts")).bindBegun(await store.reading(), told);
    const card = store?.runs.find(dialect.host, session);
    const isKnown = card?.live === true && card.session === session;
    if (!isKnown && happening.type === "prompted") await (await import("./begin-work.ts")).beginWork(told);
    if (!store || (!isKnown && !mayBear)) return rewritten ?? unknownSession(happening, dialect);
    // What follows is loaded when it is needed: most calls in most sessions end here.
    if (happening.type !== "call.asked") {
      const cwd = isKnown ? card.cwd : undefined;
      const looks = happening.type === "stopped" && cwd !== undefined;
      const ahead = looks && !told.workspace ? lookAhead(cwd, told) : undefined;
      await ahead?.begun;
      const workspace = told.workspace ?? ahead;
      return await (await import("./in-run.ts")).inRun(happening, { ...told, workspace }, await store.reading(), cwd);
    }
    const { held, braking } = summaryOf(card!);
    const ended =
      held || braking
        ? await (await import("./in-run.ts")).inRun(happening, told, await store.reading(), card!.cwd)
        : undefined;
    if (ended) return ended;
    if (rewritten || !mayRefuse(happening, card!)) return rewritten;
    return (await import("./gate-call.ts")).gateCall(happening, card!.run, (await store.reading()).log);
  } finally {
    store?.close();
  }
}

const isBeginning = ({ type }: Happening): boolean => type === "session.started" || type === "prompted";

/** A list of the host's own may begin a run, and words to tildone are answered in any session. */
function isForAnyone(happening: Happening): boolean {
  if (happening.type === "calls.ended") return happening.calls.some(({ list }) => list !== undefined);
  return happening.type === "prompted" && readCommand(happening.text) !== undefined;
}

/** The card says it without folding the log: a call is refused in a phase, or to a subagent that writes. */
function mayRefuse({ tool, bySubagent }: Happening & { type: "call.asked" }, { summary }: RunCard): boolean {
  const { phased } = summaryOf({ summary });
  return phased === true || (bySubagent && tool.ours !== undefined);
}

/** One that cannot be read says nothing. */
const summaryOf = ({ summary }: Pick<RunCard, "summary">): Partial<RunSummary> => summary ?? {};

/** Most sessions have no list: they cost a look and nothing else. */
function unknownSession(happening: Happening, { hidesTools }: Dialect): Answer | undefined {
  return hidesTools && happening.type === "session.started" ? INTRODUCTION : undefined;
}
