import type { Call, PersonaCall } from "../../../src/testing/index.ts";

/** What a persona's calls are called in pi and in the standalone agent. */
export function piTool(call: PersonaCall): Call {
  switch (call.tool) {
    case "write_file":
      return ["write", call.input];
    case "read_file":
      return ["read", call.input];
    case "run":
      return ["bash", call.input];
    default:
      return [call.tool, call.input];
  }
}
