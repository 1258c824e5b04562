/**
 * Work runs in one process with its tests, where it can end them all as passed, or replace what they are run and compared with. These are
 * words with which that is done. They are no evidence, only a reason to look closer: programs exit, too.
 */
const WORDS: readonly (readonly [files: RegExp, words: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$|\.vue$|\.svelte$/,
    /\b_?exit\b|reallyExit|\bexitCode\b|\bprocess\s*(?:\.\s*(?:kill|abort|on|once|emit|binding)\b|\[)|["'](?:node:)?(?:assert|test|process)(?:\/\w+)?["']|["'](?:vitest|chai|expect|mocha|bun:test|@?jest[\w/-]*|@vitest\/\w+)["']|\$\$jest|\b(?:globalThis|global)\s*(?:\.\s*(?:test|it|describe|expect|assert|process)\b|\[)|\bassert\s*\.\s*\w+\s*=(?!=)|\b(?:Assertion|Function|Object|Promise|Error|TestContext|Test)\.prototype\b/,
  ],
  [
    /\.py$/,
    /\b_?exit\b|\bquit\b|\bSystemExit\b|\batexit\b|\bos\s*\.\s*(?:exec|abort|kill)|_?\bpytest\b|\b_pytest\b|\bunittest\b|\bsys\s*\.\s*(?:modules|settrace|setprofile)|\bbuiltins?\b|\b__builtins__\b|\b__del__\b|\bctypes\b|\bgetattr\s*\(\s*os\b/,
  ],
  [/\.(?:ba|da|k|z)?sh$/, /\bexit\b|\bexec\b|\btrap\b|\bkill\b|\balias\b|\beval\b|^\s*(?:test|\[)\s*\(\)/m],
  [/\.rs$/, /\bprocess::|\bset_hook\b|\bctor\b|\blibc::|\b_?exit\b/],
];

/** Whether lines that are new in a file of the work say such words. */
export function canMute(path: string, before: string, after: string): boolean {
  const words = WORDS.find(([files]) => files.test(path))?.[1];
  if (!words) return false;
  const old = new Set(before.split("\n"));
  return after.split("\n").some((line) => !old.has(line) && words.test(line));
}
