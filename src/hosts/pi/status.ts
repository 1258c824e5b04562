import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Run } from "../../core/run/index.ts";
import { clipLine } from "../../core/text/index.ts";
import { activeLine, shortState } from "../../core/view/index.ts";

/** Footer keys: how far it is, and what is worked on. pi shows a status on one line, so each is one line. */
export const STATUS_KEY = "til-done";
export const ACTIVE_KEY = "til-done-active";

export function showStatus(
  { ui }: Pick<ExtensionContext, "ui">,
  run: Run | undefined,
  form: "whole" | "short" = "whole",
): void {
  ui.setStatus(STATUS_KEY, run && shortState(run));
  const active = run?.status === "live" && form === "whole" ? activeLine(run) : "";
  // The phase of a workflow stands behind it on the same line.
  const shown = run?.plan.workflow?.status === "active" ? clipLine(active, BESIDE_PHASE) : active;
  ui.setStatus(ACTIVE_KEY, shown || undefined);
}

const BESIDE_PHASE = 24;

export function clearStatus({ ui }: Pick<ExtensionContext, "ui">): void {
  ui.setStatus(STATUS_KEY, undefined);
  ui.setStatus(ACTIVE_KEY, undefined);
}
