import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Flags } from "../../config/index.ts";
import type { Mode } from "./capabilities.ts";

/** Flags of pi's command line, and the setting each one is. */
const FLAGS = {
  "til-done-max": { setting: "max-continuations", says: "Continuations in a row without a new workspace state" },
  "til-done-countdown": { setting: "countdown", says: "Time to step in before a continuation (3s, 500ms, 0)" },
  "til-done-max-tokens": { setting: "max-tokens", says: "Tokens that a run may use" },
  "til-done-max-cost": { setting: "max-cost", says: "Cost that a run may have" },
  "til-done-max-minutes": { setting: "max-minutes", says: "Active minutes that a run may take" },
  "til-done-check": { setting: "check", says: "A command that must pass before a run counts as done" },
} as const;

const OFF = "til-done-off";
const REPLACE = "til-done-replace-workflow";

export function registerFlags(pi: ExtensionAPI): void {
  for (const [name, { says }] of Object.entries(FLAGS)) pi.registerFlag(name, { type: "string", description: says });
  pi.registerFlag(OFF, { type: "boolean", description: "Keep the todo list, but never continue by itself" });
  pi.registerFlag(REPLACE, {
    type: "boolean",
    description: "Without a terminal: /workflow puts a new workflow in the place of the active one",
  });
}

/** A check given for this session judges what is asked in it, with or without a list. */
export const asksCheck = (pi: Pick<ExtensionAPI, "getFlag">): boolean => {
  const value = pi.getFlag("til-done-check");
  return typeof value === "string" && value !== "";
};

/** Asked only where there is no terminal. */
export const replacesWorkflows = (pi: Pick<ExtensionAPI, "getFlag">): boolean => pi.getFlag(REPLACE) === true;

/** A countdown is for eyes: only the terminal has one, whatever is set. */
export function settingsFromFlags(pi: Pick<ExtensionAPI, "getFlag">, mode: Mode): Flags {
  const given = Object.entries(FLAGS).flatMap(([name, { setting }]) => {
    const value = pi.getFlag(name);
    if (typeof value !== "string" || value === "") return [];
    return [[setting, setting === "check" ? [value] : value] as const];
  });
  return {
    ...Object.fromEntries(given),
    ...(pi.getFlag(OFF) === true && { "auto-complete-todos": false }),
    ...(mode !== "tui" && { countdown: "0" }),
  };
}
