import type { Host, Notice } from "./ports.ts";

/** What a session shows you. What cannot be shown changes nothing. */
export function createNotices(host: Host, session: string) {
  return { show, say, surely };

  function show(notice: Notice): void {
    try {
      host.show(session, notice);
    } catch {
      // The screen is gone; the log has it.
    }
  }

  function say(text: string): void {
    show({ type: "text", text });
  }

  /** For what follows from what is in the log: whatever fails keeps nothing else from following. */
  function surely(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      say(`tildone could not ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
