import { expect, test } from "vitest";
import { inlineTests, mergeInlineTests } from "./inline-tests.ts";

const WORK = "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n";
const TESTS =
  "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() {\n        assert_eq!(sum(2, 3), 5);\n    }\n}";
const WEAK = "#[cfg(test)]\nmod tests {}";

test.each<[string, string, readonly string[]]>([
  ["a module", `${WORK}\n${TESTS}\n`, ["tests"]],
  ["none", WORK, []],
  ["a test on its own", `${WORK}#[test]\nfn adds() { assert!(true) }\n`, ["adds"]],
  ["other attributes between", "#[cfg(test)]\n#[allow(unused)]\npub(crate) mod deep {\n}\n", ["deep"]],
  ["one for a feature", '#[cfg(all(test, feature = "x"))]\nmod tests { fn a() {} }', ["tests"]],
  ["what is compiled without tests only", "#[cfg(not(test))]\nmod work { fn a() {} }", []],
  ["a module in a file of its own", "#[cfg(test)]\nmod tests;\n", []],
  [
    "braces in strings, comments and characters",
    `#[cfg(test)]\nmod tests { const A: &str = "}"; // }\n const B: char = '}'; const C: &str = r#"}"}"#; /* } */ fn f<'a>(x: &'a str) {} }\n#[cfg(test)]\nmod more {}\n`,
    ["tests", "more"],
  ],
  ["one that never ends", "#[cfg(test)]\nmod tests {\n", ["tests"]],
])("tests inside a file: %s", (_what, text, names) => expect(inlineTests(text).map(({ name }) => name)).toEqual(names));

test.each<[string, string]>([
  ["emptied", `${WORK}\n${WEAK}\n`],
  ["deleted", WORK],
  ["switched off", `${WORK}\n#[cfg(any())]\nmod off {}\n`],
  ["with another expectation", `${WORK}\n${TESTS.replace("5", "0")}\n`],
])("tests that were %s are put back into the work", (_how, after) => {
  const merged = mergeInlineTests(`pub fn sum(_: i32, _: i32) -> i32 {\n    0\n}\n\n${TESTS}\n`, after);
  expect(merged?.changed).toEqual(["tests"]);
  expect(merged?.text).toContain(WORK);
  expect(inlineTests(merged!.text).map(({ text }) => text)).toEqual([TESTS]);
});

test("work beside the same tests and new tests are left alone", () => {
  expect(mergeInlineTests(`old\n${TESTS}\n`, `${WORK}\n${TESTS}\n`)).toBeUndefined();
  expect(mergeInlineTests(WORK, `${WORK}\n${TESTS}\n`)).toBeUndefined();
  const more = TESTS.replace("mod tests", "mod more");
  const merged = mergeInlineTests(`${WORK}\n${TESTS}\n`, `${WORK}\n${more}\n${WEAK}\n`);
  expect(inlineTests(merged!.text).map(({ name }) => name)).toEqual(["more", "tests"]);
});
