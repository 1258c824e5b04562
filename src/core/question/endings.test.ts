import { expect, test } from "vitest";
import { type GeneratedEnding, generateEndings } from "../../../test/builders/generate-endings.ts";
import { QUESTIONED_LIST } from "../../testing/questions/index.ts";
import { readQuestion } from "./index.ts";

/** Of nearly 70,000 last words every fourth, which is a second's work; `TILDONE_PROPERTIES` reads them all. */
const SHARE = process.env.TILDONE_PROPERTIES === undefined ? 4 : 1;
const ENDINGS = [...generateEndings()].filter((_, at) => at % SHARE === 0);
const kindOf = (text: string) => readQuestion(text, QUESTIONED_LIST)?.kind;

const wrong = (kind: GeneratedEnding["kind"], isRight: (read: string | undefined) => boolean): readonly string[] =>
  ENDINGS.filter((each) => each.kind === kind && !isRight(kindOf(each.text))).map(
    ({ language, frame, text }) => `${language}, ${frame}: ${JSON.stringify(text)} -> ${kindOf(text)}`,
  );

test("there are thousands of them", () => expect(ENDINGS.length).toBeGreaterThan(15_000));

test("a question about an act goes to you: it is never read as a bare question, nor as none", () =>
  expect(wrong("act", (read) => read === "question" || read === "act").slice(0, 20)).toEqual([]));

/** It costs one reminder: an alternative, and what else may be confirmed. */
const TAKEN_FOR_QUESTIONS =
  /Please confirm: shall I continue|Please \*\*confirm: shall I continue|or is that all for now/;

test("a bare question is answered with the list, whatever was reported before it", () => {
  const stopped = wrong("bare", (read) => read === "continue" || read === undefined);
  expect(stopped.filter((each) => !TAKEN_FOR_QUESTIONS.test(each)).slice(0, 20)).toEqual([]);
  expect(stopped.length / ENDINGS.length).toBeLessThan(0.001);
});

test("what only tells, asks nothing", () => expect(wrong("none", (read) => read === undefined)).toEqual([]));

