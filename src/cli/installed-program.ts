import type { HostProfile } from "../hosts/index.ts";
import { findProgram } from "../machine/index.ts";
import { Failure } from "./command.ts";
import type { Io } from "./io.ts";

/** Where the host's program is, or one sentence with what to type. */
export function installedProgram(
  { title, program, comesWith }: Pick<HostProfile, "title" | "program" | "comesWith">,
  io: Io,
): string {
  const found = findProgram(program, io);
  if (found !== undefined) return found;
  throw new Failure(
    `${title} (\`${program}\`) is not on your PATH. Install it (npm install -g ${comesWith}), or open a terminal that finds it.`,
  );
}
