/**
 * How the tables of the fleet came to be what they are, one step per entry. A step that was released is never edited: databases that
 * took it exist. `%s` is the schema. Texts that people and agents write are JSON: PostgreSQL keeps no NUL and no half of a surrogate pair.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE %s.runs (
    run               text PRIMARY KEY,
    submission        text NOT NULL,
    state             text NOT NULL DEFAULT 'queued',
    queue             text NOT NULL,
    repo              text NOT NULL,
    epoch             int NOT NULL DEFAULT 0,
    generation        int NOT NULL DEFAULT 1,
    driver            text,
    claim_token       text,
    seq               int NOT NULL DEFAULT 0,
    event_version     int NOT NULL DEFAULT 0,
    session           text,
    checkpoint_seq    int NOT NULL DEFAULT 0,
    checkpoint_commit text,
    checkpoint_bytes  bigint NOT NULL DEFAULT 0,
    checkpoints       int NOT NULL DEFAULT 0,
    attempts          int NOT NULL DEFAULT 0,
    card              text,
    checkpoint_card   text,
    outcome           text,
    result_commit     text,
    report            text,
    pr                text,
    lost_tokens       float8 NOT NULL DEFAULT 0,
    lost_cost         float8 NOT NULL DEFAULT 0,
    lost_minutes      float8 NOT NULL DEFAULT 0,
    submitted_at      float8 NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000,
    updated_at        float8 NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000
  );
  CREATE INDEX runs_by_change ON %s.runs (updated_at DESC);
  CREATE INDEX runs_by_state ON %s.runs (state, updated_at DESC);

  CREATE TABLE %s.events (
    run   text NOT NULL,
    seq   int NOT NULL,
    epoch int NOT NULL,
    at    float8 NOT NULL,
    by    text NOT NULL,
    v     int NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (run, seq)
  );
  CREATE TABLE %s.events_lost (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run   text NOT NULL,
    seq   int NOT NULL,
    epoch int NOT NULL,
    at    float8 NOT NULL,
    by    text NOT NULL,
    v     int NOT NULL,
    event text NOT NULL
  );
  CREATE INDEX lost_of_run ON %s.events_lost (run);

  CREATE TABLE %s.conversation (
    run     text NOT NULL,
    at_byte bigint NOT NULL,
    bytes   bytea NOT NULL,
    PRIMARY KEY (run, at_byte)
  );

  CREATE TABLE %s.inbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run             text NOT NULL,
    key             text NOT NULL,
    trigger         text NOT NULL,
    said_from       text NOT NULL,
    at              float8 NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000,
    applied_seq     int,
    refused         text,
    wake_generation int,
    UNIQUE (run, key)
  );
  CREATE INDEX open_words ON %s.inbox (run) WHERE applied_seq IS NULL;

  CREATE TABLE %s.workers (
    id   text PRIMARY KEY,
    says text NOT NULL,
    beat timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE %s.slots (
    name   text NOT NULL,
    holder text NOT NULL,
    taken  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, holder)
  );
  `,
  `ALTER TABLE %s.slots ADD COLUMN taken_by text NOT NULL DEFAULT ''`,
  `
  ALTER TABLE %s.runs ADD COLUMN is_published boolean NOT NULL DEFAULT false;
  CREATE INDEX unpublished_runs ON %s.runs (run) WHERE state = 'finished' AND result_commit IS NOT NULL AND NOT is_published;
  `,
];
