import { startPostgres, type TestPostgres } from "../../test/fleet/postgres.ts";

/** It waits for its disk, as yours does, and remembers when each transaction was committed. */
export const DURABLE = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  track_commit_timestamp: "on",
  max_connections: "300",
  shared_buffers: "256MB",
};

export const durableServer = (): Promise<TestPostgres> => startPostgres({ settings: DURABLE });
