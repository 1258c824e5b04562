// The command line: what a command loads is three files or four, not a module for each source file.
import { type Bundled, bundle, refuseCircles } from "./bundle.ts";

const FILES = {
  // What help needs, and every command.
  start:
    /src\/(cli\/(command|command-groups|commands|help|io|parse|style|system-error|terminal-safe|version|wrap)\.ts|core\/(reason\/|secret\/private-variables|text\/)|machine\/(attempt|builtins|is-hang-up-ignored|lineage)\.ts)|get-east-asian-width/,
  // What is said in a host: a screen asks it what hooks can do there.
  dialects:
    /src\/(hooks\/(payload|capabilities|common-answers|native-item|stop-failure|reads-as|tools|plain-api-error)\.ts|core\/(words\/guidance|workflow\/never-gated)\.ts)/,
  // What reads runs and settings.
  look: /src\/(cli\/(config-warnings|fleet\/up-file|home|json|pick-run|screen-facts|settings-env|show-asks|show-run)|config\/(?!change-config|config-schema|describe-config)|core\/(call|checkpoint\/(changes|choose-undo|work)|continuation\/(checks|finish|limits|step)|glob|plan|run\/(?!read-failure)|secret|shell|speaker|todo\/(duration|evolve|limits|mark|needs|next|refusal|todo\.|trivial|view)|view|words\/first|workflow\/(definition|evolve|path|progress|read-forest|state))|drivers|engine\/(card|is-working|open-run|read-log|reader)|hosts\/ends-no-turn|machine|store\/(?!bun-driver))/,
  // What tells a whole run.
  report: /src\/core\/report\//,
  // What changes one.
  steer:
    /src\/(core|engine|compose\/(allows-check|barrier-client|checkpoints-for|checks-for|first-run-id|open-tildone|run-id|spoken-in|stay-awake|tell-run|undo-run|wake-sender))/,
};

/** What a file above may load first; more would make every command that looks load what changes runs. */
const MAY_LOAD: Readonly<Record<string, RegExp>> = {
  "start.js": /^$/,
  "dialects.js": /^start/,
  "look.js": /^start/,
  "report.js": /^(start|look)/,
};

/** Its files lie beside each other: `../..` is the package from each of them, as it is from `src/<room>`. */
export async function bundleCli(out: string): Promise<Bundled> {
  const bundled = await bundle({ index: "src/cli/index.ts" }, out, { files: FILES });
  for (const [file, allowed] of Object.entries(MAY_LOAD))
    for (const needed of bundled.get(file)!.first.filter((name) => !allowed.test(name) && !/^_?rolldown/.test(name)))
      throw new Error(`${file} begins with ${needed}: name the module it needs in ${import.meta.filename}.`);
  refuseCircles(bundled, import.meta.filename);
  return bundled;
}
