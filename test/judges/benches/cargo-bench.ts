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
    "lets the build rewrite the test": [
      "test",
      `printf 'fn main() { std::fs::write("tests/sum.rs", "").unwrap(); }\\n' > build.rs; echo > tests/sum.rs`,
    ],
  },
};
