// What happened in the database, written down by the database itself as it happens: logs of workers tell it late, and only their side.
import { schemaOf } from "../../src/fleet/index.ts";
import type { TestPostgres } from "./postgres.ts";

/** A claim, a cancellation or a run that was given up: from `at` on, whoever had the run before is fenced off. */
export interface Change {
  readonly run: string;
  readonly epoch: number;
  /** Absent: nobody drives it any more. */
  readonly machine?: string;
  /** By the clock of the database: at the end of its transaction, or a few milliseconds before. */
  readonly at: number;
}

export interface Witness {
  changes(): Promise<readonly Change[]>;
  /** What must never happen to a record, whatever happens to its workers. */
  violations(run: string): Promise<readonly string[]>;
  /** Claims of a run since one of them worked from a checkpoint to the next. */
  claimsWithoutProgress(run: string): Promise<number>;
  /** Nudges that were let through, by claim. */
  nudges(): Promise<readonly { readonly run: string; readonly epoch: number; readonly count: number }[]>;
}

export async function openWitness(postgres: TestPostgres, url: string): Promise<Witness> {
  const database = new URL(url).pathname.slice(1);
  const fleet = schemaOf({});
  const sql = (text: string) => postgres.sql(text, database);
  await sql(TRIGGERS.replaceAll(":fleet", fleet));
  return {
    async changes() {
      const rows = await sql("SELECT run, epoch, driver, at FROM witness.changes ORDER BY at");
      return rows.map(({ run, epoch, driver, at }) => ({
        ...{ run: String(run), epoch: Number(epoch), at: Number(at) },
        ...(driver !== null && { machine: JSON.parse(String(driver)) as string }),
      }));
    },
    async violations(run) {
      const rows = await sql(`SELECT says FROM witness.violations WHERE run = '${run}' ORDER BY id`);
      return rows.map(({ says }) => `${run}: ${String(says)}`);
    },
    async claimsWithoutProgress(run) {
      const [row] = await sql(
        `SELECT count(*)::int AS claims FROM witness.changes WHERE run = '${run}' AND driver IS NOT NULL
           AND id > (SELECT coalesce(max(id), 0) FROM witness.progress WHERE run = '${run}')`,
      );
      return Number(row!.claims);
    },
    async nudges() {
      const rows = await sql(
        `SELECT run, epoch, count(*)::int AS count FROM
           (SELECT run, epoch, event FROM ${fleet}.events UNION ALL SELECT run, epoch, event FROM ${fleet}.events_lost) AS every
         WHERE event LIKE '{"type":"nudge.intended"%' GROUP BY run, epoch`,
      );
      return rows.map(({ run, epoch, count }) => ({
        ...{ run: String(run), epoch: Number(epoch), count: Number(count) },
      }));
    },
  };
}

const TRIGGERS = `
  CREATE SCHEMA witness;
  CREATE SEQUENCE witness.ids;
  CREATE TABLE witness.changes (id bigint DEFAULT nextval('witness.ids'), run text, epoch int, driver text, at float8);
  CREATE TABLE witness.progress (id bigint DEFAULT nextval('witness.ids'), run text);
  CREATE TABLE witness.violations (id bigint DEFAULT nextval('witness.ids'), run text, says text);

  CREATE FUNCTION witness.run_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    IF NEW.epoch <> OLD.epoch THEN
      INSERT INTO witness.changes (run, epoch, driver, at)
      VALUES (NEW.run, NEW.epoch, NEW.driver, extract(epoch FROM clock_timestamp()) * 1000);
    END IF;
    IF NEW.attempts = 0 AND OLD.attempts > 0 THEN
      INSERT INTO witness.progress (run) VALUES (NEW.run);
    END IF;
    IF NEW.epoch < OLD.epoch THEN
      INSERT INTO witness.violations (run, says) VALUES (NEW.run, format('claim %s followed claim %s', NEW.epoch, OLD.epoch));
    END IF;
    IF NEW.checkpoint_seq < OLD.checkpoint_seq THEN
      INSERT INTO witness.violations (run, says)
      VALUES (NEW.run, format('its checkpoint went back from %s to %s', OLD.checkpoint_seq, NEW.checkpoint_seq));
    END IF;
    IF NEW.state <> OLD.state AND OLD.state IN ('finished', 'poisoned', 'cancelled') THEN
      INSERT INTO witness.violations (run, says) VALUES (NEW.run, format('it was %s, and became %s', OLD.state, NEW.state));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER witness AFTER UPDATE ON :fleet.runs FOR EACH ROW EXECUTE FUNCTION witness.run_changed();

  CREATE FUNCTION witness.event_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE newest int;
  BEGIN
    SELECT epoch INTO newest FROM :fleet.runs WHERE run = NEW.run;
    IF NEW.epoch <> newest THEN
      INSERT INTO witness.violations (run, says)
      VALUES (NEW.run, format('claim %s wrote event %s after claim %s', NEW.epoch, NEW.seq, newest));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER witness AFTER INSERT ON :fleet.events FOR EACH ROW EXECUTE FUNCTION witness.event_written();

  CREATE FUNCTION witness.event_gone() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE mark int;
  BEGIN
    SELECT checkpoint_seq INTO mark FROM :fleet.runs WHERE run = OLD.run;
    IF OLD.seq <= mark THEN
      INSERT INTO witness.violations (run, says) VALUES (OLD.run, format('event %s was lost, and the checkpoint is at %s', OLD.seq, mark));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER witness_gone AFTER DELETE OR UPDATE ON :fleet.events FOR EACH ROW EXECUTE FUNCTION witness.event_gone();
`;
