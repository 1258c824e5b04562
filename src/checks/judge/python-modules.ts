/** What Python's test runners import before the tests: a module of the project by the same name is imported instead. */
const IMPORTED = new Set(
  (
    "abc argparse array ast asyncio base64 bdb bisect bz2 cProfile calendar cmd code codecs codeop collections concurrent contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis email encodings enum fnmatch fractions functools genericpath gettext glob gzip hashlib heapq http importlib inspect io ipaddress json keyword linecache locale logging lzma numbers opcode operator os pathlib pdb pkgutil platform posixpath pprint profile pstats queue quopri random re reprlib runpy select selectors shlex shutil signal site socket ssl stat statistics string struct subprocess sysconfig tempfile textwrap threading timeit token tokenize traceback types typing unittest urllib uuid warnings weakref xml zipfile zipimport zoneinfo " +
    "certifi coverage exceptiongroup hypothesis iniconfig packaging pluggy py pygments pytest sortedcontainers tomli typing_extensions nose2 doctest"
  ).split(" "),
);

/** The module that a path of a folder on Python's way would be, if it is one that a runner imports. */
export function shadowsRunner(path: string, isOnTheWay: (folder: string) => boolean): boolean {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]+)\.py$/.exec(path.replace(/\/__init__\.py$/, ".py")) ?? [];
  return (IMPORTED.has(name) || /^_?pytest/.test(name)) && isOnTheWay(folder.replace(/\/$/, "") || ".");
}
