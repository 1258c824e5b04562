import { ENDED_INSIDE_MS, type HostProcess } from "../host-process.ts";
import type { HostProfile } from "../host-profile.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { examinePi, installedBy } from "./examine.ts";

/** A session that is named and not there is made. It waits inside its turn, and its adapter sees every failure. */
const launched: HostProcess = {
  endsWithinMs: ENDED_INSIDE_MS,
  takesSession: true,
  start: (session, prompt) => ["--mode", "json", "--session-id", session, prompt],
  resume: (session, prompt) => launched.start(session, prompt),
  startWorkflow: (session, words) => launched.start(session, `/workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  failureIn: () => undefined,
};

export const profile: HostProfile = {
  name: "pi",
  title: "pi",
  program: "pi",
  comesWith: "@earendil-works/pi-coding-agent",
  verified: "0.87.1",
  capabilities: CAPABILITIES,
  process: launched,
  marks: ["PI_SESSION_ID"],
  installedBy,
  examine: examinePi,
};
