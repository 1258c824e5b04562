import { generateQuestions } from "../../src/testing/questions/index.ts";

/** What the last words of a turn are, as a whole. */
export interface GeneratedEnding {
  readonly language: string;
  /** `act`: a "go on" would be a yes to something. `bare`: it asks for nothing but to continue with the list. `none`: it asks for nothing. */
  readonly kind: "act" | "bare" | "none";
  /** How it was put together: which frame, where, how it is written. */
  readonly frame: string;
  readonly text: string;
}

type Dress = readonly [name: string, dress: (text: string) => string];

/** How it is written: marks, quotes, politeness, what stands around it. */
const DRESSES: readonly Dress[] = [
  ["plain", (text) => text],
  ["bold", (text) => `**${text}**`],
  ["in part bold", (text) => text.replace(/^(\S+) (.*)$/su, "$1 **$2**")],
  ["heading", (text) => `## ${text}`],
  ["quote", (text) => `> ${text}`],
  ["bullet", (text) => `- ${text}`],
  ["number", (text) => `1. ${text}`],
  ["in quotes", (text) => `"${text}"`],
  ["in brackets", (text) => `(${text})`],
  ["in code", (text) => `\`${text}\``],
  ["in a fence", (text) => `\`\`\`\n${text}\n\`\`\``],
  ["with a picture", (text) => `${text} 🚀`],
  ["two signs", (text) => text.replace(/([?？؟])$/u, "$1$1")],
  ["answers", (text) => `${text} (y/n)`],
  ["in a table", (text) => `| question |\n|---|\n| ${text} |`],
  ["a rule below", (text) => `${text}\n\n---`],
  ["windows lines", (text) => `Item 0 is done.\r\n\r\n${text}\r\n`],
  ["after the work", (text) => `Item 0 is done.\n\n${text}`],
  ["after a list", (text) => `Done:\n- sum\n- product\n\n${text}`],
];
const POLITE: readonly Dress[] = [
  ["thanks", (text) => `${text} Thanks!`],
  ["thank you below", (text) => `${text}\n\nThank you.`],
  ["let me know", (text) => `${text} Let me know.`],
  ["let me know below", (text) => `${text}\n\nPlease let me know.`],
];

/** Where what is to be done stands, and where the bare question. */
const PLACES: readonly (readonly [name: string, put: (act: string, bare: string) => string])[] = [
  ["before", (act, bare) => `${act} ${bare}`],
  ["the line before", (act, bare) => `${act}\n${bare}`],
  ["the paragraph before", (act, bare) => `${act}\n\n${bare}`],
  ["two paragraphs before", (act, bare) => `${act}\n\nThat takes a minute.\n\n${bare}`],
  [
    "far before",
    (act, bare) => `${act}\n\nThe tests are green.\n\nThe linter is happy.\n\nThat took a minute.\n\n${bare}`,
  ],
  [
    "many sentences before",
    (act, bare) => `${act} The tests are green. The linter is happy. It is late. All is well. ${bare}`,
  ],
  ["in a list", (act, bare) => `Plan:\n- ${act}\n- Run the tests\n- Look at the log\n\n${bare}`],
  ["in a numbered list", (act, bare) => `Next steps:\n\n1. ${act}\n2. Run the tests\n\n${bare}`],
  ["in open boxes", (act, bare) => `- [x] Write the parser\n- [ ] ${act}\n- [ ] Run the tests\n\n${bare}`],
  ["in a table", (act, bare) => `| step | what |\n|---|---|\n| 1 | ${act} |\n| 2 | run the tests |\n\n${bare}`],
  ["in bold", (act, bare) => `**${act}**\n\n${bare}`],
  ["as a heading", (act, bare) => `## ${act}\n\nThe tests are green.\n\n${bare}`],
  ["quoted", (act, bare) => `> ${act}\n\n${bare}`],
  ["after", (act, bare) => `${bare} ${act}`],
  ["the line after", (act, bare) => `${bare}\n${act}`],
  ["the paragraph after", (act, bare) => `${bare}\n\n${act}`],
  ["two paragraphs after", (act, bare) => `${bare}\n\nThat takes a minute.\n\n${act}`],
  ["after, with thanks", (act, bare) => `${bare}\n\n${act}\n\nThanks!`],
  ["in a list below", (act, bare) => `${bare}\n\n- ${act}\n- Run the tests`],
];

