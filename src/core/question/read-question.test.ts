import { describe, expect, test } from "vitest";
import { generateQuestions, QUESTIONED_LIST, type QuestionKind } from "../../testing/questions/index.ts";
import { readQuestion } from "./index.ts";

const SENTENCES = generateQuestions();
const EXPECTED = {
  bare: "continue",
  act: "act",
  choice: "question",
  information: "question",
} as const satisfies Record<QuestionKind, string>;
const kindOf = (text: string) => readQuestion(text, QUESTIONED_LIST)?.kind;

describe.each([...new Set(SENTENCES.map(({ language }) => language))])("%s", (language) => {
  const own = SENTENCES.filter((sentence) => sentence.language === language);
  test.each(Object.keys(EXPECTED) as QuestionKind[])("%s", (kind) => {
    const wrong = own.filter((each) => each.kind === kind && kindOf(each.text) !== EXPECTED[kind]);
    expect(wrong.map(({ text }) => `${text} -> ${kindOf(text)}`)).toEqual([]);
  });

  test("an act or a choice is never taken for a bare question, whatever stands around it", () => {
    const asked = own.filter(({ kind }) => kind !== "bare");
    const dressed = asked.flatMap(({ text }) => [
      `Item 0 is done.\n\n${text}`,
      `**${text}**`,
      `${text} 🚀`,
      `> ${text}`,
      `${text}\n\nLet me know.`,
    ]);
    expect(dressed.filter((text) => ["continue", undefined].includes(kindOf(text)))).toEqual([]);
  });

  test("a bare question is one after what was done, in bold, with a thank-you", () => {
    const bare = own.filter(({ kind }) => kind === "bare");
    const dressed = bare.flatMap(({ text }) => [
      `Item 0 is done.\n\n${text}`,
      `**${text}**`,
      `${text} 🙂`,
      `${text} Thanks!`,
    ]);
    expect(dressed.filter((text) => kindOf(text) !== "continue")).toEqual([]);
  });

  test("a bare question after a sentence that names an act is a question for you", () => {
    const bare = own.find(({ kind }) => kind === "bare")?.text ?? "Shall I continue?";
    const acts = own.filter(({ kind }) => kind === "act").map(({ text }) => text.replace(/[?？؟¿]/g, "."));
    expect(acts.filter((act) => kindOf(`${act} ${bare}`) === "continue")).toEqual([]);
  });

  test("a bare question before a sentence that names an act is a question for you", () => {
    const bare = own.find(({ kind }) => kind === "bare")?.text ?? "Shall I continue?";
    const acts = own.filter(({ kind }) => kind === "act").map(({ text }) => text.replace(/[?？؟¿;]/g, "."));
    expect(acts.filter((act) => ["continue", undefined].includes(kindOf(`${bare} ${act}`)))).toEqual([]);
  });
});

test("there are hundreds of them", () => expect(SENTENCES.length).toBeGreaterThan(600));

describe("what the last words ask", () => {
  test.each([
    ["Which database should the tests use?", "question"],
    ["I wrote the parser.\n\nDo you prefer tabs or spaces?", "question"],
    ["Which one do you mean?\n\n1. The parser\n2. The printer", "question"],
    ["Which one?\n- the parser\n- the printer\n", "question"],
    ["Shall I continue?\n- with sum\n- with product\n", "question"],
    ["**Which port should it listen on?**", "question"],
    ['What should "strict" mean here?"', "question"],
    ["Is this a bug? I fixed it.", undefined],
    ["I fixed the bug in v1.2 of a.ts.", undefined],
    ["Should I go ahead and start on the tests?", "continue"],
    ["Waiting for your approval to proceed.", "continue"],
    ["May I force-push to main? Let me know.", "act"],
    ["May I force-push to main? It would overwrite the history.", "question"],
    ["Please confirm that I may delete the production database.", "act"],
    ["Let me know if you want me to deploy.", "question"],
    ["I will move the customers to cold storage. Please confirm.", "question"],
    ["With your permission I drop the table.", "act"],
    ["Unless you object I will drop the users table.", "question"],
    ["The next step drops the users table. Shall I proceed?", "question"],
    ["I'm about to terminate the EC2 instances. Go ahead?", "question"],
    ["That requires disabling the firewall. Shall I proceed?", "question"],
    ["This will incur costs. Continue?", "question"],
    ["That cannot be undone. Shall I continue?", "question"],
    ["Das kostet 20 Euro. Soll ich weitermachen?", "question"],
    ["Shall I continue? I would also delete the backups.", "question"],
    ["Shall I continue? It will terminate the old instances.", "question"],
    ["Shall I continue? Item 0 is done.", undefined],
    ["Next I will write the parser. Shall I continue?", "continue"],
    ["All tests pass. Shall I go on?", "continue"],
    ["Let me know if you have questions.", undefined],
    ["", undefined],
    ["   \n ", undefined],
    ["- one\n- two", undefined],
  ])("%j: %s", (text, expected) => expect(kindOf(text)).toBe(expected));

  test("the question is told whole, with the sentence that it refers to, and bounded", () => {
    expect(readQuestion("The next step **drops** the users table. Shall I proceed?")?.text).toBe(
      "The next step drops the users table. Shall I proceed?",
    );
    expect(readQuestion(`Which ${"very ".repeat(200)}long one?`)?.text.length).toBeLessThanOrEqual(300);
  });

  test("last words as long as a file are no burden", () => {
    const long = "a".repeat(2_000_000);
    expect([kindOf(`${long}. ${long}`), kindOf(`${long}. Which one?`)]).toEqual([undefined, "question"]);
    expect(kindOf(`${"? ".repeat(2000)}${"(".repeat(4000)}`)).toBe(undefined);
  });
});
