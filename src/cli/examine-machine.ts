import { statSync } from "node:fs";
import { directories, isDropped, loadConfig, sayProblem, sayWarning } from "../config/index.ts";
import { bytes } from "../core/text/index.ts";
import { type Finding, fix, note, ok } from "../hooks/index.ts";
import type { Io } from "./io.ts";
import { needsPi } from "./needs-pi.ts";

/** What every host needs: a Node, a log that can be written, settings that can be read, and that it is not switched off. */
export async function examineMachine(io: Io): Promise<readonly Finding[]> {
  const { database } = directories(io);
  const { tryStore } = await import("../store/index.ts");
  const problem = await tryStore(database);
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  return [
    ok(`Node ${process.versions.node}`),
    problem === undefined
      ? ok(`the log can be written: ${database} (${bytes(size)})`)
      : fix(`No run can be recorded, and hooks do nothing. ${problem}`),
    ...(loaded.ok
      ? loaded.warnings.filter(isDropped).map((warning) => fix(sayWarning(warning)))
      : [fix(`Hooks do nothing: ${loaded.errors.map(sayProblem).join(" ")}`)]),
    ...(io.env.TILDONE_OFF ? [fix("TILDONE_OFF is set: tildone does nothing. Unset it")] : []),
  ];
}

/** The standalone agent: pi's packages, and which providers have a key. Names only. */
export async function examineAgent(): Promise<readonly Finding[]> {
  try {
    const { modelAccess } = await needsPi(() => import("../agent/index.ts"));
    const access = await modelAccess();
    return [
      ok("pi's packages are here: tildone, tildone run and tildone demo work"),
      access.length === 0
        ? note(NO_KEYS)
        : ok(`keys: ${access.map(({ provider, from }) => `${provider} (${from})`).join(", ")}`),
    ];
  } catch (error) {
    return [note(`tildone run and tildone without a host do not work: ${(error as Error).message}`)];
  }
}

const NO_KEYS =
  "no key found. Set one (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, ...), type /login in tildone, or use --base-url and --model. Hosts have keys of their own";
