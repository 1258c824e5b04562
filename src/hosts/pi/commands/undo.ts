import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { info, type Said, warning } from "../../../core/command/index.ts";
import { IGNORED } from "../../../core/react/index.ts";
import { visible } from "../../../core/text/index.ts";
import type { BoundSession } from "../bound-session.ts";
import type { SessionCommand } from "./command.ts";

const FORCE = "--force";

/** Other hosts have an /undo of their own, which means the conversation: these are pi's alone. */
export const undo: SessionCommand = {
  name: "undo",
  description: "Undo what a todo changed in the files: /undo, /undo <index>, /undo <checkpoint>; --force asks first",
  words: [FORCE],
  run: (args, session, ctx) => takeBack("undo", args, session, ctx),
};

export const redo: SessionCommand = {
  name: "redo",
  description: "Restore what the last /undo removed",
  words: [FORCE],
  run: (args, session, ctx) => takeBack("redo", args, session, ctx),
};

async function takeBack(
  kind: "undo" | "redo",
  args: string,
  session: BoundSession,
  ctx: ExtensionCommandContext,
): Promise<Said> {
  const run = session.run();
  if (!run) return warning(IGNORED.no_run);
  if (!ctx.isIdle()) return warning(`The agent is working. Stop it first with Esc, then /${kind}.`);
  const words = args.split(/\s+/).filter(Boolean);
  const [what, ...more] = words.filter((word) => word !== FORCE);
  if (more.length > 0 || (kind === "redo" && what !== undefined))
    return warning(`Usage: /${kind}${kind === "undo" ? " [todo|checkpoint]" : ""} [${FORCE}]`);
  const force = words.includes(FORCE) ? (files: readonly string[]) => confirmed(files, ctx) : undefined;
  const answer = await session.tildone.undo(run.id, { kind, what, force });
  if (answer.status === "refused") return warning(answer.text);
  // The agent reads of it before it does anything else; a run on hold waits.
  await session.tell({ type: run.ledger.held ? "log.moved" : "human.resume" });
  return info(answer.text);
}

/** Where there is no terminal to ask in, nothing is overwritten. */
async function confirmed(files: readonly string[], ctx: ExtensionCommandContext): Promise<boolean> {
  if (ctx.mode !== "tui" && ctx.mode !== "rpc") return false;
  const names = files.slice(0, SHOWN).map((file) => `  ${visible(file)}`);
  const more = files.length > SHOWN ? [`  and ${files.length - SHOWN} more`] : [];
  const question = ["Later changes in these files are overwritten:", ...names, ...more].join("\n");
  return ctx.ui.confirm("Overwrite them?", question);
}

const SHOWN = 20;
