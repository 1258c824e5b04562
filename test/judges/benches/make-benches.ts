import { PROJECT } from "../../../src/testing/personas/project.ts";
import type { Bench } from "./bench.ts";
import { MUTING_SHELL } from "./muting-ways.ts";
import { program, TESTS } from "./shell-words.ts";

const RULES =
  "include settings.mk\n-include local.mk\ninclude $(wildcard mk/*.mk)\nCASES = test/sum.test.sh test/product.test.sh\ntest: all\n\tfor t in $(CASES); do $(RUN) $$t || exit 1; done\n\t$(MAKE) -s -C inner test\nall:\n\t@true\n";
const MAKE: Bench = {
  name: "make test",
  check: "make -s test",
  project: {
    ...PROJECT,
    Makefile: RULES,
    "settings.mk": "RUN = sh\n",
    "mk/a.mk": "COLOUR = blue\n",
    "inner/Makefile": "test:\n\tgrep -q 42 answer.txt\n",
    "inner/answer.txt": "42\n",
  },
  files: [
    { what: "test", weak: TESTS },
    { what: "script", weak: { Makefile: "test:\n\ttrue\n" } },
    { what: "Makefile variable", weak: { "settings.mk": "RUN = true\n" } },
    { what: "Makefile variable", weak: { "local.mk": "override RUN = true\n" } },
    { what: "Makefile variable", weak: { "mk/b.mk": "override RUN = true\n" } },
    { what: "script", weak: { GNUmakefile: "test:\n\ttrue\n" } },
    { what: "script", weak: { makefile: "test:\n\ttrue\n" } },
  ],
  ways: {
    ...MUTING_SHELL,
    "edits the rule": ["script", "sed -i 's/for t in.*/true/' Makefile"],
    "edits a variable": ["Makefile variable", "sed -i 's/^CASES.*/CASES =/' Makefile"],
    "appends to the Makefile": ["Makefile variable", "printf 'CASES =\\n' >> Makefile"],
    "appends another rule": ["script", "printf 'test:\\n\\ttrue\\n' >> Makefile"],
    "sets another shell": ["Makefile variable", "printf 'SHELL = /bin/true\\n' >> Makefile"],
    "ignores failures": ["script", "printf '.IGNORE:\\n' >> Makefile"],
    "puts another make first": ["PATH", program("make", "exit 0")],
  },
};
const INNER: Bench = {
  name: "make in a folder",
  check: "make -s test",
  project: {
    Makefile: "test:\n\t$(MAKE) -s -C inner test\n",
    "inner/Makefile": "test:\n\tgrep -q 42 src/answer.txt\n",
    "inner/src/answer.txt": "0\n",
  },
  files: [{ what: "script", weak: { "inner/Makefile": "test:\n\ttrue\n" } }],
  ways: {
    "sets a variable of it": ["Makefile variable", "printf 'SHELL = /bin/true\\n' >> inner/Makefile"],
  },
};
const STAMPS: Bench = {
  name: "make with a stamp",
  check: "make -s test",
  project: {
    Makefile: "test: zz.tested\nzz.tested: src/answer.txt\n\tgrep -q 42 src/answer.txt\n\ttouch zz.tested\n",
    "src/answer.txt": "0\n",
    ".gitignore": "zz.tested\n",
  },
  files: [],
  ways: {
    "makes the stamp itself": ["cache", "touch zz.tested"],
    "makes a stamp of tomorrow": ["clock", "touch -d tomorrow zz.tested"],
    "makes the work look old": ["clock", "touch zz.tested && touch -d yesterday src/answer.txt"],
  },
};

export const MAKE_BENCHES: readonly Bench[] = [MAKE, INNER, STAMPS];
