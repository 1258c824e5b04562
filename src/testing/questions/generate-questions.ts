import { PHRASINGS } from "./phrasings.ts";
import { REQUESTS } from "./requests.ts";

/** What a question is about. */
export type QuestionKind = "bare" | "act" | "choice" | "information";

/** A last sentence of an agent, and what kind of question it is. */
export interface GeneratedQuestion {
  readonly language: string;
  readonly kind: QuestionKind;
  readonly text: string;
}

/** The list that the bare questions speak of. */
export const QUESTIONED_LIST: readonly string[] = ["Implement sum", "Implement product"];

/** Every language by every phrasing: hundreds of sentences with which agents end their turns. */
export const generateQuestions = (): readonly GeneratedQuestion[] => [...asked(), ...requested()];

function asked(): readonly GeneratedQuestion[] {
  return Object.entries(PHRASINGS).flatMap(([language, said]) => {
    const of = (kind: QuestionKind, texts: readonly string[]) =>
      texts.map((text): GeneratedQuestion => ({ language, kind, text }));
    return [
      ...of("bare", [...said.bare, ...filled(said.bareWith, said.objects)]),
      ...of("act", filled(said.mayI, said.acts)),
      ...of("choice", said.choices),
      ...of("information", said.information),
    ];
  });
}

/** Every language by every way to ask for a yes without a question mark. */
function requested(): readonly GeneratedQuestion[] {
  return Object.entries(REQUESTS).flatMap(([language, { consent, acts, bare }]) => [
    ...filled(consent, acts).map((text): GeneratedQuestion => ({ language, kind: "information", text })),
    ...bare.map((text): GeneratedQuestion => ({ language, kind: "bare", text })),
  ]);
}

const filled = (templates: readonly string[], values: readonly string[]): readonly string[] =>
  templates.flatMap((template) => values.map((value) => template.replace("{}", value)));
