import { HOOK_HOSTS, OWN_HOST } from "../config/index.ts";
import { PROFILES } from "../hosts/index.ts";
import { listed } from "./listed.ts";

/** Hosts in which a hook can refuse calls, but not end a turn. */
export const ENDS_NO_TURN: ReadonlySet<string> = new Set(
  HOOK_HOSTS.filter((name) => PROFILES[name].hook?.dialect.capabilities.brake.ends === false),
);

/** What a screen says differently where a run lives in that host. */
export const screenFacts = (host: string) => ({ endsNoTurn: ENDS_NO_TURN.has(host), isOurs: host === OWN_HOST });

export function unknownHost(named: string | undefined): string {
  const meant = HOOK_HOSTS.find((host) => named !== undefined && named !== "" && host.startsWith(named.toLowerCase()));
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const others = Object.values(PROFILES).filter(({ installedBy }) => installedBy !== undefined);
  const titles = listed(others.map(({ title }) => title).toReversed(), "and");
  const ways = listed(others.map(({ installedBy }) => installedBy!).toReversed(), "or").replace(/ or /, ", or ");
  return `The host is one of: ${HOOK_HOSTS.join(", ")}.${guess} ${titles} install it themselves: ${ways}.`;
}
