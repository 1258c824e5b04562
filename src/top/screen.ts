import type { Role } from "../core/todo/index.ts";

/** What is drawn on: how large it is, and how text is coloured and fitted there. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly style: {
    readonly role: (role: Role, text: string) => string;
    readonly strong: (text: string) => string;
    readonly struck: (text: string) => string;
  };
  /** One line of untrusted text that fits. */
  readonly clip: (text: string, columns: number) => string;
  readonly wrap: (text: string, columns: number) => readonly string[];
}
