import { homedir } from "node:os";
import { basename, join } from "node:path";
import {
  type Config,
  type ConfigRequest,
  type ConfigWarning,
  directories,
  type Environment,
  type Flags,
  isDropped,
  type LoadedConfig,
  type LoadedProject,
  loadConfig,
  sayProblem,
} from "../config/index.ts";
import { readRequirements } from "../core/plan/index.ts";
import type { DroppedFile, Requirement } from "../core/run/index.ts";
import { PRIVATE_VARIABLES, redact, secretsOf } from "../core/secret/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { openDrivers } from "../drivers/index.ts";
import {
  type Capabilities,
  type Checks,
  type Clock,
  createEngine,
  type Drivers,
  type Engine,
  type Host,
  keptInPart,
  type Store,
  unmeasurable,
  type Workspace,
} from "../engine/index.ts";
import { openProcessGroups, type ProcessGroups, steadyClock, systemClock } from "../machine/index.ts";
import { openStore } from "../store/index.ts";
import { allowsCheck } from "./allows-check.ts";
import { withBarrier } from "./barrier-client.ts";
import { checkpointsFor, lazyCheckpoints, takesCheckpoints } from "./checkpoints-for.ts";
import { type ChecksParts, checksFor } from "./checks-for.ts";
import { firstRunId } from "./first-run-id.ts";
import { spokenIn } from "./spoken-in.ts";
import { stayAwake } from "./stay-awake.ts";
import { type UndoAnswer, type UndoWish, undoRun } from "./undo-run.ts";
import { wakeSender } from "./wake-sender.ts";

/** What a host tells about itself and its folder. */
export interface TildoneOptions {
  readonly host: Host;
  readonly cwd: string;
  readonly env: Environment;
  readonly home?: string;
  /** The agent that works, where the host tells. */
  readonly agent?: string;
  readonly flags?: Flags;
  /** Names the one that drives. A resident process needs none; a hook is named by its session, so that its processes follow each other. */
  readonly driver?: string;
  /** What a new run is about, where the one who opens knows it. */
  readonly goal?: string;
  readonly requirements?: readonly Requirement[];
  /** Stands in for real checks where a boundary is too short for them. */
  readonly runChecks?: Checks["run"];
  /** How long a checkpoint may keep a process that ends with its answer. */
  readonly checkpointMs?: number;
  /** The host's tools that write files, for phases that forbid writing. */
  readonly writers?: readonly string[];
  /** Stands in for the look at the files where one is already under way. */
  readonly workspace?: Workspace;
  /** Which program this is, for people; absent: the host. */
  readonly program?: string;
  /** Time, and a store that is already open and stays so. */
  readonly clock?: Clock;
  readonly store?: Store;
  /** Where your words come from, where this process is only asked to write them down. */
  readonly spoken?: Spoken;
}

/** The engine of a host with settings, store, checks and workflows. */
export interface Tildone {
  readonly engine: Engine;
  readonly store: Store;
  readonly drivers: Drivers;
  readonly groups: ProcessGroups;
  readonly clock: Clock;
  /** For what only measures: never set, and still while the machine sleeps. */
  readonly steady: Clock;
  readonly config: Config;
  readonly warnings: readonly ConfigWarning[];
  /** Files of the project that are not applied, as the agent is told of them. */
  readonly dropped: readonly DroppedFile[];
  readonly project?: LoadedProject;
  /** Takes work of a run back, or puts it back, for slash commands that are typed here. */
  readonly undo: (run: string, wish: UndoWish) => Promise<UndoAnswer>;
  /** Ends everything this process does for its runs and closes the store. */
  readonly dispose: () => void;
}

/** An open tildone, or the mistakes in its settings. */
export type Opened =
  | { readonly ok: true; readonly tildone: Tildone }
  /** The configuration is wrong: one sentence a mistake, nothing was opened. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** The one place that puts the parts together. What a process may never need is loaded when it does. */
