import { clipLine } from "../text/index.ts";
import { isBare, namesAct, namesPrice } from "./vocabulary.ts";

/**
 * What the agent asked when it ended its turn.
 * `continue`: nothing but whether it may continue with its list. The answer is the list, and permits nothing else.
 * `question`: something that only you can answer; in doubt it is this one.
 * `act`: whether it may do something that cannot be taken back. Only you answer that.
 */
export interface Asked {
  readonly kind: "continue" | "question" | "act";
  readonly text: string;
}

/**
 * `list`: the texts of the todos, whose words may stand in a bare question. Only the end is looked at, because last words may
 * be as long as a file: the last sentences, and choices listed below a question belong to it.
 */
export function readQuestion(words: string, list: readonly string[] = []): Asked | undefined {
  const { sentences, hasChoices } = lastSentences(words);
  const last = sentences.findLastIndex((sentence) => !isRequest(sentence) && !isFarewell(sentence));
  const [spoken, requests] = [sentences[last] ?? "", sentences.slice(last + 1)];
  if (isQuestion(spoken)) return asked(spoken, sentences.slice(0, last), list, hasChoices);
  const risky = sentences.findLast((sentence) => isQuestion(sentence) && namesAct(sentence));
  if (risky !== undefined) return { kind: "question", text: shown(risky) };
  const open = sentences.findLastIndex((sentence) => isQuestion(sentence) && isBare(sentence, list));
  // "Shall I continue? I would also delete the backups." A yes to the question would be a yes to what follows it.
  const also = open < 0 ? undefined : sentences.slice(open + 1).find(namesPrice);
  if (also !== undefined) return { kind: "question", text: shown(`${sentences[open]} ${also}`) };
  const asksForYes = requests.findLast((sentence) => PERMISSION.test(sentence));
  const request = asksForYes ?? requests.findLast(isRequest) ?? (isConditional(spoken) ? spoken : undefined);
  return request === undefined ? undefined : requested(request, sentences, list);
}

function asked(sentence: string, before: readonly string[], list: readonly string[], hasChoices: boolean): Asked {
  if (namesAct(sentence)) return { kind: "act", text: shown(sentence) };
  // "The next step drops the table. Shall I continue?" asks for more than the list.
  const meant = before.findLast(namesPrice);
  if (meant !== undefined) return { kind: "question", text: shown(`${meant} ${sentence}`) };
  return { kind: !hasChoices && isBare(sentence, list) ? "continue" : "question", text: shown(sentence) };
}

/**
 * It asks without a question mark. "Let me know" alone is a manner of speaking, "please confirm" is not. What is to be confirmed is judged
 * like a question: one unknown word, and it is yours to answer.
 */
function requested(sentence: string, all: readonly string[], list: readonly string[]): Asked | undefined {
  const text = shown(sentence);
  if (all.some(namesAct)) return { kind: PERMISSION.test(sentence) && namesAct(sentence) ? "act" : "question", text };
  if (!PERMISSION.test(sentence)) return undefined;
  return { kind: isBare(withoutAsking(sentence), list) ? "continue" : "question", text };
}

const SIGN = "?？؟\\u037e⸮՞፧";
const CLOSING = "\"'”’»」』)\\]*_`~:";
const AFTER = `[${CLOSING}\\s\\p{Extended_Pictographic}\\ufe0f\\u200d]*$`;
const MARKED = new RegExp(`[${SIGN}]${AFTER}`, "u");
/** Questions of languages that need no sign for them, and of people who leave it out. */
const UNMARKED = new RegExp(
  `(か|かな|かね|吗|嗎|呢|까요?|나요|습니까|ไหม|มั้ย|หรือไม่)[。.!！]?${AFTER}|^\\W*(shall|should|may|can|could) (i|we)\\b|^\\W*(do|would) you (want|like)\\b|^\\W*(soll|darf) ich\\b|^\\W*(quieres|desea|debo|puedo)\\b|^\\W*(dois-je|puis-je|voulez-vous)\\b|^\\W*(devo|posso)\\b|^\\W*(czy)\\b`,
  "iu",
);
const isQuestion = (sentence: string): boolean => MARKED.test(sentence) || UNMARKED.test(sentence);
/** In Greek a semicolon asks. */
const withGreekSign = (text: string): string => text.replace(/(\p{Script=Greek}[^;.!?\n]{0,300});/gu, "$1?");

