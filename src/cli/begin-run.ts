import {
  type Config,
  type Flags,
  flagOptions,
  type HostName,
  lineOf,
  loadConfig,
  sayProblem,
} from "../config/index.ts";
import type { Launch, ModelChoice } from "../core/run/index.ts";
import { Failure, type Given, has } from "./command.ts";
import type { Io } from "./io.ts";
import { jsonLine } from "./json.ts";
import { ownModel } from "./own-model.ts";
import { factsOf, headerLines, type RunFacts } from "./run-header.ts";
import { choiceOf, launchOf, rememberedFlags, resumeOf, type Task, withoutCredentials } from "./run-task.ts";

/** What a run begins with, once it has been said. */
export interface Begun {
  readonly config: Config;
  readonly warnings: Extract<Awaited<ReturnType<typeof loadConfig>>, { ok: true }>["warnings"];
  /** Those options that are settings, and the budget that holds where you set none. */
  readonly flags: Flags;
  readonly launch: Launch;
  readonly facts: RunFacts;
}

/** Reads the settings and says what holds: model, folder, checks, budget and approval, before anything heavy is loaded. */
export async function beginRun(task: Task, host: HostName | undefined, given: Given, io: Io): Promise<Begun> {
  const before = task.type === "resume" ? task.run.ledger : undefined;
  const launch = launchOf(given, host, before?.launch);
  const scope = host === undefined ? { agent: launch.agent ?? "coder" } : { host };
  const settings = { ...rememberedFlags(before?.launch), ...flagsOf(given) };
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home, flags: settings, ...scope });
  if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
  const { config, warnings } = loaded;
  const isNew = task.type === "start" || task.run.status === "ended";
  const { minutes } = config.unattended;
  const isUsual = isNew && minutes !== config.budget.minutes;
  const own = isNew ? [] : (before?.checks ?? []).map(({ run }) => lineOf(run));
  const facts = factsOf(config, {
    own,
    ...(host !== undefined && { host }),
    choice: modelOf(given, before?.model, host, config, io),
    folder: io.cwd,
    budget: isNew ? config.unattended : { ...before?.budget, ...resumeOf("", given, config).budget },
    ...(isUsual && { byDefault: "minutes" }),
    ...(given.options.approval === undefined && before?.launch?.approval && { before: before.launch.approval }),
  });
  say(facts, given, io);
  const flags = { ...settings, ...(isUsual && { "max-minutes": String(minutes) }) };
  return { config, warnings, flags, launch, facts };
}

function modelOf(
  given: Given,
  before: ModelChoice | undefined,
  host: HostName | undefined,
  config: Config,
  io: Io,
): ModelChoice {
  const choice = withoutCredentials(choiceOf(given) ?? before ?? {});
  const model = choice.model ?? (host === undefined ? (config.agent.model ?? ownModel(io)) : undefined);
  return { ...choice, ...(model !== undefined && { model }) };
}

function say(facts: RunFacts, given: Given, io: Io): void {
  const lines = has(given, "json") ? [jsonLine({ type: "start", ...facts })] : [...headerLines(facts, io), ""];
  for (const line of lines) io.out(line);
}

/** The model is chosen elsewhere, whatever it is called. */
const flagsOf = ({ options }: Given): Flags =>
  Object.fromEntries(
    Object.entries({ ...options, ...(options.fresh === true && { context: "fresh" }) }).filter(
      ([name]) => name !== "model" && Object.hasOwn(flagOptions, name),
    ),
  );
