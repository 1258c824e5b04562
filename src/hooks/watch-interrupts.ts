import { statSync } from "node:fs";
import { answerHappening } from "./answer-happening.ts";
import type { SessionOfHost } from "./answer-hooks-of.ts";
import { endOf, findTranscript } from "./transcripts.ts";

/** As much as the last few messages need: one may hold the result of a call. */
const END_BYTES = 200_000;
const LOOK_EVERY_MS = 1000;

/**
 * Claude Code and Codex call no hook when you press Esc, and Codex none when its provider fails, but they write it down: the server of the
 * session, which is awake anyway, looks. The run says so within a second or two then, and not when you type the next words. Ends with what
 * it gives.
 */
export function watchInterrupts(place: SessionOfHost): () => void {
  const { look } = interruptsIn(place, (at, failure) => {
    const { dialect, session, env, home } = place;
    const told = { dialect, session, event: "stop", payload: { session_id: session }, env, home } as const;
    const happening = { type: "aborted", at, ...(failure !== undefined && { failure }) } as const;
    return answerHappening(happening, told);
  });
  let isLooking = false;
  const lookOnce = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await look().catch(() => {}); // the next look tries again; at the latest the next prompt tells, as it would without us
    isLooking = false;
  };
  void lookOnce(); // on a busy machine you may press Esc before the first second is over
  const timer = setInterval(lookOnce, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** What was written down before the first look is an old story. */
export function interruptsIn(
  { dialect, session, env, home }: SessionOfHost,
  tell: (at: number, failure?: string) => Promise<unknown>,
): { readonly look: () => Promise<void> } {
  const { cutIn } = dialect;
  let path: string | undefined;
  let size = -1;
  let known: string | undefined;
  let isFirst = true;
  return { look };

  async function look(): Promise<void> {
    if (!cutIn) return;
    path ??= findTranscript(dialect, session, { env, home });
    const now = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
    const isOld = isFirst;
    isFirst = false;
    if (path === undefined || now === undefined || now === size) return;
    const end = endOf(path, END_BYTES);
    const cut = cutIn(end.text);
    if (cut !== undefined && cut.line !== known && !isOld) await tell(timeIn(cut.line), cut.failure);
    known = cut?.line ?? known;
    size = end.size; // what could not be told is looked at again
  }
}

/** Both hosts date every line. Without a date it is as good as now. */
function timeIn(line: string): number {
  const at = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? "");
  return Number.isNaN(at) ? Date.now() : at;
}