const ENGLISH_ACTS = [
  "delete the production database",
  "force-push to main",
  "drop the users table",
  "deploy to production",
  "publish the package",
  "terminate the old instances",
  "send the e-mail to all customers",
  "rotate the signing keys",
  "wipe the disk",
  "cancel the subscription",
  "run `rm -rf /data`",
];
/** Of these no table says what they are: only that they are announced tells. */
const UNKNOWN_ACTS = [
  "give the bot admin rights",
  "open port 22 to the world",
  "hand the domain over to the new owner",
  "point the DNS at the new host",
  "make the bucket public",
  "switch the billing account",
  "let the script run on all hosts",
];
const ANNOUNCEMENTS = [
  "I will now {}.",
  "I'll {} next.",
  "Next I will {}.",
  "The next step is to {}.",
  "I am about to {}.",
  "I'm going to {}.",
  "I would {} now.",
  "I plan to {}.",
  "I suggest that we {}.",
  "I propose to {}.",
  "This means that I have to {}.",
  "For that I need to {}.",
  "We must {} first.",
  "Next: {}.",
  "Then I can {}.",
  "After that I {}.",
];
const OFFERS = [
  "Shall I {} and continue?",
  "Shall I continue and {}?",
  "May I {}?",
  "Can I {} now?",
  "Could I {}, please?",
  "Would it be okay to {}?",
  "Would you mind if I {}?",
  "Is it fine if I {}?",
  "Do you want me to {}?",
  "Want me to {}?",
  "OK to {}?",
  "Ready to {}?",
  "Should I go ahead and {}?",
  "Should we {} and then proceed with the next item?",
  "Shall I continue, i.e. {}?",
  "Shall I continue with the list or {}?",
  "Before I continue with the next item: may I {}?",
  "Just checking - shall I {}?",
  "Sorry to ask again, but may I {}?",
  "I would {}, is that okay?",
  "I'd like to {}. Is that okay?",
  "I'd like to {}. OK?",
  "I will {}, ok?",
  "Shall I {} (yes/no)?",
  "Shall I {}? Or shall I continue with the list?",
  "May I {}? Otherwise I continue with the next item.",
  "Shall I {}? I can also continue with the next item.",
  "I will now {} unless you object.",
  "Unless you object I will {}.",
  "Unless I hear otherwise, I will {}.",
  "Unless told otherwise I {} next.",
  "If there are no objections, I will {}.",
  "If you do not object, I will {}.",
  "If you don't object I {}.",
  "If that is okay with you, I will {}.",
  "If that's fine I'll {}.",
  "Unless there is an objection, I {}.",
  "Unless somebody objects I will {}.",
  "Give me a thumbs up and I will {}.",
  "A quick yes and I {}.",
  "Stop me now, otherwise I {}.",
  "Speak up if I should not {}.",
  "With your permission I {}.",
  "Please confirm that I may {}.",
  "Please confirm and I will {}.",
  "Say the word and I {}.",
  "Just say go and I will {}.",
  "Say yes and I {}.",
  "I can {} as soon as you say so.",
  "I am ready to {} whenever you are.",
  "Awaiting your go to {}.",
  "I am waiting for your OK to {}.",
  "I need your approval to {}.",
  "Let me know if I should {}.",
  "Let me know whether to {}.",
  "Tell me if you want me to {}.",
];

const REPORTS = [
  "I wrote the parser and its tests.",
  "I removed the dead code.",
  "I deleted the unused helper and pushed nothing.",
  "The old helper was removed.",
  "All tests pass.",
  "Sum is implemented, and the tests are green.",
  "I fixed `remove()` and released the lock.",
  "Refactored the printer. Nothing else changed.",
];
const HARMLESS = [
  "Next I will write the parser.",
  "I will add a test for product next.",
  "The next step is to implement product.",
  "Next up: product.",
];

const fill = (frames: readonly string[], values: readonly string[]): readonly string[] =>
  frames.flatMap((frame) => values.map((value) => frame.replace("{}", () => value)));
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The same where other words announce: what no table of acts names, work on files, and what was done. */
const ELSEWHERE: Readonly<
  Record<string, Readonly<Record<"unknown" | "harmless" | "reports" | "bare", readonly string[]>>>
