/**
 * How the database came to be what it is, one step per entry. A step that was released is never edited: databases that
 * took it exist. The number of steps taken stands in the file (`user_version`).
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    run   TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    at    REAL NOT NULL,
    by    TEXT NOT NULL,
    v     INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE cards (
    run     TEXT PRIMARY KEY,
    host    TEXT NOT NULL,
    session TEXT NOT NULL,
    cwd     TEXT NOT NULL,
    live    INTEGER NOT NULL,
    began   REAL NOT NULL,
    updated REAL NOT NULL,
    summary TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE bindings (
    host    TEXT NOT NULL,
    session TEXT NOT NULL,
    run     TEXT NOT NULL,
    PRIMARY KEY (host, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bindings_of_run ON bindings (run);

  CREATE TABLE snapshots (
    run     TEXT PRIMARY KEY,
    seq     INTEGER NOT NULL,
    version INTEGER NOT NULL,
    state   TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE events ADD COLUMN seal TEXT;

  CREATE TABLE heads (
    run  TEXT PRIMARY KEY,
    seq  INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
