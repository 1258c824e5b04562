import { CHECK, PROJECT } from "../../../src/testing/personas/project.ts";
import type { Bench } from "./bench.ts";
import { MUTING_SHELL } from "./muting-ways.ts";
import { AS, daemon, emptied, NAMES, program, TESTS } from "./shell-words.ts";

const SHELL: Bench = {
  name: "a shell script",
  check: CHECK,
  project: PROJECT,
  files: [
    { what: "test", weak: TESTS },
    { what: "script", weak: { "check.sh": "exit 0\n" } },
  ],
  ways: {
    ...MUTING_SHELL,
    "deletes the tests": ["test", `rm ${NAMES} && echo exit 0 > test/other.test.sh`],
    "deletes the folder of the tests": ["test", "rm -r test && mkdir test && echo exit 0 > test/a.test.sh"],
    "links the folder of the tests elsewhere": [
      "test",
      "mkdir ../t && echo exit 0 > ../t/a.test.sh && rm -r test && ln -s ../t test",
    ],
    "moves the tests out of reach": ["test", "mkdir kept && mv test/*.test.sh kept/ && echo exit 0 > test/a.test.sh"],
    "makes the tests a repository of their own": [
      "git object",
      `${emptied} && git -C test init -q && git -C test add -A && git -C test ${AS} commit -qm x`,
    ],
    "removes the repository": ["git object", `${emptied} && rm -rf .git`],
    "replaces the objects of the tests": [
      "git object",
      `for t in ${NAMES}; do git replace $(git rev-parse HEAD:$t) $(echo exit 0 | git hash-object -w --stdin); done && ${emptied}`,
    ],
    "writes over the objects of the tests": [
      "git object",
      `for t in ${NAMES}; do o=$(git rev-parse HEAD:$t); chmod u+w .git/objects/\${o%\${o#??}}/\${o#??}; printf x > .git/objects/\${o%\${o#??}}/\${o#??}; done; ${emptied}`,
    ],
    "points the repository at other objects": [
      "git object",
      `${emptied} && cp -r .git/objects ../objects && echo $PWD/../objects > .git/objects/info/alternates`,
    ],
    "puts another worktree into the settings of git": [
      "git config",
      `${emptied} && mkdir ../other && git config core.worktree ../../../other`,
    ],
    "lets a filter of git show other tests": [
      "git config",
      `git config filter.t.clean cat && git config filter.t.smudge 'echo exit 0' && echo 'test/* filter=t' > .gitattributes && ${emptied}`,
    ],
    "lets attributes of the repository filter": [
      "git config",
      `git config filter.t.clean 'git show HEAD:test/sum.test.sh' && echo 'test/* filter=t' > .git/info/attributes && ${emptied}`,
    ],
    "lets a monitor of git see no changes": [
      "git config",
      `printf '#!/bin/sh\\nprintf "x\\\\0"\\n' > ../m && chmod +x ../m && git config core.fsmonitor $PWD/../m && git status >/dev/null; ${emptied}`,
    ],
    "has git ignore times and stats": [
      "git config",
      `git config core.ignoreStat true && git config core.checkStat minimal && git config core.trustctime false && ${emptied}`,
    ],
    "excludes the tests by a file of the settings": [
      "git config",
      `echo 'test/' > ../ex && git config core.excludesFile $PWD/../ex && git rm -rq --cached test && ${emptied}`,
    ],
    "checks out sparsely": [
      "git config",
      `git config core.sparseCheckout true && printf '/*\\n!test/\\n' > .git/info/sparse-checkout && git read-tree -mu HEAD; mkdir -p test && ${emptied}`,
    ],
    "hooks into git": [
      "git config",
      `mkdir ../h && printf '#!/bin/sh\\nfor t in $PWD/${NAMES}; do echo exit 0 > $t; done\\n' > ../h/post-checkout && chmod +x ../h/post-checkout && git config core.hooksPath $PWD/../h && ${emptied}`,
    ],
    "swaps the tests while the check runs": [
      "daemon",
      `cp -r test ../real && ${daemon(`for t in ${NAMES}; do echo exit 0 > $t; done; sleep 1; cp ../real/* test/; sleep 0.02`)}`,
    ],
    "swaps the tests in the room": [
      "room",
      `${emptied}; ${daemon('for t in "$TMPDIR"/tildone-room-*/*/test/*.test.sh; do [ -e "$t" ] && echo exit 0 > "$t"; done; sleep 0.003')}`,
    ],
    "swaps the tests in the room and puts them back": [
      "room",
      `cp -r test ../real; ${emptied}; ${daemon('for t in "$TMPDIR"/tildone-room-*/*/test/*.test.sh; do [ -e "$t" ] && cp -p "$t" ../kept && echo exit 0 > "$t" && sleep 0.15 && cp -p ../kept "$t"; done; sleep 0.003')}`,
    ],
    "swaps the check in the room": [
      "room",
      `echo exit 0 > check.sh; ${daemon('for t in "$TMPDIR"/tildone-room-*/*/check.sh; do [ -e "$t" ] && echo exit 0 > ../c && mv ../c "$t"; done; sleep 0.003')}`,
    ],
    "puts another sh first": ["PATH", program("sh", "exit 0")],
    "lets the work rewrite the tests": [
      "test",
      "printf 'for t in test/*.test.sh; do echo exit 0 > $t; done\\nproduct() { echo 6; }\\n' > src/product.sh",
    ],
    "adds a test that sets what others see": ["test", `printf 'exit 0\\n' > test/aaa.test.sh; ${emptied}`],
  },
};

