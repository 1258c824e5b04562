import { HOOK_HOSTS } from "../config/index.ts";
import type { Dialect } from "../hooks/index.ts";

/** Whether hooks in this host can refuse calls, but not end a turn. Asked of its dialect alone: a screen needs no profiles. */
export async function endsNoTurn(host: string): Promise<boolean> {
  if (!HOOK_HOSTS.some((name) => name === host)) return false;
  const { dialect } = (await import(`./${host}/dialect.ts`)) as { readonly dialect: Dialect };
  return dialect.capabilities.brake.ends === false;
}
