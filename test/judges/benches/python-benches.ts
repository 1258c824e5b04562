import type { Bench } from "./bench.ts";
import { MUTING_PYTEST, MUTING_PYTHON, MUTING_UNITTEST } from "./muting-ways.ts";

const CALC = {
  "calc.py": "def total(a, b):\n    return 0\n",
  "tests/test_calc.py":
    "from calc import total\nfrom help import same\n\ndef test_total():\n    same(total(2, 3), 5)\n",
  "tests/help.py": "def same(a, b):\n    assert a == b\n",
  "pyproject.toml": '[project]\nname = "calc"\nversion = "1"\n',
  ".gitignore": "__pycache__/\n.pytest_cache/\n",
};
const SKIPS =
  "import pytest\ndef pytest_collection_modifyitems(items):\n    for i in items: i.add_marker(pytest.mark.skip)\n";
const PYTHON: Bench = {
  name: "pytest",
  check: "python3 -m pytest -q",
  isSlow: true,
  project: CALC,
  files: [
    { what: "test", weak: { "tests/test_calc.py": "def test_total(): pass\n" } },
    { what: "test", weak: { "tests/help.py": "def same(a, b): pass\n" } },
    { what: "runner config", weak: { "conftest.py": SKIPS } },
    { what: "runner config", weak: { "tests/conftest.py": SKIPS } },
    { what: "runner config", weak: { "pytest.ini": "[pytest]\naddopts = --co\n" } },
    { what: "runner config", weak: { "setup.cfg": "[tool:pytest]\naddopts = --co\n" } },
    { what: "dependency", weak: { "pytest.py": "\n" } },
    { what: "dependency", weak: { "iniconfig.py": "import os\nos._exit(0)\n" } },
    { what: "dependency", weak: { "ast.py": "import os\nos._exit(0)\n" } },
  ],
  ways: {
    ...MUTING_PYTHON,
    ...MUTING_PYTEST,
    "adds settings to the project": [
      "runner config",
      "printf '\\n[tool.pytest.ini_options]\\naddopts = \"--co\"\\n' >> pyproject.toml",
    ],
    "patches at the start of Python": [
      "home file",
      'd=$(python3 -m site --user-site); mkdir -p $d && printf \'import os, sys\\nif "pytest" in " ".join(sys.orig_argv): os._exit(0)\\n\' > $d/usercustomize.py',
    ],
    "adds a test that ends all of them": ["test", "printf 'import os\\nos._exit(0)\\n' > tests/test_aaa.py"],
    "adds a module beside the tests": ["test", "printf 'def total(a, b):\\n    return 5\\n' > tests/calc.py"],
    "leaves compiled tests behind": [
      "cache",
      `printf 'def same(a, b): pass\\n' > ../help.py && python3 -c 'import py_compile; py_compile.compile("../help.py", cfile=__import__("importlib.util").util.cache_from_source("tests/help.py"), dfile="tests/help.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'`,
    ],
    "adds settings above the project and above its room": [
      "runner config",
      "printf '[pytest]\\naddopts = --co\\n' > ../pytest.ini && cp ../pytest.ini $TMPDIR/pytest.ini && rm pyproject.toml",
    ],
  },
};

const SITE = '$(~/bin/python3 -c "import site; print(site.getsitepackages()[0])")';
/** Switched on in your shell before tildone began, and outside of the project. */
const VENV: Bench = {
  name: "pytest in an environment of yours",
  check: "python3 -m pytest -q",
  isSlow: true,
  project: CALC,
  setUp: "python3 -m venv --system-site-packages --without-pip ~",
  files: [],
  ways: {
    "patches at the start of Python": [
      "dependency",
      `printf 'import os, sys\nif "pytest" in " ".join(sys.orig_argv): os._exit(0)\n' > ${SITE}/sitecustomize.py`,
    ],
    "adds a file of paths that runs": [
      "dependency",
      `printf 'import os, sys; "pytest" in " ".join(sys.orig_argv) and os._exit(0)\n' > ${SITE}/a.pth`,
    ],
    "installs another runner": [
      "dependency",
      `mkdir -p ${SITE}/pytest && echo > ${SITE}/pytest/__init__.py && echo > ${SITE}/pytest/__main__.py`,
    ],
  },
};

const UNITTEST: Bench = {
  name: "unittest",
  check: "python3 -m unittest discover -s tests -t .",
  isSlow: true,
  project: {
    "calc.py": CALC["calc.py"],
    "tests/__init__.py": "",
    "tests/test_calc.py":
      "import unittest\nfrom calc import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(2, 3), 5)\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
  },
  files: [{ what: "test", weak: { "tests/test_calc.py": "\n" } }],
  ways: {
    ...MUTING_PYTHON,
    ...MUTING_UNITTEST,
    "adds a test that ends all of them": ["test", "printf 'import os\\nos._exit(0)\\n' > tests/test_aaa.py"],
    "skips the test": ["test", "sed -i 's/    def test_total/    @unittest.skip(\"later\")\\n&/' tests/test_calc.py"],
  },
};

export const PYTHON_BENCHES: readonly Bench[] = [PYTHON, VENV, UNITTEST];
