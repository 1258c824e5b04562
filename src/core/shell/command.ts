/** What a shell line would do, as far as it can be read with certainty. */
export type Command =
  | ({ readonly type: "simple"; readonly assignments: readonly Word[]; readonly words: readonly Word[] } & Redirects)
  | { readonly type: "pipeline"; readonly commands: readonly Command[]; readonly negated: boolean }
  | { readonly type: "chain"; readonly first: Command; readonly rest: readonly Link[] }
  | { readonly type: "list"; readonly items: readonly Item[] }
  | ({ readonly type: "group"; readonly body: Command; readonly subshell: boolean } & Redirects)
  /** `if`, `while`, `until`, `for`: which of the bodies run, and how often, is not followed. */
  | ({ readonly type: "compound"; readonly words: readonly Word[]; readonly bodies: readonly Command[] } & Redirects)
  /** `[[ … ]]`, brackets included. */
  | { readonly type: "test"; readonly words: readonly Word[]; readonly operators: boolean };

export interface Word {
  /** Without its quotes. What the shell would replace is only named. */
  readonly text: string;
  /** False when the shell would put something else in its place: a variable, a substitution, braces. */
  readonly literal: boolean;
  /** It may stand for names of files: `*`, `?`, `[`, `~`. */
  readonly pattern: boolean;
  /** Commands inside `$( )`, backticks or `<( )`. */
  readonly runs: readonly Command[];
}

/** Files only: streams and the null device are not written to. */
export interface Redirects {
  readonly writes: readonly Word[];
  readonly reads: readonly Word[];
  /** Fed in without a file: `<<< text`, `<< END`, `<&3`. */
  readonly feeds: readonly Word[];
}

export interface Link {
  readonly operator: "&&" | "||";
  readonly command: Command;
}

/** `a &`: the shell does not wait for it, so its own status is lost. */
export interface Item {
  readonly command: Command;
  readonly background: boolean;
}
