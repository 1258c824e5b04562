/** Why a change to the list was refused. The message tells the one who asked what to do instead. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

/** Why a call of the list tools is refused, by code. */
export const REFUSALS = {
  no_items: "A write needs at least one todo, except a replace, which clears the list.",
  too_many_items: "The list holds at most 100 todos.",
  too_many_indices: "One edit names at most 50 indices.",
  text_empty: "A todo needs text.",
  text_too_long: "A todo's text has at most 1000 characters.",
  field_too_long: "A check, a requirement or a path has at most 2000 characters, and there are at most 50 of each.",
  index_required: "An insert needs the index to insert at.",
  index_out_of_range: "The index names no todo.",
  index_repeated: "An edit names each index once.",
  indices_required: "An edit needs the indices it is about.",
  list_empty: "There is no list to edit.",
  list_moved: "The list moved in the same batch of calls, so indices no longer mean what they meant.",
  text_repeated: "Two todos of one list never have the same text.",
  need_unknown: "A need names an index that the list will not have.",
  need_on_itself: "A todo cannot need itself.",
  need_on_abandoned: "An abandoned todo never meets a need.",
  need_cycle: "Needs must not form a circle.",
  needs_unmet: "What a todo needs is completed first.",
  already_finished: "A finished todo stays as it is.",
  not_finished: "Only a finished todo is reopened.",
  blocked: "A blocked todo is started before it is completed.",
  not_blocked: "Only a blocked todo is unblocked.",
  not_released: "The user releases this todo before it is worked on.",
  not_waiting: "Only a todo that waits for its release is released.",
  no_change: "A change gives another text or another priority.",
  reason_required: "Blocking or abandoning needs a reason.",
  reason_too_long: "A reason has at most 1000 characters.",
  check_trivial: "A check that cannot fail proves nothing.",
  check_failed: "The check that proves it did not pass.",
  not_allowed: "A subagent may list and edit todos, not write the list.",
  unknown_mode: "The mode is replace, append or insert.",
  unknown_action: "The action is start, complete, abandon or block.",
  bad_shape: "The arguments do not have the tool's form.",
} as const satisfies Record<string, string>;
export type RefusalCode = keyof typeof REFUSALS;

export type Proposal<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly refusal: Refusal };

export const accept = <E>(...events: readonly E[]): Proposal<E> => ({ ok: true, events });
export const refuse = (code: RefusalCode, message: string): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal: { code, message },
});
