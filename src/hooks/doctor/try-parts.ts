import { EVENTS } from "../happening.ts";
import type { HostWithHooks } from "../hook-profile.ts";
import type { Launch, Whereabouts } from "../install/index.ts";
import { converse } from "./converse.ts";
import { type Finding, fix, ok } from "./finding.ts";

/** Runs every hook of a host as the host would, in a session that does not exist: each must end well and say nothing. */
export async function tryHooks(
  { name: host, hook }: HostWithHooks,
  launch: Launch,
  { cwd, env }: Whereabouts,
): Promise<Finding> {
  const payload = JSON.stringify({ session_id: "tildone-doctor", cwd, prompt: "", tool_name: "", tool_input: {} });
  const times: number[] = [];
  for (const event of EVENTS.filter((name) => hook.dialect.names[name] !== undefined)) {
    const begun = performance.now();
    const { code, out, err } = await converse({
      command: launch.node,
      args: [launch.hookEntry, host, event],
      cwd,
      env,
      say: payload,
    });
    times.push(performance.now() - begun);
    if (code !== 0 || err !== "")
      return fix(`${host}: the hook for ${event} ended with ${code}: ${err.trim().split("\n")[0] || "no output"}`);
    if (out !== "" && event !== "session-start")
      return fix(`${host}: the hook for ${event} answered where it should be silent: ${out.slice(0, 100)}`);
  }
  times.sort((a, b) => a - b);
  return ok(`${host}: ${times.length} hooks answer, in ${Math.round(times[times.length >> 1]!)} ms each`);
}

/** Starts the MCP server as the host would and asks for its tools. */
export async function tryServer(host: string, launch: Launch, { cwd, env }: Whereabouts): Promise<Finding> {
  const begun = performance.now();
  let tools: readonly unknown[] = [];
  let took = 0;
  const { err } = await converse({
    command: launch.node,
    args: [launch.cliEntry, "mcp", "--host", host],
    cwd,
    env,
    say: `${JSON.stringify(request(1, "initialize", HELLO))}\n`,
    answer: ({ id, result }) => {
      if (id === 1) return request(2, "tools/list", {});
      tools = (result as { tools?: unknown[] } | undefined)?.tools ?? [];
      took = performance.now() - begun;
      return null;
    },
  });
  if (tools.length === 0)
    return fix(`${host}: the MCP server does not answer: ${err.trim().split("\n")[0] || "no output"}`);
  return ok(`${host}: the MCP server offers ${tools.length} tools after ${Math.round(took)} ms`);
}

const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });
const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tildone-doctor", version: "1" },
};
