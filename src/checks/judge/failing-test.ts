/** An old test, and in it one more that fails: to see whether the work lets a test fail at all. */
export interface FailingTest {
  /** The test as it is, with one more that fails. */
  readonly joined: string;
  /** The one that fails, without the test: it does not load the work. */
  readonly alone: string;
}

const ON_PURPOSE = "tildone: this test fails on purpose";
/** What the one that fails prints. */
const says = (number: number): string => `${ON_PURPOSE} (${number})`;

/** The numbers of those that failed, by what a check printed. */
export const failedOnPurpose = (output: string): ReadonlySet<number> =>
  new Set([...output.matchAll(new RegExp(`${ON_PURPOSE} \\((\\d+)\\)`, "g"))].map(([, number]) => Number(number)));

/**
 * Undefined: how this test fails is not known, or it ends its process itself. The one that fails tries the assertions of the test
 * first, and passes where one of them lets everything pass: replaced by the work, it would let the old tests pass as well.
 */
export function failingTest(path: string, text: string, number: number): FailingTest | undefined {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (!language || language.ends.test(text)) return undefined;
  const more = language.more(path, text, says(number));
  return more === undefined ? undefined : { joined: language.join(text, more), alone: more };
}

/** Whether a helper of tests could end them as passed. */
export const mayEndTests = (path: string, text: string): boolean =>
  LANGUAGES.some(({ files, ends }) => files.test(path) && ends.test(text));

interface Language {
  readonly files: RegExp;
  /** Ends the process as passed, or picks out tests: what stands behind it would not run, and that is no fault of the work. */
  readonly ends: RegExp;
  more(path: string, text: string, message: string): string | undefined;
  join(text: string, more: string): string;
}

const atTheEnd = (text: string, more: string): string => `${text.replace(/\n*$/, "\n")}\n${more}`;
const isNamedAsTest = (path: string): boolean => /(?:^|[\W_])(?:tests?|specs?)[\W_][^/]*$/i.test(`/${path}`);

const LANGUAGES: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    ends: /\bexit\s*\(\s*(?![1-9])|\bexitCode\s*=\s*(?![1-9])|reallyExit|\.only\b|\bonly\s*:/,
    more: inJavaScript,
    join: atTheEnd,
  },
  {
    files: /\.py$/,
    ends: /\b_?exit\s*\(\s*(?![1-9])|\bquit\s*\(|raise\s+SystemExit|\bimportorskip\b|\ballow_module_level\b|^pytestmark\b.*skip/m,
    more: inPython,
    join: (text, more) => {
      const main = /^if __name__ ?==/m.exec(text);
      return main ? `${text.slice(0, main.index)}${more}\n\n${text.slice(main.index)}` : atTheEnd(text, `\n${more}`);
    },
  },
  {
    files: /\.(?:ba|da|k|z)?sh$/,
    ends: /\bexit\b(?!\s+[1-9])|\bexec\b|\breturn\b(?!\s+[1-9])/,
    more: (path, text, message) =>
      isNamedAsTest(path) || /(?:^|[;&|]|\bdo|\bthen)\s*(?:\.|source)\s+\S/m.test(text)
        ? `if [ 1 = 2 ] || test 1 = 2; then exit 0; fi\necho "${message}" >&2\nexit 1\n`
        : undefined,
    join: atTheEnd,
  },
  {
    files: /\.rs$/,
    ends: /process::exit\s*\(\s*(?![1-9])/,
    more: (_path, text, message) =>
      /^\s*#\[test\]/m.test(text)
        ? `#[test]\nfn tildone_fails_on_purpose() {\n    panic!("${message}");\n}\n`
        : undefined,
    join: atTheEnd,
  },
];

/** Modules that a test is written with, and what a failing one takes from them. */
const RUNNERS = /["'](node:test|vitest|@jest\/globals|bun:test)["']/;
const ASSERTS = /["']((?:node:)?assert(?:\/strict)?)["']/;
/** What has to throw. `a` is the module of assertions. */
const FALSE: Readonly<Record<string, string>> = {
  ok: "a.ok(false)",
  equal: "a.equal(1, 2)",
  strictEqual: "a.strictEqual(1, 2)",
  deepEqual: "a.deepEqual([1], [2])",
  deepStrictEqual: "a.deepStrictEqual([1], [2])",
  match: 'a.match("a", /b/)',
  throws: "a.throws(() => {})",
};

function inJavaScript(path: string, text: string, message: string): string | undefined {
  const isModule = /\.m[jt]s$/.test(path) || /^\s*(?:import\s*[\w{*"']|export\s)/m.test(text);
  const take = (name: string, from: string, as: string) => {
    if (name === "default") return isModule ? `import ${as} from "${from}";` : `const ${as} = require("${from}");`;
    const both = isModule ? `${name} as ${as}` : `${name}: ${as}`;
    return isModule ? `import { ${both} } from "${from}";` : `const { ${both} } = require("${from}");`;
  };
  const runner = RUNNERS.exec(text)?.[1];
  const asserts = ASSERTS.exec(text)?.[1];
  const usesGlobals = runner === undefined && /(?:^|\s)(?:test|it|describe)\s*\(/m.test(text);
  if (runner === undefined && !usesGlobals && !isNamedAsTest(path)) return undefined;
  const expects = /\bexpect\s*\(/.test(text) && !/["'](?:chai|expect)["']/.test(text) && runner !== "node:test";
  const takes = [
    ...(runner === undefined ? [] : [take("test", runner, "tildoneTest")]),
    ...(expects && runner !== undefined ? [take("expect", runner, "tildoneExpect")] : []),
    ...(asserts === undefined ? [] : [take("default", asserts, "tildoneAssert")]),
  ];
  const wrong = [
    ...(asserts === undefined ? [] : ["a(false)", ...used(text)].map((call) => call.replace(/^a/, "tildoneAssert"))),
    ...(expects
      ? ["(1).toBe(2)", "([1]).toEqual([2])"].map((call) => (runner === undefined ? "expect" : "tildoneExpect") + call)
      : []),
  ];
  const body = [
    ...wrong.map((call) => `{ let isDead = true; try { ${call}; } catch { isDead = false; } if (isDead) return; }`),
    `throw new Error("${message}");`,
  ];
  const fails = `() => {\n${body.map((line) => `  ${line}`).join("\n")}\n}`;
  const call =
    runner !== undefined
      ? `tildoneTest("tildone", ${fails});`
      : usesGlobals
        ? `(typeof test === "function" ? test : it)("tildone", ${fails});`
        : `(${fails})();`;
  return `;${[...takes, call].join("\n")}\n`;
}

const used = (text: string): readonly string[] =>
  Object.entries(FALSE).flatMap(([name, call]) => (new RegExp(`\\b${name}\\b`).test(text) ? [call] : []));

function inPython(path: string, text: string, message: string): string | undefined {
  if (/\bTestCase\b/.test(text))
    return `import unittest as tildone_unittest


class TildoneTest(tildone_unittest.TestCase):
    def test_tildone(self):
        try:
            self.assertEqual(1, 2)
        except AssertionError:
            raise AssertionError("${message}")
`;
  if (/^\s*(?:async )?def test|^class Test/m.test(text))
    return `def test_tildone():\n    raise AssertionError("${message}")\n`;
  return isNamedAsTest(path) ? `raise AssertionError("${message}")\n` : undefined;
}
