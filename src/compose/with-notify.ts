import type { Config, Environment } from "../config/index.ts";
import { stopRow, waitRow } from "../core/reason/index.ts";
import { decisionText } from "../core/run/index.ts";
import { exactLine } from "../core/text/index.ts";
import { asksOf } from "../core/view/index.ts";
import type { Engine, Host } from "../engine/index.ts";
import type { ProcessGroups } from "../machine/index.ts";

/**
 * The host, and the user's own command besides: once for each stop. What the run is about reaches the command in
 * variables, never in its words, so that no text of an agent is ever read by a shell.
 */
export function withNotify(host: Host, notify: Config["notify"], env: Environment, groups?: ProcessGroups): Host {
  if (notify === undefined) return host;
  return {
    ...host,
    show: (session, notice) => {
      host.show(session, notice);
      if (notice.type !== "stopped") return;
      const { decision } = notice.run.ledger;
      void start(
        notify,
        {
          ...env,
          TILDONE_NEWS: stopRow(notice.reason).news,
          TILDONE_REASON: notice.reason,
          TILDONE_RUN: notice.run.id,
          TILDONE_TEXT: decision ? decisionText(decision) : stopRow(notice.reason).says,
        },
        groups,
      );
    },
  };
}

/**
 * The same command learns of what waits for an answer while the agent works: an approval, a question. A prompt that you opened
 * yourself between two turns is no news, and neither is the prompt that asks about an approval.
 */
export function notifyOfAsks(
  engine: Engine,
  driver: string,
  notify: Config["notify"],
  env: Environment,
  groups?: ProcessGroups,
): void {
  if (notify === undefined) return;
  engine.watch((_session, run, events) => {
    if (run.ledger.claim.driver !== driver) return; // whoever drives it tells
    const asked = events.findLast(
      ({ event }) => event.type === "approval.requested" || event.type === "question.opened",
    )?.event.type;
    const type = asked === "approval.requested" ? "approval" : "question";
    const isNews = type === "approval" || (run.ledger.turn !== undefined && run.ledger.approvals.length === 0);
    const ask = asked !== undefined && isNews ? asksOf(run).findLast((each) => each.type === type) : undefined;
    if (ask)
      void start(
        notify,
        {
          ...env,
          TILDONE_NEWS: waitRow(type).news,
          TILDONE_REASON: type,
          TILDONE_RUN: run.id,
          TILDONE_TEXT: `${ask.says}${ask.what === undefined ? "" : `: ${exactLine(ask.what, NOTIFIED)}`}`,
        },
        groups,
      );
  });
}

/** In characters: it is read in a notification. */
const NOTIFIED = 1_000;

/** Started and left alone: a notifier that fails or hangs is no reason to stop anything. */
async function start(
  command: string | readonly string[],
  env: Environment,
  groups: ProcessGroups | undefined,
): Promise<void> {
  const { spawn } = await import("node:child_process");
  const [file, ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  if (file === undefined) return;
  const child = spawn(file, args, { env, stdio: "ignore", detached: true });
  child.on("error", () => {});
  // It is your command: what it says, you say, also while the agent works.
  if (groups && child.pid !== undefined) child.once("exit", groups.record(child.pid, "human"));
  child.unref();
}
