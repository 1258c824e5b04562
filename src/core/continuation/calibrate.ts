/** How a check ended on the state from before the work. */
export type Ended = "passed" | "failed";

export interface Calibration {
  /** In a room; and once more, where it mattered. */
  readonly room: Ended;
  readonly again?: Ended;
  /** In the project. `changed`: the project was not, or did not stay, what it was before the work. */
  readonly place?: Ended | "changed";
}

/**
 * Where the later results of a check are decided. In the project only if nothing but the place can be the reason: on the very same
 * files it passes there and not in a room, twice. If something changed meanwhile, the room decides.
 */
export const decidesIn = ({ room, place, again }: Calibration): "room" | "place" =>
  room === "failed" && place === "passed" && again === "failed" ? "place" : "room";