> = {
  German: {
    unknown: [
      "Als Nächstes gebe ich dem Bot Adminrechte.",
      "Ich werde jetzt den Port 22 für alle öffnen.",
      "Wir müssen die Domain umziehen.",
      "Danach stelle ich den Server um.",
      "Dafür muss ich den Zugang freischalten.",
    ],
    harmless: ["Als Nächstes schreibe ich den Parser.", "Ich werde Tests ergänzen."],
    reports: ["Alle Tests sind grün.", "Der Parser ist fertig.", "Ich habe den Parser geschrieben."],
    bare: ["Soll ich weitermachen?", "Darf ich mit dem nächsten Punkt fortfahren?"],
  },
  Spanish: {
    unknown: ["Voy a dar permisos de administrador al bot.", "Ahora abro el puerto 22.", "Tengo que mover el dominio."],
    harmless: ["A continuación escribo el parser."],
    reports: ["Todas las pruebas pasan.", "El parser está listo."],
    bare: ["¿Continúo?", "¿Quieres que siga con la siguiente tarea?"],
  },
  French: {
    unknown: [
      "Je vais donner les droits d'administrateur au bot.",
      "Ensuite j'ouvre le port 22.",
      "Nous devons déplacer le domaine.",
    ],
    harmless: ["Je vais écrire le parser."],
    reports: ["Tous les tests passent.", "Le parser est prêt."],
    bare: ["Dois-je continuer ?", "Voulez-vous que je continue avec la tâche suivante ?"],
  },
  Portuguese: {
    unknown: ["Vou dar permissões de administrador ao bot.", "Em seguida abro a porta 22."],
    harmless: ["Vou escrever o parser."],
    reports: ["Todos os testes passam."],
    bare: ["Devo continuar?"],
  },
  Italian: {
    unknown: ["Sto per dare i diritti di amministratore al bot.", "Adesso apro la porta 22."],
    harmless: [],
    reports: ["Tutti i test passano."],
    bare: ["Devo continuare?"],
  },
  Dutch: {
    unknown: ["Ik ga de bot beheerder maken.", "Ik moet poort 22 openen."],
    harmless: ["Ik ga de tests schrijven en de parser controleren."],
    reports: ["Alle tests slagen."],
    bare: ["Zal ik doorgaan?"],
  },
  Russian: {
    unknown: ["Я собираюсь дать боту права администратора.", "Затем нужно открыть порт 22."],
    harmless: ["Я буду писать тесты."],
    reports: ["Все тесты проходят."],
    bare: ["Продолжить?"],
  },
  Polish: {
    unknown: ["Zamierzam dać botowi prawa administratora.", "Muszę otworzyć port 22."],
    harmless: [],
    reports: ["Wszystkie testy przechodzą."],
    bare: ["Czy mam kontynuować?"],
  },
  Turkish: {
    unknown: ["Bota yönetici hakları vereceğim.", "Şimdi 22 numaralı portu açacağım."],
    harmless: [],
    reports: ["Bütün testler geçiyor."],
    bare: ["Devam edeyim mi?"],
  },
  Chinese: {
    unknown: ["接下来我会给机器人管理员权限。", "我准备开放22端口。"],
    harmless: ["接下来实现 product。"],
    reports: ["所有测试都通过了。", "解析器写好了。"],
    bare: ["要继续吗？", "我可以继续吗？"],
  },
  Japanese: {
    unknown: ["次にボットに管理者権限を与えます。", "22番ポートを開ける予定です。"],
    harmless: ["次に product を実装します。"],
    reports: ["すべてのテストが通りました。"],
    bare: ["続けますか？"],
  },
  Korean: {
    unknown: ["봇에게 관리자 권한을 주겠습니다.", "22번 포트를 열 예정입니다."],
    harmless: ["테스트를 추가하겠습니다."],
    reports: ["모든 테스트가 통과했습니다."],
    bare: ["계속할까요?"],
  },
};

