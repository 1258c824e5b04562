/** One line of an examination: fine, worth knowing, or with what to do about it. */
export interface Finding {
  readonly status: "ok" | "note" | "fix";
  readonly says: string;
}
export const ok = (says: string): Finding => ({ status: "ok", says });
export const note = (says: string): Finding => ({ status: "note", says });
export const fix = (says: string): Finding => ({ status: "fix", says });
