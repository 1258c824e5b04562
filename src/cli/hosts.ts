import { HOOK_HOSTS } from "../config/index.ts";
import { PROFILES } from "../hosts/index.ts";
import { listed } from "./listed.ts";
import { packageFolder } from "./packaged.ts";

export function unknownHost(named: string | undefined): string {
  const meant = HOOK_HOSTS.find((host) => named !== undefined && named !== "" && host.startsWith(named.toLowerCase()));
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const others = Object.values(PROFILES).filter(({ installedBy }) => installedBy !== undefined);
  const titles = listed(others.map(({ title }) => title).toReversed(), "and");
  const ways = listed(others.map(({ installedBy }) => installedBy!(packageFolder())).toReversed(), "or").replace(
    / or /,
    ", or ",
  );
  return `The host is one of: ${HOOK_HOSTS.join(", ")}.${guess} ${titles} install it themselves: ${ways}.`;
}