export async function openTildone(options: TildoneOptions): Promise<Opened> {
  const { cwd, env, home = homedir(), clock = systemClock() } = options;
  const host = renewedOutside(options.host, env);
  const loaded = await loadFitting(host, {
    cwd,
    env,
    home,
    host: host.name,
    agent: options.agent,
    flags: options.flags,
  });
  if (!loaded.ok) return { ok: false, problems: loaded.errors.map(sayProblem) };
  const { config } = loaded;
  const blind = blindSpots(host, loaded, env);
  if (blind.length > 0) return { ok: false, problems: blind.map(({ key }) => sayUnmeasurable(key, host.name)) };
  const secrets = secretsOf(env);
  // What the agent starts inherits what this process has.
  if (env === process.env) for (const name of PRIVATE_VARIABLES) delete process.env[name];
  const hide = (text: string): string => redact(text, secrets);
  const dropped = loaded.warnings.filter(isDropped).map(asDropped);
  const places = directories({ env, home });
  const store = withBarrier(options.store ?? (await openStore({ path: places.database })), env.TILDONE_BARRIER);
  const steady = options.clock ?? steadyClock();
  const workspace = options.workspace ?? lazyWorkspace(steady, env, join(places.state, "workspace"));
  const goal = options.goal ?? env.TILDONE_GOAL;
  const notify = config.notify && { kinds: config.notify.kinds, channels: config.notify.channels };
  const mayCheck = allowsCheck(config.checks.allow);
  const driver =
    options.driver ?? env.TILDONE_DRIVER ?? `${host.name}:${process.pid}:${crypto.randomUUID().slice(0, 8)}`;
  const snapshots = join(places.state, "snapshots");
  const drivers = openDrivers({ state: places.state, clock });
  const program = options.program ?? host.name;
  const groups = openProcessGroups(places.state);
  void groups.endOrphans();
  const speaker = options.spoken || options.store ? () => options.spoken : spokenIn(program);
  const asleep = createEngine({
    store,
    host,
    clock,
    cwd,
    workspace,
    checks: {
      ...lazyChecks({
        ...{ clock: steady, env, workspace, config, groups, home },
        snapshots,
        own: [places.state, places.config],
      }),
      // A process that runs no checks at all is too short for those of the background.
      ...(options.runChecks && { run: options.runChecks, first: undefined }),
    },
    ...(takesCheckpoints(config.checkpoints, loaded.project, home) && {
      checkpoints: lazyCheckpoints({
        ...{ clock, env, directory: snapshots, keep: config.checkpoints.keep },
        ...(options.checkpointMs !== undefined && { briefMs: options.checkpointMs }),
      }),
    }),
    driver,
    // A program that brought a store of its own is not found through the user's.
    ...(!options.store && {
      enter: (session: string) => drivers.enter({ host: host.name, session, driver, kind: "engine", program }),
    }),
    newRunId: firstRunId(store, env.TILDONE_RUN_ID),
    ...(config.notify && { sendNotifications: wakeSender(env, home, groups) }),
    context: () => ({
      limits: config.limits,
      allowsCheck: mayCheck,
      ...(options.writers && { writers: options.writers }),
      dropped,
      speaker,
      redact: hide,
      ...(notify && { notify }),
    }),
    birth: (said = goal) => ({
      budget: config.budget,
      checks: config.checks.run,
      requirements: options.requirements ?? readRequirements(said ?? ""),
      goal: said,
    }),
  });
  const engine: Engine = {
    ...asleep,
    tell: (session, trigger) => stayAwake(() => asleep.tell(session, trigger)),
    settle: (session, end) => stayAwake(() => asleep.settle(session, end)),
  };
  let isDisposed = false;
  return {
    ok: true,
    tildone: {
      engine,
      store,
      drivers,
      groups,
      clock,
      steady,
      config,
      dropped,
      warnings: [
        ...loaded.warnings,
        ...keptInPart(host.capabilities, config.budget).map(asWarning(host.name)),
        ...unrenewed(host, config),
      ],
      project: loaded.project,
      undo: async (run, wish) => {
        const checkpoints = await checkpointsFor({ clock, env, directory: snapshots });
        return undoRun({ ...{ store, checkpoints, cwd, run, now: clock.now, prefix: "/" }, spoken: speaker() }, wish);
      },
      dispose: () => {
        if (isDisposed) return;
        isDisposed = true;
        engine.dispose();
        groups.forget();
        if (!options.store) store.close();
      },
    },
  };
}

