import { hostname, userInfo } from "node:os";

/** Who says something to the fleet, for others who look at it. */
export const ownName = (): string => `${userInfo().username}@${hostname()}`;
