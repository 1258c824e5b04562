import { ENDED_INSIDE_MS } from "../host-process.ts";
import type { HostProfile } from "../host-profile.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { examineOpenCode, installedBy } from "./examine.ts";

const OUTPUT = ["--format", "json"];

export const profile: HostProfile = {
  name: "opencode",
  title: "OpenCode",
  program: "opencode",
  comesWith: "opencode-ai",
  verified: "1.18.33",
  capabilities: CAPABILITIES,
  marks: ["OPENCODE"],
  process: {
    endsWithinMs: ENDED_INSIDE_MS,
    takesSession: false,
    start: (_session, prompt) => ["run", ...OUTPUT, prompt],
    resume: (session, prompt) => ["run", ...OUTPUT, "--session", session, prompt],
    startWorkflow: (_session, words) => ["run", ...OUTPUT, "--command", "workflow", words],
    model: (name) => ["--model", name],
    sessionIn: ({ sessionID }) => (typeof sessionID === "string" ? sessionID : undefined),
    unknownSession: /session not found/i,
    failureIn: ({ type, error }) => (type === "error" ? JSON.stringify(error ?? "the turn failed") : undefined),
  },
  installedBy,
  examine: examineOpenCode,
};
