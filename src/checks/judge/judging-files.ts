/** Words that say what a file is for. Whatever else a script is called, one that a check runs by name judges. */
const JUDGES =
  /(?:^|[\W_])(?:tests?|specs?|checks?|verify|validate|lint|ci|e2e|smoke|assert|acceptance|golden)(?:[\W_]|$)/i;
const EXPECTED = /(?:^|[\W_])(?:expect(?:ed|ations?)?|golden|reference|baseline|fixtures?|want(?:ed)?)(?:[\W_]|$)/i;
/** What is built and run is the work itself, unless its name says that it judges. */
const PRODUCT_FOLDER =
  /^(?:.*\/)?(?:src|source|lib|libs|app|apps|bin|cmd|dist|build|out|target|public|server|client|internal|pkg)\//;
const PRODUCT_NAME =
  /(?:^|[\W_])(?:build|compile|bundle|generate|gen|codegen|start|serve|server|dev|main|index|app|cli|program|prog|demo|example|install|setup|deploy|release)(?:[\W_]|$)/i;

const INTERPRETER =
  /^(?:(?:ba|da|z|k)?sh|node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|Rscript|npx|pwsh|\.|source)$/;
const RUNNER =
  /^(?:pytest|py\.test|vitest|jest|mocha|ava|tap|tape|jasmine|bats|rspec|phpunit|playwright|cypress|uvu|nose2|tox)$/;
const COMPARES = /^(?:diff|cmp|comm|grep|egrep|fgrep|jq)$/;
/** Their option is followed by a word of its own. */
const TAKES_WORD = /^(?:-r|--require|--import|--loader|--env-file|-c|-m|-W|-X|--config|--project|--test-reporter)$/;

/** Files and folders of the project by which a command judges, relative to where it runs. */
export function judgingFiles(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  return named(first.replace(/^.*\/node_modules\/\.bin\//, ""), first, rest)
    .filter(isWithin)
    .map(plain);
}

function named(program: string, first: string, rest: readonly string[]): readonly string[] {
  const args = rest.filter((word, at) => !word.startsWith("-") && !TAKES_WORD.test(rest[at - 1] ?? ""));
  const loaded = rest.filter(
    (word, at) => /^(?:-r|--require|--import|--loader|--config|-c)$/.test(rest[at - 1] ?? "") && /[./]/.test(word),
  );
  if (first.includes("/") && program === first) return isJudge(first) ? [first] : [];
  if (RUNNER.test(program) || isTestRun(program, rest)) return [...args.filter(isNarrow), ...loaded];
  if (COMPARES.test(program)) return args.filter((word) => EXPECTED.test(word) || JUDGES.test(word));
  if (program === "." || program === "source") return args.slice(0, 1).filter((word) => JUDGES.test(word));
  if (!INTERPRETER.test(program)) return [];
  return [...args.slice(0, 1).filter(isJudge), ...loaded.filter((word) => !PRODUCT_FOLDER.test(word))];
}

const isTestRun = (program: string, rest: readonly string[]): boolean =>
  (program === "node" && rest.some((word) => word === "--test")) ||
  (/^python[\d.]*$/.test(program) && /^(?:pytest|unittest|nose2|doctest)$/.test(rest[rest.indexOf("-m") + 1] ?? "")) ||
  (/^(?:bun|deno)$/.test(program) && rest[0] === "test") ||
  (program === "npx" && RUNNER.test(rest.find((word) => !word.startsWith("-")) ?? ""));

const isJudge = (script: string): boolean =>
  JUDGES.test(script) || !(PRODUCT_FOLDER.test(plain(script)) || PRODUCT_NAME.test(script.replace(/^.*\//, "")));

/** A folder of the work is not the judge because its tests are looked for in it. */
const isNarrow = (word: string): boolean =>
  /[./]|^tests?$|^specs?$/.test(word) &&
  !/^\.{1,3}\/?$/.test(word) &&
  (JUDGES.test(word) || !PRODUCT_FOLDER.test(`${plain(word)}/`));

const isWithin = (path: string): boolean =>
  !path.startsWith("/") && !path.split("/").includes("..") && !/[$*?`]/.test(path);

const plain = (path: string): string => path.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
