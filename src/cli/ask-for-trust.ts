import type { ProjectTrust } from "../compose/index.ts";
import { visible } from "../core/text/index.ts";
import type { Io } from "./io.ts";

/** Asks; undefined without a terminal. A project that holds what can never be trusted is not asked about. */
export async function askForTrust(project: ProjectTrust, io: Io): Promise<"yes" | "no" | undefined> {
  const blocked = project.files.filter(({ problem }) => problem !== undefined);
  if (blocked.length > 0) {
    io.out(`It cannot be trusted as it is. Remove ${blocked.map(({ path }) => visible(path)).join(", ")} first.`);
    return "no";
  }
  const answer = await io.ask("These files may run commands on this machine. Trust them? [y/N] ");
  if (answer === undefined) return undefined;
  return /^y(es)?$/i.test(answer.trim()) ? "yes" : "no";
}
