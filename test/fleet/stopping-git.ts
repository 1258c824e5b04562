// A git that stands still at a moment that the test names: there is then time to kill or freeze its machine exactly there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Moment = keyof typeof MOMENTS;

const MOMENTS = {
  "after the commit": ["after", "*' commit-tree '*"],
  "after the push": ["after", "*' push '*:refs/tildone/fleet/*"],
  "before publishing": ["before", "*' push '*:refs/heads/tildone/*"],
} as const;

export function stoppingGit(home: string) {
  const folder = join(home, "stopping");
  mkdirSync(folder, { recursive: true });
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(folder, "git"), scriptOf(folder, real), { mode: 0o755 });
  return {
    /** For the environment of the machine. */
    PATH: `${folder}:${process.env.PATH}`,
    /** The next time: gives whether it stands there by now. */
    stopAt: (moment: Moment): (() => boolean) => {
      const { wanted, there } = flags(moment);
      writeFileSync(wanted, "");
      return () => existsSync(there);
    },
    letGo: (moment: Moment): void => {
      for (const file of Object.values(flags(moment))) rmSync(file, { force: true });
    },
  };

  function flags(moment: Moment) {
    const name = join(folder, moment.replaceAll(" ", "-"));
    return { wanted: `${name}.wanted`, there: `${name}.there` };
  }
}

function scriptOf(folder: string, real: string): string {
  const cases = (when: "before" | "after") =>
    Object.entries(MOMENTS)
      .filter(([, [at]]) => at === when)
      .map(([moment, [, shape]]) => `${shape}) stand ${moment.replaceAll(" ", "-")};;`)
      .join(" ");
  return `#!/bin/sh
stand() {
  mv "${folder}/$1.wanted" "${folder}/$1.there" 2>/dev/null || return 0
  while [ -e "${folder}/$1.there" ]; do sleep 0.1; done
}
case " $* " in ${cases("before")} esac
"${real}" "$@"
code=$?
case " $* " in ${cases("after")} esac
exit $code
`;
}
