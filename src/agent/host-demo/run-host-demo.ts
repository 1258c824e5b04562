import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { directories, type Environment, type HostName } from "../../config/index.ts";
import type { Whereabouts } from "../../hooks/index.ts";
import { PROFILES, type ScriptedPlace, scriptedHost } from "../../hosts/index.ts";
import { startScriptedModel } from "../../scripted/index.ts";
import { type DemoLine, eventLines, plain } from "../demo/demo-line.ts";
import { SCRIPT, SCRIPT_CHECKED_AT_END } from "../demo/script.ts";
import { createTally } from "../demo/tally.ts";
import { layOut, ONE_BY_ONE, pathWithThisNode, put } from "../demo/workspace.ts";
import type { Outcome } from "../outcome.ts";
import { supervise } from "../supervisor/index.ts";
import { createLogReader } from "./log-reader.ts";
import { createPlayer } from "./player.ts";

export interface HostDemoOptions {
  readonly host: HostName;
  /** Its program, as it was found. */
  readonly program: string;
  /** Of yours only the PATH and the language are used. */
  readonly env: Environment;
  /** Our adapter, for a host that loads it. */
  readonly adapter: string;
  /** Puts our hooks into the temporary home, for a host that calls them. */
  readonly install: (where: Whereabouts) => void;
  readonly out: (line: DemoLine) => void;
  /** A pause before each answer of the model, to watch it. */
  readonly pause: () => Promise<void>;
  readonly keep: boolean;
  readonly stop: AbortSignal;
}

/** The real host with tildone in it, in a temporary home and folder; only the model is a script, on loopback. */
export async function runHostDemo(
  options: HostDemoOptions,
): Promise<{ readonly outcome: Outcome; readonly folder?: string }> {
  const { host, program, out, keep } = options;
  const { title } = PROFILES[host];
  const scripted = await scriptedHost(host);
  const root = mkdtempSync(join(tmpdir(), "tildone-demo-"));
  const [home, tmp] = [join(root, "home"), join(root, "tmp")];
  const project = layOut(root, join(home, ".config/tildone"), scripted.checksAtEnd && ONE_BY_ONE);
  mkdirSync(tmp);
  const tally = createTally();
  const log = createLogReader(directories({ env: {}, home }).database, (event, run) => {
    tally.logged(event.event);
    for (const line of eventLines(event, run)) out(line);
  });
  const model = await startScriptedModel([]);
  try {
    const place: ScriptedPlace = { home, project, tmp, url: model.url, adapter: options.adapter };
    for (const [path, text] of Object.entries(scripted.files(place))) put(join(home, path), text);
    const env = { ...ownEnvironment(options.env, place), ...scripted.env(place) };
    options.install({ env, home, cwd: project });
    model.play(
      createPlayer({
        script: scripted.checksAtEnd ? SCRIPT_CHECKED_AT_END : SCRIPT,
        scripted,
        project,
        tally,
        out,
        todos: log.todos,
        beforeEach: async () => {
          await log.look();
          await options.pause();
        },
      }),
    );
    out(plain(`A small program with three bugs is in ${project}.`));
    out(
      plain(`The model is a script that behaves badly. Everything else is real: ${title}, its tools, files, checks.`),
    );
    out(plain(`${title} (${program}) works in a temporary home and does not see your settings or keys.`));
    out(plain(""));
    const { outcome, run } = await supervise({
      host,
      goal: "Fix this program. Write a list first.",
      cwd: project,
      env,
      home,
      program: [program],
      hostArgs: scripted.args(place),
      onProgress: () => {},
      stop: options.stop,
    });
    await log.look();
    out(plain(""));
    out({ who: "", text: `Result: ${outcome.says}`, tone: outcome.exit === 0 ? "good" : "bad" });
    const checked = scripted.checksAtEnd ? "; tildone ran the checks when all were done" : undefined;
    for (const line of tally.report(run?.plan.todos.length ?? 0, checked)) out(plain(`  - ${line}`));
    return { outcome, ...(keep && { folder: root }) };
  } finally {
    log.close();
    await model.close();
    if (!keep) rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Nothing that names a key, a proxy or a folder of yours. */
function ownEnvironment({ PATH, LANG, LC_ALL }: Environment, { home, tmp }: ScriptedPlace): Environment {
  return {
    PATH: pathWithThisNode(PATH),
    HOME: home,
    TMPDIR: tmp,
    TERM: "dumb",
    USER: basename(home),
    ...(LANG !== undefined && { LANG }),
    ...(LC_ALL !== undefined && { LC_ALL }),
  };
}
