import { hostname } from "node:os";
import { files } from "./builtins.ts";

/** Where a process number means something: one machine, since it was last started, in one container. */
export interface Machine {
  readonly name: string;
  /** Changes when the machine is started anew. */
  readonly boot: string;
  /** Containers number their processes each for itself. */
  readonly space: string;
}

export function thisMachine(): Machine {
  return {
    name: hostname(),
    boot: bootOf(),
    space: read(() => files().readlinkSync("/proc/self/ns/pid")),
  };
}

/** Empty where the system does not tell. */
export const bootOf = (): string => read(() => files().readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

/** Systems without these files have neither containers of this kind nor another way to tell. */
function read(file: () => string): string {
  try {
    return file();
  } catch {
    return "";
  }
}
