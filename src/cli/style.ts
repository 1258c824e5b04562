import type { Role } from "../core/todo/index.ts";

/** Colours by meaning. Without a terminal, or with NO_COLOR, the text stays as it is. */
export interface Style {
  readonly role: (role: Role, text: string) => string;
  readonly strong: (text: string) => string;
  readonly struck: (text: string) => string;
}

/** What the numbers of our colours are: nothing else may steer a terminal. */
export const styleCodes = (): readonly number[] => [0, 1, 9, ...Object.values(CODES)];

export const styleOf = ({ hasColour }: { readonly hasColour: boolean }): Style =>
  hasColour
    ? {
        role: (role, text) => (role === "text" ? text : `\u001b[${CODES[role]}m${text}\u001b[0m`),
        strong: (text) => `\u001b[1m${text}\u001b[0m`,
        struck: (text) => `\u001b[9m${text}\u001b[0m`,
      }
    : { role: (_role, text) => text, strong: (text) => text, struck: (text) => text };

const CODES = {
  dim: 2,
  muted: 90,
  warning: 33,
  success: 32,
  error: 31,
  accent: 36,
  alarm: 35,
} as const satisfies Record<Exclude<Role, "text">, number>;