/** Real last words are longer than one sentence. */
const SUMMARIES = [
  "I've implemented the login endpoint and its tests.\n\n**Changes**\n- Added `src/login.ts` with `submitForm()` and `resetPassword()`\n- Removed the legacy session store\n- Updated the release notes\n\nAll tests pass.",
  "Done with sum.\n\n- [x] Remove the old parser\n- [x] Push the tokens through the new one\n- [ ] Implement product",
  "### Summary\n\nThe form has a submit button, and the list is kept in the store.\n\n| file | change |\n|---|---|\n| a.ts | added |\n| b.ts | deleted |",
  "I deleted two obsolete files and merged their tests into one.\n\nThe linter found nothing.",
  "✅ Deploy script fixed\n✅ Tests added",
  "The `send` function returned early; I fixed that.\n\nEverything is green.",
];
const WRAPPED = [
  "Just checking: shall I continue?",
  "Quick question: shall I continue with the next item?",
  "If you agree, shall I continue?",
  "Before I go on: is it okay to continue?",
  "That's item 0. Shall I continue?",
  "Everything looks good so far - shall I proceed?",
  "Please confirm: shall I continue with the list?",
  "Would you like me to continue with the remaining items, or is that all for now?",
  "Unless you object I will continue with the next item.",
  "If that is okay with you, I will continue with the list.",
  "Let me know if I should continue.",
  "Let me know when you are ready for the next step.",
  "I will continue with the next item unless you say otherwise.",
  "Ready for the next one when you are!",
];
const NOT_ASKED = [
  "If you want, I can also add more tests.",
  "Let me know if you have questions.",
  "Everything is done.",
  "I removed the dead code and released the lock.",
  "Is this a bug? I fixed it.",
  "The service sends an e-mail when an order is paid.",
  "I added a `--force` flag that overwrites the file.",
  "`unless` is now parsed like `if not`.",
  "Say hello with `sum.sh`.",
  "Otherwise the parser would fail on empty input.",
  "When you run it, it prints the sum.",
  "I made sure that it stops if there is no input.",
  "I check the type first, otherwise it fails on a string.",
  "I print a hint if you do not want colours.",
  "I froze the object, and it says so.",
  "Unless a file is given, it reads standard input.",
  "It works when you are offline, I tried.",
  "Why was it slow? It read the file twice. I read it once.",
];

/** Thousands of last words: acts and bare questions, by how they are put, where they stand and how they are written. */
export function* generateEndings(): Generator<GeneratedEnding> {
  const all = generateQuestions();
  for (const language of new Set(all.map((each) => each.language))) {
    const own = all.filter((each) => each.language === language);
    const bare = own.filter(({ kind }) => kind === "bare").map(({ text }) => text);
    const acts = own.filter(({ kind }) => kind === "act").map(({ text }) => text);
    yield* written(language, "act", acts);
    yield* written(language, "bare", bare);
    const [first] = bare as [string, ...string[]];
    // Without its sign, a question reads like what is going to be done.
    const said = acts.map((text) => text.replace(/[?？؟¿;]/gu, "."));
    for (const act of said) yield* placed(language, act, first);
    for (const act of acts) yield* placed(language, act, first);
  }
  const acts = [...ENGLISH_ACTS, ...UNKNOWN_ACTS];
  yield* written("English", "act", fill(OFFERS, acts));
  const bare = ["Shall I continue?", "Continue?", "Shall I proceed with the next item?", "OK to go on?"];
  yield* written("English", "bare", WRAPPED);
  for (const [language, { unknown, harmless, reports, bare }] of Object.entries(ELSEWHERE))
    for (const question of bare) {
      for (const act of unknown) yield* placed(language, act, question, NEAR);
      for (const [place, put] of PLACES.slice(0, 7))
        for (const text of place.includes("list") ? reports : [...harmless, ...reports])
          yield { language, kind: "bare", frame: `report ${place}`, text: put(text, question) };
    }
  for (const text of [...NOT_ASKED, ...REPORTS]) yield { language: "English", kind: "none", frame: "statement", text };
  for (const text of SUMMARIES) yield { language: "English", kind: "none", frame: "summary", text };
  for (const question of bare) {
    for (const summary of SUMMARIES)
      yield { language: "English", kind: "bare", frame: "summary", text: `${summary}\n\n${question}` };
    for (const act of fill(ANNOUNCEMENTS, ENGLISH_ACTS)) yield* placed("English", act, question);
    for (const act of fill(ANNOUNCEMENTS, UNKNOWN_ACTS)) yield* placed("English", act, question, NEAR);
    for (const act of ENGLISH_ACTS) yield* placed("English", capital(act), question);
    for (const report of [...REPORTS, ...HARMLESS])
      for (const [place, put] of PLACES.slice(0, 7))
        yield { language: "English", kind: "bare", frame: `report ${place}`, text: put(report, question) };
  }
}

/** What no table names is known by its announcement, and only where the question follows. */
const NEAR = /^(before|the line before|the paragraph before)$/;

function* written(
  language: string,
  kind: GeneratedEnding["kind"],
  texts: readonly string[],
): Generator<GeneratedEnding> {
  for (const text of texts)
    for (const [frame, dress] of [...DRESSES, ...POLITE]) yield { language, kind, frame, text: dress(text) };
}

function* placed(language: string, act: string, bare: string, where = /./): Generator<GeneratedEnding> {
  for (const [place, put] of PLACES)
    if (where.test(place)) yield { language, kind: "act", frame: place, text: put(act, bare) };
}
