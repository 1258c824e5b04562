import type { Driver } from "../engine/index.ts";

/** Which process it is, for people. */
export function whoDrives({ program, kind, pid, machine, isHere }: Driver): string {
  const what =
    kind === "server" ? `the MCP server of ${program}` : kind === "supervisor" ? "tildone run --host" : program;
  return `${what} (process ${pid}${isHere ? "" : ` on ${machine}`})`;
}
