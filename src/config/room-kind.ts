import { type Kind, oneOf } from "./kind.ts";

/** From loosest to strictest. */
export const ROOM_BY_STRICTNESS = ["place", "auto", "clean"] as const;
export type RoomMode = (typeof ROOM_BY_STRICTNESS)[number];
export const room: Kind<RoomMode> = oneOf(ROOM_BY_STRICTNESS);
