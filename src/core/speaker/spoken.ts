/** Where a word of yours came from, as far as the system tells. */
export interface Spoken {
  /**
   * A shell in a terminal; the host, which reported it as typed by you; a page in a browser; a button of a notification; a program that
   * has no terminal.
   */
  readonly via: "terminal" | "host" | "page" | "button" | "process";
  readonly host?: string;
  /** The browser that was paired, as it is listed. */
  readonly device?: string;
  /** Names one click: sent again after a lost connection, it is not done again. */
  readonly request?: string;
  readonly tty?: string;
  readonly uid?: number;
  readonly pid?: number;
  /** The processes above it, nearest first. */
  readonly above?: readonly string[];
  /** Names of variables that hosts give to what they start. */
  readonly marks?: readonly string[];
  /** Why it may have come from the agent. Absent: no process says so. */
  readonly unclear?: string;
}

export const isAtTerminal = ({ via, tty, unclear }: Spoken): boolean =>
  unclear === undefined && (via === "terminal" || tty !== undefined);

/** `from a program without a terminal, from inside the agent's process tree (claude-code is above it)` */
export function fromWhere({ via, host, tty, device, unclear }: Spoken): string {
  const place =
    via === "host"
      ? `through ${host ?? "its host"}${tty === undefined ? ", without a terminal" : ` on ${tty}`}`
      : via === "page"
        ? `on the page of tildone serve (${device ?? "a browser"})`
        : via === "button"
          ? "with a button of a notification"
          : via === "terminal"
            ? `at ${tty ?? "a terminal"}`
            : "from a program without a terminal";
  return unclear === undefined ? place : `${place}, perhaps from inside the agent's process tree (${unclear})`;
}