type Loaded = LoadedConfig & { ok: true };

/** A limit of the project's that this host cannot keep is the project's mistake: its file goes, and yours stays. */
async function loadFitting(host: Host, request: ConfigRequest): Promise<LoadedConfig> {
  const loaded = await loadConfig(request);
  const theirs = loaded.ok ? blindSpots(host, loaded, request.env).find(({ layer }) => layer === "project") : undefined;
  return theirs ? loadConfig({ ...request, unfit: sayUnmeasurable(theirs.key, host.name) }) : loaded;
}

/** Limits that are set and cannot be measured here, with the layer that set them. */
function blindSpots({ capabilities: own }: Host, { config, explain }: Loaded, env: Environment) {
  const capabilities = asSupervised(own, env);
  const keys = [
    ...unmeasurable(capabilities, config.budget).map((name) => `budget.${name}`),
    ...unmeasurable(capabilities, config.limits.perTodo).map((name) => `budget.perTodo.${name}`),
  ];
  return keys.map((key) => ({ key, layer: explain.find((one) => one.key === key)?.layer }));
}

/** The process that started the host can start it again, in a session that knows nothing yet. */
function renewedOutside(host: Host, { TILDONE_SUPERVISED, TILDONE_DRIVER }: Environment): Host {
  const isSupervised = (TILDONE_SUPERVISED ?? TILDONE_DRIVER) !== undefined;
  if (!isSupervised || host.capabilities.renews !== "never" || host.capabilities.boundary === "none") return host;
  return { ...host, capabilities: { ...host.capabilities, renews: "process" } };
}

/** The supervisor that started the host sees what it uses, and ends it. */
function asSupervised(own: Capabilities, { TILDONE_SUPERVISED: sees }: Environment): Capabilities {
  if (!sees || own.sees.usage === true) return own;
  return { ...own, sees: { ...own.sees, usage: sees === "tokens and cost" ? true : "tokens" } };
}

/** As the run and the agent are told of it; the name is ours, not the project's. */
const asDropped = ({ source, line, ...warning }: ConfigWarning): DroppedFile => ({
  file: warning.code === "foreign" ? ".tildone" : `.tildone/${basename(source)}`,
  line,
  says: warning.says.slice(0, LONGEST_SAYING),
});

const LONGEST_SAYING = 600;

const asWarning =
  (host: string) =>
  ([name, says]: ReturnType<typeof keptInPart>[number]): ConfigWarning => ({
    code: "kept_in_part",
    source: host,
    key: `budget.${name}`,
    says,
  });

/** New conversations are asked for, and this host cannot begin one. */
const unrenewed = ({ name, capabilities }: Host, { limits }: Config): readonly ConfigWarning[] =>
  capabilities.renews !== "never" || limits.context.mode === "same"
    ? []
    : [
        {
          code: "kept_in_part",
          source: name,
          key: "continuation.context",
          says: `has no effect here: ${name} cannot start a new conversation by itself. \`tildone run --host ${name}\` can.`,
        },
      ];

const sayUnmeasurable = (name: string, host: string): string =>
  `${name} cannot be enforced on ${host}: it does not say what a turn used. Remove the limit, or limit continuations or minutes instead.`;

function lazyWorkspace(clock: Clock, env: Environment, cacheDirectory: string): Workspace {
  let made: Promise<Workspace> | undefined;
  return {
    observe: async (cwd) => {
      made ??= import("../checks/workspace/index.ts").then(({ createWorkspace }) =>
        createWorkspace({ clock, env, cacheDirectory }),
      );
      return (await made).observe(cwd);
    },
  };
}

function lazyChecks(parts: ChecksParts) {
  let made: Promise<Checks> | undefined;
  const checks = () => {
    made ??= checksFor(parts);
    return made;
  };
  return {
    run: async (round, signal) => (await checks()).run(round, signal),
    begin: async (place) => {
      // A run without checks of yours and without any that may run has nothing to be judged by.
      const { run, allow } = parts.config.checks;
      if (run.length + allow.length > 0) await (await checks()).begin?.(place);
    },
    guard: async (request) => (await checks()).guard(request),
    first: async (request, signal) => (await checks()).first?.(request, signal),
  } satisfies Checks;
}
