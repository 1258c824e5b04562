import { DEFAULTS, type Limits } from "../core/continuation/index.ts";
import type { Birth, Context, Reply, Trigger } from "../core/react/index.ts";
import { type DroppedFile, type Envelope, type Run, UNBORN } from "../core/run/index.ts";
import {
  type Checkpoints,
  createEngine,
  type Engine,
  foldStored,
  type Host,
  type Settled,
  type Store,
} from "../engine/index.ts";
import { memoryStore } from "../store/index.ts";
import { said } from "./builders/index.ts";
import { createFakeChecks, type FakeChecks } from "./fake-checks.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createFakeHost, type FakeHost } from "./fake-host.ts";
import { createFakeWorkspace, type FakeWorkspace } from "./fake-workspace.ts";
import { HOST_KINDS, type HostKind } from "./host-kinds.ts";

/** The real engine among fakes: a host, a clock that stands still, a log in memory, files and checks that obey. */
export interface FakeWorld {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly host: FakeHost;
  readonly checks: FakeChecks;
  readonly workspace: FakeWorkspace;
  readonly engine: Engine;
  /** Another process: a new engine with its own host on the same log and clock. */
  another(given?: WorldGiven): FakeWorld;
  tell(trigger: Trigger): Promise<Reply>;
  settle(end?: Partial<Trigger & { type: "turn.ended" }>): Settling;
  readonly run: Run;
  /** The last decision in words, as the log tells it. */
  readonly said: string;
  /** The types of all events of the run, in order. */
  readonly types: readonly string[];
}

/** What the host gets back from a boundary; `now` is undefined while it is held. */
export interface Settling {
  readonly promise: Promise<Settled>;
  readonly now: Settled | undefined;
}

/** What a fake world begins with. */
export interface WorldGiven {
  readonly kind?: HostKind;
  readonly driver?: string;
  readonly limits?: Partial<Limits>;
  readonly birth?: Partial<Pick<Birth, "goal" | "budget" | "checks" | "requirements">>;
  readonly runsChecks?: boolean;
  /** Whether checks that the model proposes may run. */
  readonly allowsChecks?: boolean;
  readonly session?: string;
  /** Files of the project that are not applied. */
  readonly dropped?: readonly DroppedFile[];
  /** What the host says when it is asked before something leaves; absent: it cannot be asked. */
  readonly stands?: NonNullable<Host["recheck"]>;
  readonly checkpoints?: Checkpoints;
  /** Takes out secrets that have no shape. */
  readonly redact?: (text: string) => string;
  /** What you want to hear of while you look away. */
  readonly notify?: NonNullable<Context["notify"]>;
}

/** The real engine over a log in memory, with a host, workspace and checks that obey. */
export function createFakeWorld(given: WorldGiven = {}): FakeWorld {
  return world(given, createFakeClock(1_000), memoryStore());
}

function world(given: WorldGiven, clock: FakeClock, store: Store): FakeWorld {
  const { kind = "print", driver = "one", limits = {}, birth = {}, runsChecks = true, session = "s" } = given;
  const host = createFakeHost(HOST_KINDS[kind], "fake", given.stands);
  const checks = createFakeChecks(clock.now);
  const workspace = createFakeWorkspace();
  const engine = createEngine({
    store,
    host,
    clock,
    workspace,
    ...(runsChecks && { checks }),
    ...(given.checkpoints && { checkpoints: given.checkpoints }),
    cwd: "/project",
    driver,
    newRunId: () => `run-${store.runs.list().length + 1}`,
    context: () => ({
      limits: { ...DEFAULTS, ...limits },
      allowsCheck: () => given.allowsChecks === true,
      dropped: given.dropped,
      redact: given.redact,
      ...(given.notify && { notify: given.notify }),
    }),
    birth: () => ({ budget: {}, checks: [], requirements: [], ...birth }),
  });
  const stored = (): readonly Envelope[] => {
    const card = store.runs.find(host.name, session);
    return card ? store.log.read(card.run, 0).events : [];
  };
  const run = (): Run => foldStored(UNBORN, stored());

  return {
    clock,
    store,
    host,
    checks,
    workspace,
    engine,
    another: (other = {}) => world({ ...given, ...other }, clock, store),
    tell: (trigger) => engine.tell(session, trigger),
    settle(end = {}) {
      let now: Settled | undefined;
      const promise = engine.settle(session, { type: "turn.ended", outcome: "completed", ...end });
      promise.then(
        (settled) => {
          now = settled;
        },
        () => {},
      );
      return {
        promise,
        get now() {
          return now;
        },
      };
    },
    get run() {
      return run();
    },
    get said() {
      return said(run().ledger.decision);
    },
    get types() {
      return stored().map(({ event }) => event.type);
    },
  };
}
