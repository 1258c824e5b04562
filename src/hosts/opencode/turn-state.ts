/** What the end of a turn will say of it. */
interface Seen {
  /** The last text, if nothing was done after it. */
  readonly text: string;
  readonly refusal?: "dismissed" | "denied";
}
type State =
  | ({ readonly status: "running"; readonly id: string } & Seen)
  | ({ readonly status: "none"; readonly ended?: string } & Seen);

/**
 * The turn of a session.
 *
 *     none --begins--> running --leave--> none --goesOn--> running: a call of the same answer followed its text
 */
export function createTurnState(newId: () => string) {
  let state: State = { status: "none", text: "" };

  return {
    id: (): string | undefined => (state.status === "running" ? state.id : undefined),
    begins(id: string = newId()): string {
      state = { ...state, status: "running", id, text: "" };
      return id;
    },
    /** The names of the turn that continues, new and old; undefined where one runs. */
    goesOn(): { readonly id: string; readonly ended: string } | undefined {
      if (state.status === "running") return undefined;
      const [id, ended] = [newId(), state.ended ?? ""];
      state = { ...state, status: "running", id };
      return { id, ended };
    },
    says(text: string): void {
      state = { ...state, text };
    },
    refuses(refusal: "dismissed" | "denied"): void {
      state = { ...state, refusal };
    },
    /** The model is asked: what was refused before was its answer. */
    asks(): void {
      const { refusal: _answered, ...rest } = state;
      state = rest;
    },
    leave(): { readonly turn: string | undefined } & Seen {
      const { text, refusal } = state;
      const turn = state.status === "running" ? state.id : undefined;
      state = { status: "none", text, ...(turn !== undefined && { ended: turn }) };
      return { turn, text, ...(refusal && { refusal }) };
    },
  };
}