/** What people and models write that no frame above makes. */
const LIST = [...QUESTIONED_LIST, "Terminate idle test instances", "Write docs for all production instances"];
const YOURS = [
  "Everything is prepared for the cut-over. Flipping the switch is the last step. Shall I continue?",
  "To finish, the old cluster has to go. Shall I proceed?",
  "What remains is removing the legacy bucket.\n\nWe have 400 users there.\n\nIt is quick.\n\nShall I continue?",
  "The migration drops two columns.\n\nI checked the code twice.\n\nThe tests pass.\n\nContinue?",
  "My plan is as follows:\n1) stop the service\n2) wipe the volume\n3) start it again\n\nGood to go?",
  "Should I go ahead?\n\nThis would delete everything in /data.",
  "Proceed with deletion?",
  "Go ahead with the force push?",
  "Shall I continue with the deployment?",
  "Continue with `git push --force`?",
  "Shall I proceed with step 3 (dropping the table)?",
  "Shall I continue with that? It means paying 200 euros.",
  "I'd now give everyone access. Shall I go on?",
  "I want to hand out admin rights to the contractors. OK to continue?",
  "We'll have to reboot the host for that. Proceed?",
  "Reply 'continue' and I'll wipe the disk.",
  "Type CONTINUE to delete all backups.",
  "If I hear nothing, the tables get dropped.",
  "I'll take silence as a yes and publish the package.",
  "Deleting the database next - shout if that's a problem.",
  "Database deletion is next. Continue?",
  "Deployment is scheduled after this. Shall I continue?",
  "Next up: release. Shall I continue?",
  "I'm happy to continue, but that would overwrite your changes. Shall I?",
  "Continuing means your local changes are lost. Continue?",
  "Continuing will remove your local changes. Continue?",
  "Warning: this cannot be undone. Continue?",
  "This action is irreversible!\n\nContinue? [y/N]",
  "All data will be lost. Continue?",
  "Are you sure you want to continue? All rows will be gone.",
  "You will lose all uncommitted work if I continue. Shall I?",
  "Can you approve the deletion so that I can continue?",
  "Do I have your permission to delete it and continue?",
  "Shall I also drop the index while continuing?",
  "Soll ich weitermachen und dabei die alten Daten löschen?",
  "Dabei gehen alle Daten verloren. Soll ich weitermachen?",
  "¿Continúo y borro la base?",
  "Se perderán todos los datos. ¿Continúo?",
  "Toutes les données seront perdues. Dois-je continuer ?",
  "Все данные будут потеряны. Продолжить?",
  "所有数据都会丢失。要继续吗？",
  "すべてのデータが失われます。続けますか？",
  "모든 데이터가 사라집니다. 계속할까요?",
  "Tüm veriler kaybolacak. Devam edeyim mi?",
  "Shall I terminate all instances and continue?",
  "The next item needs root on the server. Shall I continue?",
  "Item 2 means that the old users can no longer log in.\n\nShall I proceed?",
  "Heads-up: from here on every commit goes to the shared branch.\n\nShall I continue?",
  "Next:\n* kill the worker\n* purge the queue\n\nShall I continue?",
  "1. Purge the queue ✔\n2. Drop the table\n\nShall I go on?",
  "- [x] purge queue\n- [ ] drop table\n\nOk to proceed?",
  "```sh\nterraform destroy\n```\n\nShall I continue?",
  "```sh\nkubectl delete ns prod\n```\nOK to proceed?",
  "<details>I will delete the db</details>\n\nShall I continue?",
  "| Step | Action |\n|---|---|\n| 2 | Delete users |\n\nMay I proceed?",
  "I can go on in two ways: merge now, or rebase first. Shall I continue?",
  "Sum is done. I'd like your OK before the deploy. Continue?",
  "Shall I continue? (This sends 300 e-mails.)",
  "Continue? ⚠️ deletes data",
  "Shall I continue?\n\n⚠️ This deletes the volume.",
  "Shall I continue?\n\nNote: that publishes the package to npm.\n\nThanks!",
  "Shall I continue, deleting what is in the way?",
  "Is it ok if I go ahead and clear the cache bucket?",
  "Everything is ready. Push it?",
  "Ready to ship?",
  "Ship it?",
  "Merge?",
  "Shall I do it?",
  "Shall I go ahead with what I described?",
  "I described above how the accounts get closed. Shall I go ahead?",
  "Mag ik de database legen en doorgaan?",
  "Får jag tömma databasen och fortsätta?",
  "Czy mogę wyczyścić bazę i kontynuować?",
  "Можно очистить базу и продолжить?",
  "要不要清空数据库然后继续？",
  "データベースを空にして続けますか？",
  "¿Vacío la base de datos y sigo?",
  "Dois-je vider la base et continuer ?",
  "Posso svuotare il database e continuare?",
  "Posso esvaziar o banco e continuar?",
  "I have everything I need to flip the feature flag for all users. Shall I continue?",
  "The vendor needs our API key for the next part. Okay to continue?",
  "Remaining work:\n\n- swap the DNS records\n- shut down the old host\n\nShall I proceed?",
  "What's left: wiping the staging disk.\n\nContinue?",
  "Should I continue even if that breaks the API for existing users?",
  "Shall I continue although the lock file is not mine?",
  "Proceed anyway?",
  "Continue anyway? The backup failed.",
  "The backup failed. Shall I continue without one?",
  "It will ask for sudo. Ok to go on?",
  "I found credentials in .env. Shall I use them and go on?",
  "Can I use your GitHub token to continue?",
  "Shall I continue with admin rights?",
  "Shall I continue on main?",
  "Shall I continue in production?",
  "Shall I continue with all of them, including the live ones?",
  "Ich würde dafür die Firewall abschalten. Soll ich fortfahren?",
  "Als Nächstes würde ich auf main pushen.\n\nPasst das?",
  "Plan:\n1. Alte Tabellen löschen\n2. Neu anlegen\n\nSoll ich loslegen?",
  "Plan:\n1. Alte Tabellen löschen\n2. Neu anlegen\n\nSoll ich weitermachen?",
  "Étapes suivantes :\n- supprimer la base\n- relancer\n\nDois-je continuer ?",
  "Pasos:\n1. Borrar la base\n2. Crear otra\n\n¿Continúo?",
  "下一步：\n1. 删除旧表\n2. 重建\n\n要继续吗？",
  "次の手順：\n1. 古いテーブルを削除\n2. 再作成\n\n続けますか？",
  "Следующие шаги:\n1. Удалить старые таблицы\n2. Создать новые\n\nПродолжить?",
  "Próximos passos:\n- apagar o banco\n\nDevo continuar?",
  "Falls Sie nicht widersprechen, lösche ich die Tabelle.",
  "Sofern keine Einwände bestehen, veröffentliche ich das Paket.",
  "Sauf objection de votre part, je déploie en production.",
  "Si no hay objeciones, borro la base.",
  "如果没有异议，我将删除数据库。",
  "異議がなければ本番にデプロイします。",
  "Если нет возражений, я удалю базу.",
  "Unless there's an objection, deploying now.",
  "Deploying in 5 minutes unless someone objects.",
  "I'll go ahead and force-push; let me know if that's a problem.",
  "Proceeding to delete the database. Let me know if you disagree.",
  "Give me a thumbs up and I'll merge.",
  "A quick yes and I'll ship it.",
  "Thoughts on dropping the table before I continue?",
  "Any objections to force-pushing?",
  "Objections?\n\nI'd drop the table next.",
];
const OURS = [
  "Sum is done and tested. Shall I continue with product?",
  "I finished item 0.\n\nShould I move on to the next one?",
  "That was the last test of the first part. Would you like me to continue?",
  "The parser handles all cases now. Shall I go on with the rest of the list?",
  "Implemented sum; 14 tests pass. Continue with product?",
  "I have added the tests you asked for. May I proceed?",
  "No errors were found. Shall I proceed to the next task?",
  "I could not find any other problem. Shall I continue?",
  "Removed the unused import. Shall I continue?",
  "We are at item 1 of 2. Continue?",
  "This completes phase one. Ready for phase two?",
  "Let me know if you'd like me to continue with the next item.",
  "I will now implement product. Shall I continue?",
  "Die Tests laufen durch. Soll ich mit product weitermachen?",
  "La suma está implementada. ¿Sigo con product?",
  "J'ai implémenté sum. Je continue avec product ?",
  "sum を実装しました。続けますか？",
  "sum 已经实现。要继续吗？",
  "Done with the first two. Carry on?",
  "I'm done with item 0 and will continue with item 1 if that's fine.",
  "Sum works. Moving on to product, ok?",
  "I wrote 14 tests and they all pass.\n\nShall I go ahead with product?",
  "Here is what I did:\n\n1. Created `sum.sh`\n2. Wrote a test\n3. Ran the linter\n\nShall I continue with the remaining items?",
  "The list has 2 open items. Shall I continue?",
  "I also fixed a typo in the README. Continue with the next item?",
  "Two items are left. Shall I go on?",
  "The next item is product. Shall I continue?",
  "Now only product is missing. Shall I continue?",
  "I reverted my earlier attempt because it broke a test. Shall I continue?",
  "I've pushed nothing. Shall I continue?",
  "You can run it with `sh sum.sh`. Shall I continue?",
  "I had to change the parser for this. Shall I continue?",
  "There would be no benefit in caching here, so I left it out. Shall I continue?",
  "Sum is implemented and covered by 14 tests.\n\nNext: product.\n\nShall I continue?",
  "Both tests pass now; the first one failed before because of a typo. Shall I continue with the next item?",
  "I refactored the parser, which took longer than expected. Continue?",
  "Item 0 ✅\n\nShall I continue?",
  "Ich habe sum implementiert und getestet. Soll ich mit dem nächsten Punkt weitermachen?",
  "He implementado sum y las pruebas pasan. ¿Continúo con la siguiente tarea?",
  "J'ai terminé sum. Dois-je passer à la tâche suivante ?",
  "Сумма готова, тесты проходят. Продолжить?",
  "sum を実装し、テストも通りました。次に進みますか？",
  "합계를 구현했습니다. 계속할까요?",
  "Ho implementato sum. Continuo?",
  "Implementei sum. Continuo?",
  "sum is klaar. Zal ik verdergaan?",
];

test.each(YOURS)("%j is yours to answer", (text) => {
  expect(["question", "act"]).toContain(readQuestion(text, LIST)?.kind);
});
test.each(OURS)("%j asks for nothing but the list", (text) => {
  expect(["continue", undefined]).toContain(readQuestion(text, LIST)?.kind);
});
