import { HOSTS, type HostName } from "../../config/index.ts";
import { type HostProcess, type HostProfile, PROFILES } from "../../hosts/index.ts";

/** A host as the supervisor starts it. */
export interface Program extends HostProcess, Pick<HostProfile, "title" | "program" | "comesWith"> {
  /** `hook`: a process for each event. `resident`: our adapter lives inside, and tells what turns use. */
  readonly adapter: "hook" | "resident";
}

export function programOf(host: HostName): Program {
  const { title, program, comesWith, process } = PROFILES[host];
  return { ...process, title, program, comesWith, adapter: HOSTS[host] };
}