/** Asks for a yes: what follows a question, or stands for one. */
const PERMISSION =
  /\b(confirm|approv|authoriz|authoris|permission|consent|go-ahead|green light|sign[- ]off|bestätig|freigabe|genehmig|erlaubnis|zustimmung|einverständnis|confirma|confirme|autoriza|permiso|aprueb|aprob|aprova|permissão|autorisation|approuv|autorise|conferm|permesso|approva|bevestig|toestemming|goedkeur|bekräfta|godkänn|tillåtelse|potwierd|zatwierd|zgod|potvr|schval|onay|izn|(?:reply|respond|answer|type|say)(?: with)? ["'“]?(?:yes|y|ok)\b)|подтверд|разреш|одобр|соглас|підтвер|дозв|确认|確認|批准|同意|许可|許可|授权|授權|承認|承诺|確認|확인|승인|허락|허가|동의|تأكيد|أكد|موافق|إذن|पुष्टि|अनुमति|मंज़ूरी|स्वीकृति|konfirmasi|persetujuan|izin|xác nhận|cho phép|đồng ý/iu;
/** What stands around it. */
const POLITE =
  /(?<!\p{L})(please|kindly|i need|we need|bitte( um)?|ich (brauche|benötige)|(deine|ihre|eure)\b|auf|um|veuillez|merci de|j'attends|votre|ton|il me faut|necesito|tu|su|preciso|sua|por favor|aguardo|attendo|ik|op|om|mag|ett|på|jag får|att|proszę|że|na|прошу|нужно|ваше(го|й)?|lütfen|için|mohon|bahwa|vui lòng|rằng)(?![\p{L}'])|请|請|您|ください|お願いします|해 ?주세요|는지|कृपया|أرجو/iu;
const LET_ME_KNOW =
  /\b(let me know|tell me|please advise|your (answer|reply|response|decision|call|word|input)|waiting for|awaiting|reply|respond|say the word|type ["'“]?(yes|y|ok|continue)|sag mir|sagen sie|gib mir bescheid|bescheid|rückmeldung|antwort|warte|av[ií]s|dime|dígame|diga-me|me diga|espero|respond|dites-moi|dis-moi|réponse|attends|fammi sapere|dimmi|attendo|aspetto|laat (me|het)|wacht|säg till|väntar|daj znać|czekam|dejte|čekám|bekliyorum|söyle|haber)|дайте знать|сообщите|скажите|жду|повідом|请告诉|請告訴|告知|告诉我|等待|请回复|お知らせ|教えて|ください|お待ち|お願い|알려|답변|기다리|말씀|أخبر|بانتظار|बताएँ|बताएं|बताइए|beri tahu|cho tôi biết/iu;
/** What is asked for, without the asking. Made when it is needed: a process that lives for the end of one turn seldom meets a request. */
const withoutAsking = (sentence: string): string =>
  sentence.replace(
    new RegExp(
      String.raw`(?:${PERMISSION.source}|${LET_ME_KNOW.source})[\p{Script=Latin}\p{Script=Cyrillic}\p{M}]*|${POLITE.source}`,
      "giu",
    ),
    " ",
  );
const isRequest = (sentence: string): boolean =>
  !isQuestion(sentence) && (PERMISSION.test(sentence) || LET_ME_KNOW.test(sentence));
const CONDITION =
  /\b(unless you|if you (agree|approve|want|wish|are ok|'re ok|say so|don't mind|do not object)|with your (permission|approval|consent|ok)|wenn sie (zustimmen|möchten|einverstanden)|wenn du (willst|möchtest)|si (quieres|está de acuerdo|vous voulez|tu veux)|se (você|quiser|vuoi))/iu;
const isConditional = (sentence: string): boolean => CONDITION.test(sentence);
const isFarewell = (sentence: string): boolean =>
  /^\W*(thanks?|thank you|danke|gracias|merci|obrigad[oa]|grazie|спасибо|谢谢|ありがとう(ございます)?|감사합니다|dzięki|teşekkürler)\W*$/iu.test(
    sentence,
  );

const CHOICE = /^\s*([-*•–]|\(?[\p{L}\d]{1,2}[.):])\s/u;
/** `(y/n)`, `[Y/n]`: how to answer, no choice of its own. */
const withoutAnswers = (sentence: string): string =>
  sentence.replace(
    /[([](y|yes|j|ja|s|sí|si|sim|o|oui|д|да|是|はい|네|예|e)\s*\/\s*(n|no|nein|nao|não|non|н|нет|否|いいえ|아니오|h)[)\]]/giu,
    " ",
  );

interface Ending {
  readonly sentences: readonly string[];
  readonly hasChoices: boolean;
}

const LOOK_BACK = 3;

function lastSentences(words: string): Ending {
  const lines = withGreekSign(words.slice(-4000))
    .split("\n")
    .filter((line) => line.trim() !== "");
  const end = lines.findLastIndex((line) => !CHOICE.test(line) || isQuestion(line));
  const from = Math.max(0, end < 0 ? lines.length - 1 : end);
  const near = lines.slice(Math.max(0, from - 1), from + 1).map((line) => line.trimEnd().slice(-600));
  const sentences = near.flatMap((line) => withoutAnswers(line).match(SENTENCE) ?? []).map((each) => each.trim());
  return {
    sentences: sentences.filter((each) => /\p{L}/u.test(each)).slice(-1 - LOOK_BACK),
    hasChoices: from < lines.length - 1,
  };
}

/** A sign ends a sentence where a blank or a letter of a script without blanks follows it: `v1.2` and `a.ts` are words. */
const SENTENCE = new RegExp(
  `(?:[^.!。！${SIGN}\\n]|[.!](?=[^\\s"'”’»)\\]*_]))+(?:[.!。！${SIGN}]+[${CLOSING}]*|$)`,
  "gu",
);

const shown = (sentence: string): string => clipLine(sentence.replace(/[*_`#>]+/g, ""), 300);
