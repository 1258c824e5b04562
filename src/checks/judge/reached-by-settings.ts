import { asText, type Entries, type Entry } from "../snapshot/index.ts";
import { inside } from "./definition.ts";
import { dependenciesOf, isRunnerSettings } from "./shadows.ts";

const MOST_SETTINGS = 50;
const PREPARES = /setup|teardown|test|spec|mock|reporter|environment|resolver|runner|prepare|fixture/i;
const PRODUCT = /^(?:.*\/)?(?:src|source|lib|libs|app|apps|dist|build|out|public|server|client|internal|pkg)\//;
const ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

/** Files that the settings of runners name: what prepares tests, reports or resolves for them. A folder of the work is the work. */
export async function reachedBySettings(
  old: Entries,
  read: (entry: Entry) => Promise<Buffer | undefined>,
): Promise<ReadonlySet<string>> {
  const reached = new Set<string>();
  const settings = [...old].filter(([path]) => isSettings(asText(path))).slice(0, MOST_SETTINGS);
  for (const [bytes, entry] of settings) {
    const path = asText(bytes);
    const folder = path.includes("/") ? path.replace(/\/[^/]*$/, "") : ".";
    const text = (await read(entry))?.toString("utf8") ?? "";
    for (const name of namesIn(path, text))
      for (const ending of ENDINGS) {
        const file = inside(folder, `${name}${ending}`);
        if (old.has(Buffer.from(file).toString("latin1")) && isOfJudge(file)) reached.add(file);
      }
  }
  return reached;
}

const isSettings = (path: string): boolean => isRunnerSettings(path) && dependenciesOf(path) === undefined;
const isOfJudge = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|json|py)$/.test(path) &&
  !path.endsWith("package.json") &&
  (PREPARES.test(path.replace(/^.*\//, "")) || !PRODUCT.test(path));

function namesIn(path: string, text: string): readonly string[] {
  if (/\.(?:py|ini|cfg)$/.test(path)) return modulesIn(text).map((name) => `${name.replaceAll(".", "/")}.py`);
  return [...text.matchAll(/["'`](?:<rootDir>\/)?((?:\.{1,2}\/)?[\w@./-]+)["'`]/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name.includes("/") || /\.[cm]?[jt]s$/.test(name));
}

/** Plugins of pytest. */
function modulesIn(text: string): readonly string[] {
  const listed = /pytest_plugins\s*=\s*([^\n]*(?:\n[^\n\])]*)*)/.exec(text)?.[1] ?? "";
  return [
    ...[...listed.matchAll(/["']([\w.]+)["']/g)].map(([, name = ""]) => name),
    ...[...text.matchAll(/-p[ =]([\w.]+)/g)].map(([, name = ""]) => name),
  ];
}
