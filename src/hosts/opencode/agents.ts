import type { Whereabouts } from "../../compose/index.ts";
import { loadConfig } from "../../config/index.ts";
import { type Client, dataOf } from "./payload.ts";
import { mayEdit } from "./translate.ts";

/** Which agents may be told to continue: known, writing, and on in the configuration. */
export function createAgents(client: Pick<Client, "app">, here: Whereabouts, host: string) {
  const settings = new Map<string, Promise<string | undefined>>();

  return { whyNot };

  /** Why this agent is not sent on; undefined if it is. What OpenCode calls it is its name, verbatim. */
  async function whyNot(agent: string | undefined): Promise<string | undefined> {
    if (agent === undefined) return "It is unknown which agent works here.";
    const entry = (await dataOf(client.app.agents(undefined))).find(({ name }) => name === agent);
    if (!entry) return `OpenCode knows no agent "${agent}".`;
    if (!mayEdit(entry)) return `The agent "${agent}" may not write.`;
    const known = settings.get(agent) ?? whyOff(agent);
    settings.set(agent, known);
    return known;
  }

  async function whyOff(agent: string): Promise<string | undefined> {
    const loaded = await loadConfig({ ...here, host, agent });
    return loaded.ok ? loaded.config.off : "The configuration is wrong.";
  }
}

export type Agents = ReturnType<typeof createAgents>;
