import { type Claim, foldersAbove, normalPath } from "./claim.ts";

/**
 * Who may touch which path, and who stands in line for it. A claim on a path also stands, as a claim "below",
 * in every folder above it: so two claims that overlap meet at one path, and the rest is never looked at.
 *
 * At each path there are four lines, kept in order of rank. A ticket is free when no line it conflicts with
 * holds a lower rank or a call at work; the free tickets of a line are always its front part. A ticket that leaves
 * frees a piece of the next part, so a call is looked at once per path it claims, however many there are.
 */
export interface ClaimLines {
  /** Takes the places of `holder`; `holder.blocked` says how many of them are not free yet. */
  enter(holder: Holder, claims: readonly Claim[]): void;
  /** Marks the holder as at work: now even an earlier rank waits for it. */
  begin(holder: Holder): void;
  leave(holder: Holder): void;
  /** Paths where a holder stands; 0 when nothing is left behind. */
  readonly paths: number;
}

export interface Holder {
  /** Lower goes first. Never shared by two holders. */
  readonly rank: number;
  blocked: number;
  tickets: readonly Ticket[];
}

type Lane = "readBelow" | "writeBelow" | "read" | "write";

const CONFLICTS = {
  readBelow: ["write"],
  writeBelow: ["read", "write"],
  read: ["writeBelow", "write"],
  write: ["readBelow", "writeBelow", "read", "write"],
} as const satisfies Record<Lane, readonly Lane[]>;

interface Place {
  readonly path: string;
  readonly lines: Record<Lane, Line>;
  tickets: number;
}
interface Line {
  first: Ticket | undefined;
  last: Ticket | undefined;
  /** The first ticket that is not free; every later one is not free either. */
  waiting: Ticket | undefined;
  /** Tickets whose holder is at work. */
  busy: number;
}
interface Ticket {
  readonly holder: Holder;
  readonly place: Place;
  readonly lane: Lane;
  free: boolean;
  busy: boolean;
  previous: Ticket | undefined;
  next: Ticket | undefined;
}

/** `freed` is told of every holder whose last blocked ticket became free. */
export function createClaimLines(freed: (holder: Holder) => void): ClaimLines {
  const places = new Map<string, Place>();

  function take(holder: Holder, path: string, lane: Lane): Ticket {
    let place = places.get(path);
    if (place === undefined) {
      place = { path, lines: { readBelow: line(), writeBelow: line(), read: line(), write: line() }, tickets: 0 };
      places.set(path, place);
    }
    const ticket: Ticket = { holder, place, lane, free: false, busy: false, previous: undefined, next: undefined };
    place.tickets++;
    insert(place.lines[lane], ticket);
    ticket.free = mayPass(ticket);
    if (!ticket.free) {
      holder.blocked++;
      const mine = place.lines[lane];
      if (mine.waiting === undefined || holder.rank < mine.waiting.holder.rank) mine.waiting = ticket;
    }
    for (const other of CONFLICTS[lane]) pushBack(place.lines[other], holder.rank);
    return ticket;
  }

  function letOthersPass({ place, lane }: Ticket): void {
    if (place.tickets === 0) places.delete(place.path);
    else for (const other of CONFLICTS[lane]) letPass(place.lines[other]);
  }

  function letPass(line: Line): void {
    for (let ticket = line.waiting; ticket !== undefined && mayPass(ticket); ticket = line.waiting) {
      ticket.free = true;
      line.waiting = ticket.next;
      if (--ticket.holder.blocked === 0) freed(ticket.holder);
    }
  }

  return {
    enter(holder, claims) {
      const tickets: Ticket[] = [];
      for (const { path, access } of claims) {
        const normal = normalPath(path);
        const below = access === "read" ? "readBelow" : "writeBelow";
        for (const folder of foldersAbove(normal)) tickets.push(take(holder, folder, below));
        tickets.push(take(holder, normal, access));
      }
      holder.tickets = tickets;
    },
    begin(holder) {
      for (const ticket of holder.tickets) {
        ticket.busy = true;
        ticket.place.lines[ticket.lane].busy++;
      }
    },
    leave(holder) {
      const tickets = holder.tickets;
      if (tickets.length === 0) return;
      holder.tickets = [];
      holder.blocked = 0;
      for (const ticket of tickets) remove(ticket.place.lines[ticket.lane], ticket);
      for (const ticket of tickets) letOthersPass(ticket); // only now: the holder must not be let past itself
    },
    get paths() {
      return places.size;
    },
  };
}

const line = (): Line => ({ first: undefined, last: undefined, waiting: undefined, busy: 0 });

function mayPass({ holder, place, lane }: Ticket): boolean {
  for (const other of CONFLICTS[lane]) {
    const { first, busy } = place.lines[other];
    if (busy > 0 || (first !== undefined && first.holder.rank < holder.rank)) return false;
  }
  return true;
}

/** A holder with an earlier rank came late (arguments were edited): those behind it are no longer free. */
function pushBack(line: Line, rank: number): void {
  let ticket = line.waiting === undefined ? line.last : line.waiting.previous;
  for (; ticket !== undefined && ticket.holder.rank > rank; ticket = ticket.previous) {
    ticket.free = false;
    ticket.holder.blocked++;
    line.waiting = ticket;
  }
}

function insert(line: Line, ticket: Ticket): void {
  let before = line.last; // almost always: ranks come in order
  while (before !== undefined && before.holder.rank > ticket.holder.rank) before = before.previous;
  const after = before === undefined ? line.first : before.next;
  ticket.previous = before;
  ticket.next = after;
  if (before === undefined) line.first = ticket;
  else before.next = ticket;
  if (after === undefined) line.last = ticket;
  else after.previous = ticket;
}

function remove(line: Line, ticket: Ticket): void {
  ticket.place.tickets--;
  if (ticket.busy) line.busy--;
  if (line.waiting === ticket) line.waiting = ticket.next;
  if (ticket.previous === undefined) line.first = ticket.next;
  else ticket.previous.next = ticket.next;
  if (ticket.next === undefined) line.last = ticket.previous;
  else ticket.next.previous = ticket.previous;
}
