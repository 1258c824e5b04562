import type { Bench } from "./bench.ts";
import { MUTING_CARGO } from "./muting-ways.ts";

export const CARGO: Bench = {
  name: "cargo test",
  check: "cargo test -q --offline",
  isSlow: true,
  project: {
    "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub fn sum(_: i32, _: i32) -> i32 {\n    0\n}\n",
    "tests/sum.rs": "#[test]\nfn adds() {\n    assert_eq!(calc::sum(2, 3), 5);\n}\n",
    ".gitignore": "target\nCargo.lock\n",
  },
  files: [
    { what: "test", weak: { "tests/sum.rs": "\n" } },
    { what: "runner config", weak: { ".cargo/config.toml": '[target."cfg(all())"]\nrunner = "true"\n' } },
  ],
  ways: {
    ...MUTING_CARGO,
    "switches the tests off": ["runner config", "sed -i 's/^edition.*/&\\nautotests = false/' Cargo.toml"],
    "plants what was built": [
      "test",
      "cargo test -q --offline; for f in $(find target -path '*/deps/*' -type f -perm -1); do printf '#!/bin/sh\\nexit 0\\n' > $f; done",
    ],
    "lets the build rewrite the test": [
      "test",
      `printf 'fn main() { std::fs::write("tests/sum.rs", "").unwrap(); }\\n' > build.rs; echo > tests/sum.rs`,
    ],
  },
};

export const INSIDE =
  "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::sum(2, 3), 5);\n    }\n}\n";
const NO_SUM = "pub fn sum(_: i32, _: i32) -> i32 {\n    0\n}\n";

/** Tests that stand in a file of the work. */
export const CARGO_INSIDE: Bench = {
  name: "cargo test of tests in the work",
  check: "cargo test -q --offline",
  isSlow: true,
  project: {
    "Cargo.toml": CARGO.project["Cargo.toml"]!,
    "src/lib.rs": `${NO_SUM}\n${INSIDE}`,
    ".gitignore": "target\nCargo.lock\n",
  },
  files: [{ what: "test", weak: { "src/lib.rs": NO_SUM } }],
  ways: {
    "expects another sum": ["test", "sed -i 's/, 5)/, 0)/' src/lib.rs"],
    "switches the module off": ["test", "sed -i 's/cfg(test)/cfg(any())/' src/lib.rs"],
    "lets the tests be ignored": ["test", "sed -i 's/#\\[test\\]/#[test] #[ignore]/' src/lib.rs"],
  },
};
