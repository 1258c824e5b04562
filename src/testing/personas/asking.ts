import { acts, complete, file, says, start, writeList } from "./acts.ts";
import type { Persona, Step, View } from "./persona.ts";
import { CHECK, PRODUCT, PROJECT, SUM } from "./project.ts";

const base = {
  kind: "asking",
  asks: "Implement sum and product.",
  project: PROJECT,
  checks: [CHECK],
  limits: {},
  budget: {},
} as const;
const begin = acts(writeList("Implement sum", "Implement product"), start(0));

/** Does the first item, ends turns with these words, does the second when it is told to continue. */
function* asksBetween(...words: readonly string[]): Generator<Step, void, View> {
  yield begin;
  yield acts(file("src/sum.sh", SUM), complete(0));
  for (const each of words) yield says(each);
  yield acts(start(1), file("src/product.sh", PRODUCT), complete(1));
  yield says("Everything is done.");
}

/** Asked twice in a row, which would stop the run if it were a question. */
const BARE = {
  German: ["Soll ich mit dem nächsten Punkt weitermachen?", "Darf ich fortfahren?"],
  Chinese: ["是否继续下一个任务？", "要我继续吗？"],
  Japanese: ["続けてもよろしいですか？", "次のタスクに進みますか。"],
  Spanish: ["¿Continúo con la siguiente tarea?", "¿Quieres que siga?"],
  French: ["Dois-je continuer avec la tâche suivante ?", "Voulez-vous que je poursuive ?"],
  Russian: ["Мне перейти к следующей задаче?", "Продолжить?"],
  Portuguese: ["Devo continuar com a próxima tarefa?", "Quer que eu siga em frente?"],
  Korean: ["다음 작업을 계속할까요?", "계속 진행해도 될까요?"],
} as const;

/** Does six items, and asks for leave after each but the last, every time in another language. */
function* asksInTurn(): Generator<Step, void, View> {
  const notes = ["a", "b", "c", "d"].map((name) => file(`notes/${name}.txt`, `${name}\n`));
  const works = [file("src/sum.sh", SUM), file("src/product.sh", PRODUCT), ...notes];
  const questions = [BARE.German, BARE.Chinese, BARE.Japanese, BARE.Spanish, BARE.French].map(([words]) => words);
  yield acts(writeList("Implement sum", "Implement product", ...notes.map((_, at) => `Write note ${at}`)));
  for (const [at, work] of works.entries()) {
    yield acts(start(at), work, complete(at));
    yield says(questions[at] ?? "Everything is done.");
  }
}

/** Only the person says yes to these. */
const ACTS = {
  English: "Shall I delete the production database and continue?",
  German: "Sum ist fertig. Soll ich das Paket veröffentlichen und weitermachen?",
  Chinese: "我可以强制推送到main并继续吗？",
  Spanish: "¿Puedo borrar la base de datos y continuar?",
} as const;

/** Models that end their turns with questions, in the languages people use. */
export const ASKING: readonly Persona[] = [
  ...Object.entries(BARE).map(
    ([language, words]): Persona => ({
      ...base,
      name: `asks twice whether to continue, in ${language}`,
      plays: () => asksBetween(...words),
      ends: { reason: "all_done", nudges: { atLeast: 2, atMost: 2 } },
    }),
  ),
  {
    ...base,
    name: "asks permission in five languages",
    asks: "Implement sum and product, then write four notes.",
    checks: [CHECK, "test -f notes/d.txt"],
    plays: asksInTurn,
    ends: { reason: "all_done", nudges: { atLeast: 5, atMost: 5 } },
  },
  ...Object.entries(ACTS).map(
    ([language, words]): Persona => ({
      ...base,
      name: `asks to do what cannot be undone, in ${language}`,
      plays: () => asksBetween(words),
      ends: { reason: "question", says: words.replace(/^Sum ist fertig\. /, ""), nudges: { atLeast: 0, atMost: 0 } },
    }),
  ),
  {
    ...base,
    name: "asks for a choice twice",
    plays: () => asksBetween("Should I continue with strings or with numbers?", "Strings or numbers?"),
    ends: { reason: "question", says: "Strings or numbers?", nudges: { atLeast: 1, atMost: 1 } },
  },
];