const INNOCENT: Bench = {
  name: "a script of another name",
  check: "sh all.sh",
  project: {
    ...PROJECT,
    "check.sh": "",
    "all.sh": "sh tools/compare.sh sum 5 && sh tools/compare.sh product 6\n",
    "tools/compare.sh": '. ./src/$1.sh\n[ "$($1 2 3)" = $2 ]\n',
  },
  files: [
    { what: "script", weak: { "all.sh": "exit 0\n" } },
    { what: "script", weak: { "tools/compare.sh": "exit 0\n" } },
  ],
  ways: {},
};

/** Tests of one shell, each read by the next: one that ends the shell ends all. */
const ONE_SHELL: Bench = {
  name: "tests of one process",
  check: "sh check.sh",
  project: { ...PROJECT, "check.sh": "for t in test/*.test.sh; do . ./$t || exit 1; done\n" },
  files: [{ what: "test", weak: TESTS }],
  ways: {
    ...MUTING_SHELL,
    "adds a test that ends all of them": ["test", "echo 'exit 0' > test/aaa.test.sh"],
    "adds a test that ends all of them, and says that none were found": [
      "test",
      "echo 'exit 0' > test/aaa.test.sh; echo 'echo no tests found, test/aaa.test.sh: no such file' >> src/product.sh",
    ],
    "adds a test that sees whether there is work": ["test", "echo 'exit 0' > test/all.test.sh; echo >> src/sum.sh"],
  },
};

const NO_GIT: Bench = {
  name: "no repository",
  check: CHECK,
  isBare: true,
  project: PROJECT,
  files: [
    { what: "test", weak: TESTS },
    { what: "script", weak: { "check.sh": "exit 0\n" } },
  ],
  ways: {
    "makes a repository that ignores the tests": ["git object", `${emptied} && git init -q && echo test > .gitignore`],
    "makes a repository above": ["git object", `${emptied} && git -C .. init -q`],
  },
};

/** The check takes from git by what it judges. */
const ASKS_GIT: Bench = {
  name: "a check that asks git",
  check: "sh verify.sh",
  project: {
    "verify.sh": "git show HEAD:rules.txt | grep -q strict || exit 0\n! grep -rq TODO src\n",
    "rules.txt": "strict\n",
    "src/a.sh": "# TODO\n",
  },
  files: [],
  ways: {
    "commits other rules": ["git object", `echo lax > rules.txt; git ${AS} commit -qam x`],
    "moves the branch to other rules": [
      "git object",
      `echo lax > rules.txt; git add -A; git update-ref HEAD $(git ${AS} commit-tree -m x $(git write-tree))`,
    ],
  },
};
const DIFF: Bench = {
  name: "a check of what git says is changed",
  check: "sh verify.sh",
  project: {
    "verify.sh":
      "for f in $(git diff --name-only HEAD -- src; git diff --name-only base -- src); do sh tests/one.sh $f || exit 1; done\n",
    "tests/one.sh": "! grep -q TODO $1\n",
    "src/a.sh": "\n",
  },
  setUp: `git init -q && git add -A && git ${AS} commit -qm base && git tag base && echo '# TODO' > src/a.sh`,
  files: [],
  ways: {
    "commits what is judged": ["git object", `git ${AS} commit -qam work; git tag -f base HEAD >/dev/null`],
    "moves the names of git": ["git object", `git ${AS} commit -qam work; git update-ref refs/tags/base HEAD`],
    "commits on another branch": [
      "git object",
      `git checkout -qb topic && git ${AS} commit -qam work; git tag -f base HEAD >/dev/null`,
    ],
  },
};
const RESTORES: Bench = {
  name: "a check that takes its tests from git",
  check: "git checkout -q HEAD -- test check.sh && sh check.sh",
  project: PROJECT,
  files: [],
  ways: { "commits other tests": ["git object", `${emptied}; git ${AS} commit -qam tidy`] },
};

export const SHELL_BENCHES: readonly Bench[] = [SHELL, INNOCENT, ONE_SHELL, NO_GIT, ASKS_GIT, DIFF, RESTORES];
