import { OWN_HOST } from "../config/index.ts";
import { endsNoTurn } from "../hosts/index.ts";

/** What a screen says differently where a run lives in that host. */
export const screenFacts = async (host: string) => ({
  endsNoTurn: await endsNoTurn(host),
  isOurs: host === OWN_HOST,
});
