/**
 * What the run saw before: the newest digests of calls and of workspace states, bounded. It is asked and added to at
 * every call, so that both must be cheap: strings are spread over shelves by their content, and each shelf keeps its newest.
 */
export interface Seen {
  readonly calls: Shelves;
  readonly states: Shelves;
}
type Shelves = readonly (readonly string[])[];

const SHELVES = 32; // five bits
// Enough to see a loop, small enough to be kept with every fold; a longer cycle is ended by the other two counters.
const CALLS_PER_SHELF = 16;
const STATES_PER_SHELF = 8;

const EMPTY: Shelves = Array.from({ length: SHELVES }, () => []);
export const NOTHING_SEEN: Seen = { calls: EMPTY, states: EMPTY };

export const hasSeenCall = ({ calls }: Seen, digest: string): boolean => has(calls, digest);
export const hasSeenState = ({ states }: Seen, state: string): boolean => has(states, state);

export const withCall = (seen: Seen, digest: string | undefined): Seen =>
  digest === undefined ? seen : { ...seen, calls: add(seen.calls, digest, CALLS_PER_SHELF) };
export const withState = (seen: Seen, state: string | undefined): Seen =>
  state === undefined ? seen : { ...seen, states: add(seen.states, state, STATES_PER_SHELF) };

const has = (shelves: Shelves, one: string): boolean => shelves[shelfOf(one)]!.includes(one);

function add(shelves: Shelves, one: string, room: number): Shelves {
  const index = shelfOf(one);
  const shelf = shelves[index]!;
  return shelf.includes(one) ? shelves : shelves.with(index, [...shelf.slice(-room + 1), one]);
}

/** Near texts, such as numbered ones, must not share a shelf: the second step mixes what the first one left in order. */
function shelfOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 27;
}
