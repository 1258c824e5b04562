/** Why this machine cannot confine a command, and what to type about it. */
export interface Obstacle {
  readonly cause: string;
  readonly fix: string;
}

/** What the machine says of itself; undefined where it says nothing. */
export interface KernelFacts {
  /** `user.max_user_namespaces`. */
  readonly mostNamespaces?: number | undefined;
  /** Debian's `kernel.unprivileged_userns_clone`. */
  readonly mayClone?: boolean | undefined;
  /** Ubuntu's `kernel.apparmor_restrict_unprivileged_userns`. */
  readonly appArmorRestricts?: boolean | undefined;
  /** A filter for system calls is in force already: a container's. */
  readonly isFiltered?: boolean | undefined;
}

/** What bubblewrap printed when it failed, read with what the kernel says. The first row that fits speaks. */
export function diagnose(printed: string, facts: KernelFacts): Obstacle {
  const row = OBSTACLES.find(({ fits }) => fits(printed, facts));
  if (row !== undefined) return row;
  const line = printed.split("\n").find((each) => each.trim() !== "") ?? "bubblewrap said nothing";
  return {
    cause: `bubblewrap cannot start a command here (${line.slice(0, 200)})`,
    fix: "Try it by hand: `bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true`.",
  };
}

export const NOT_INSTALLED: Obstacle = {
  cause: "bubblewrap is not installed",
  fix: "Install it: `sudo apt install bubblewrap` (Fedora: `sudo dnf install bubblewrap`, Arch: `sudo pacman -S bubblewrap`).",
};

export const NOT_HERE: Obstacle = {
  cause: "this system has neither bubblewrap (Linux) nor sandbox-exec (macOS)",
  fix: "Run tildone in a container or a virtual machine.",
};

export const HOME_IS_WORKSPACE: Obstacle = {
  cause: "the folder you work in is your home folder or stands above it, or holds tildone's own files",
  fix: "Start in the project's folder: `cd <project>`.",
};

export const isLinked = (path: string): Obstacle => ({
  cause: `${path} is a link, which a confined command could replace`,
  fix: `Put what it names in its place: \`cp -rL ${path} ${path}.new && rm ${path} && mv ${path}.new ${path}\`.`,
});

export const ANOTHER_USERS: Obstacle = {
  cause: "the folder you work in cannot be changed by you alone: it belongs to another user",
  fix: "Start tildone as its owner, or take it over: `sudo chown -R $(id -u) .`.",
};

type Row = Obstacle & { readonly fits: (printed: string, facts: KernelFacts) => boolean };

const isRefused = (printed: string): boolean =>
  /No permissions to creat|Creating new namespace failed: Operation not permitted|unshare.*not permitted/i.test(
    printed,
  );

const OBSTACLES: readonly Row[] = [
  {
    fits: (printed) => /Can't mount proc on .*(Operation not permitted|Permission denied)/.test(printed),
    cause: "this container hides parts of /proc, so no new /proc can be mounted",
    fix: "Start it with `docker run --security-opt systempaths=unconfined ...` (podman: `--security-opt unmask=ALL`).",
  },
  {
    fits: (printed, { appArmorRestricts }) =>
      /setting up uid map: Permission denied/.test(printed) ||
      (appArmorRestricts === true && /RTM_NEWADDR|Operation not permitted|Permission denied/.test(printed)),
    cause: "AppArmor refuses user namespaces to bubblewrap (Ubuntu 23.10 and later)",
    fix: "Allow bubblewrap: `sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`.",
  },
  {
    fits: (printed, { mostNamespaces }) =>
      mostNamespaces === 0 && (isRefused(printed) || /ENOSPC|No space/.test(printed)),
    cause: "user namespaces are switched off (user.max_user_namespaces is 0)",
    fix: "Switch them on: `sudo sysctl -w user.max_user_namespaces=15000`; inside another sandbox, start tildone outside of it.",
  },
  {
    fits: (printed) =>
      /nesting depth or .*exceeded|Creating new namespace failed: No space left on device/.test(printed),
    cause: "no more user namespaces are allowed here: a sandbox around tildone forbids them, or their limit is reached",
    fix: "Start tildone outside of that sandbox, or raise the limit: `sudo sysctl -w user.max_user_namespaces=15000`.",
  },
  {
    fits: (printed, { mayClone }) => mayClone === false && isRefused(printed),
    cause: "the kernel allows user namespaces to root only",
    fix: "Allow them: `sudo sysctl -w kernel.unprivileged_userns_clone=1`.",
  },
  {
    fits: (printed, { isFiltered }) => isFiltered === true && isRefused(printed),
    cause: "the container's filter for system calls forbids user namespaces",
    fix: "Start it with `docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined ...`.",
  },
  {
    fits: (printed) => /Failed to make \/ slave|Failed to mount tmpfs|pivot_root/.test(printed),
    cause: "the container's security policy forbids mounting",
    fix: "Start it with `docker run --security-opt apparmor=unconfined --security-opt seccomp=unconfined --security-opt systempaths=unconfined ...` (SELinux: `--security-opt label=disable`).",
  },
  {
    fits: (printed) => /likely because the kernel does not support user namespaces/.test(printed),
    cause: "the kernel has no user namespaces",
    fix: "Use a kernel with CONFIG_USER_NS, or install bubblewrap setuid: `sudo chmod u+s $(command -v bwrap)`.",
  },
  {
    fits: isRefused,
    cause: "the system refuses user namespaces",
    fix: "Look at `sysctl user.max_user_namespaces`; in a container start it with `--security-opt seccomp=unconfined`.",
  },
  {
    fits: (printed) => /Unknown option/.test(printed),
    cause: "this bubblewrap is too old",
    fix: "Install version 0.4 or newer: `bwrap --version` says which one it is.",
  },
];
