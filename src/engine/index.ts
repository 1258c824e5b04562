export type {
  Change,
  Clock,
  Log,
  NewEvent,
  RunCard,
  Runs,
  Snapshot,
  Store,
  Stored,
  Tail,
  Timer,
  Transacted,
} from "./ports.ts";
