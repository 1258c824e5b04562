/** The text again that `exactly` was given, however its lines were broken. */
export function exactText(shown: string): string {
  return shown
    .replaceAll("\n", "")
    .replace(/⏎|⇥|\\u([0-9a-f]{4})/g, (found, code: string | undefined) =>
      found === "⏎" ? "\n" : found === "⇥" ? "\t" : String.fromCharCode(Number.parseInt(code!, 16)),
    );
}
