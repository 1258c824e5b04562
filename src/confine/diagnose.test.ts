import { expect, test } from "vitest";
import { diagnose, type KernelFacts } from "./diagnose.ts";

const REFUSED =
  "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap>";

test.each<[string, KernelFacts, string, string]>([
  [
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    {},
    "hides parts of /proc",
    "systempaths=unconfined",
  ],
  ["bwrap: setting up uid map: Permission denied", {}, "AppArmor", "bwrap-userns-restrict"],
  ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", { appArmorRestricts: true }, "AppArmor", "apparmor"],
  [REFUSED, { appArmorRestricts: false, isFiltered: true }, "filter for system calls", "seccomp=unconfined"],
  [REFUSED, { mayClone: false }, "root only", "kernel.unprivileged_userns_clone=1"],
  [REFUSED, { mostNamespaces: 0 }, "switched off", "user.max_user_namespaces=15000"],
  [REFUSED, {}, "refuses user namespaces", "sysctl user.max_user_namespaces"],
  [
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    { mostNamespaces: 9 },
    "no more user namespaces",
    "outside of that sandbox",
  ],
  ["bwrap: Creating new namespace failed: No space left on device", { mostNamespaces: 0 }, "switched off", "sysctl -w"],
  [
    "bwrap: Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.",
    {},
    "has no user namespaces",
    "setuid",
  ],
  ["bwrap: Failed to make / slave: Permission denied", {}, "forbids mounting", "apparmor=unconfined"],
  ["bwrap: Unknown option --cap-drop", {}, "too old", "bwrap --version"],
  ["\nbwrap: something new\n", {}, "bwrap: something new", "by hand"],
  ["", {}, "said nothing", "by hand"],
])("%s %o", (printed, facts, cause, fix) => {
  const told = diagnose(printed, facts);
  expect(told.cause).toContain(cause);
  expect(told.fix).toContain(fix);
  expect(told.fix).toMatch(/`.+`/);
});
