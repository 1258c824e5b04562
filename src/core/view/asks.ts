import { shortDigest } from "../call/index.ts";
import type { Run } from "../run/index.ts";

/** Something that only you can answer, and how. */
export interface Ask {
  readonly type: "approval" | "question";
  /** What an answer names: the digest of what is shown, else the call. A question has none: it is answered where the agent works. */
  readonly id?: string;
  readonly tool?: string;
  readonly askedAt?: number;
  /** How `what` is to be read. */
  readonly shows: "command" | "diff" | "text";
  /** What "always" would allow, in words; absent: there is no exact rule. */
  readonly always?: string;
  /** "Always this tool" can be answered. */
  readonly alwaysTool?: true;
  /** Another command can be put in its place. */
  readonly editable?: true;
  /** What happens if you do not answer. */
  readonly otherwise: string;
  /** Who wants what, in a few words. */
  readonly says: string;
  /** What would be done, or what was asked, as far as the host tells. */
  readonly what?: string;
  /** Shows all of it, where a screen shows only its beginning and its end. */
  readonly whole?: string;
  readonly because?: string;
  /** When silence counts as "no". */
  readonly endsAt?: number;
  /** What to type, or where to answer. */
  readonly answers: readonly { readonly word: string; readonly how: string }[];
}

/** Everything that waits for you in a run, the oldest first. */
export function asksOf({ id, origin, ledger: { approvals, questions, questionTexts } }: Run): readonly Ask[] {
  return [
    ...approvals.map((approval): Ask => {
      const { call, tool, what, digest, because, askedAt, endsAt, always } = approval;
      const name = digest === undefined ? quotedWord(call) : shortDigest(digest);
      const address = `${digest === undefined && approvals.length === 1 ? "" : ` ${name}`} --run ${id}`;
      return {
        type: "approval",
        id: digest ?? call,
        tool,
        askedAt,
        shows: formOf(what),
        ...(always !== undefined && { always }),
        ...(approval.alwaysTool !== false && { alwaysTool: true }),
        ...(approval.editable && { editable: true }),
        otherwise:
          endsAt === undefined
            ? "The run waits until you answer."
            : "It is denied, and the agent continues without it.",
        says: `${tool} needs your approval`,
        what,
        whole: `tildone approvals ${id} --show ${name}`,
        because,
        ...(endsAt !== undefined && { endsAt }),
        answers: [
          { word: "yes", how: `tildone approve${address}` },
          { word: "no", how: `tildone deny${address} --words "what to do instead"` },
        ],
      };
    }),
    // The terminal asks about a call with a prompt of its own: one thing is asked once.
    ...(approvals.length > 0 ? [] : questions).map((question): Ask => {
      const what = questionTexts?.[question];
      return {
        type: "question",
        shows: "text",
        otherwise: "The run waits until you answer.",
        says: "the agent asked you a question",
        what,
        answers: [{ word: "answer", how: `in ${origin.host}, where the agent works (session ${origin.session})` }],
      };
    }),
  ];
}

/** A call's id comes from a model's provider: what a shell would read is quoted. */
const quotedWord = (word: string): string => (/^[\w.:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A diff has a head of two lines; a command may hold anything, but begins with neither. */
const formOf = (what: string): Ask["shows"] =>
  /^--- .*\n\+\+\+ .*$/m.test(what) && /^@@ /m.test(what) ? "diff" : "command";
