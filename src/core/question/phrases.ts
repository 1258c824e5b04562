import { namesPrice, plain } from "./vocabulary.ts";

// Patterns are of lower-case text: the engine of JavaScript takes twice as long to make one that knows both.

/** Signs that ask. */
export const SIGN = "?？؟\\u037e⸮՞፧";
/** What may close a sentence after its sign. */
export const CLOSING = "\"'”’»」』)\\]*_`~:";
/** What may stand after the sign: what closes, blanks, pictures. */
const TAIL = new RegExp(`[${CLOSING}\\s\\p{Extended_Pictographic}\\ufe0f\\u200d]+$`, "u");
const SIGNED = new RegExp(`[${SIGN}]$`);
/** Questions of languages that need no sign for them, and of people who leave it out. */
const ENDS = /(?:か|かな|かね|吗|嗎|呢|까요?|나요|습니까|ไหม|มั้ย|หรือไม่)[。.!！]?$/;
const BEGINS =
  /^\W*(?:(?:shall|should|may|can|could) (?:i|we)|(?:do|would) you (?:want|like)|(?:soll|darf) ich|quieres|desea|debo|puedo|dois-je|puis-je|voulez-vous|devo|posso|czy)\b/;

export function isQuestion(sentence: string): boolean {
  const text = plain(sentence).replace(TAIL, "");
  return SIGNED.test(text) || ENDS.test(text) || BEGINS.test(text);
}

/** Asks whether it may, whatever it is. */
const LEAVE =
  /^\W*(continue|proceed|go (on|ahead)|carry on|resume)\b|\b(may|can|could|shall|should) (i|we)\b|(would|do) you (mind|want me|like me|want us|like us)|(want|ok(ay)?|fine|all right|alright|ready|good) (me )?(if i|to)\b|\b(soll|sollen|darf|dürfen|kann) (ich|wir)\b|puedo|debo|quieres que|puis-je|dois-je|voulez-vous que|posso|devo|mag ik|zal ik|får jag|ska jag|må jeg|skal jeg|czy mogę|mohu|můžu|мне|можно/;
export const asksLeave = (sentence: string): boolean => LEAVE.test(plain(sentence));

/** Asks for a yes: what follows a question, or stands for one. */
const PERMISSION =
  /\b((?:waiting for|awaiting|need) your (?:ok|okay|go|yes|nod)|confirm|approv|authoriz|authoris|permission|consent|go-ahead|green light|sign[- ]off|bestätig|freigabe|genehmig|erlaubnis|zustimmung|einverständnis|confirma|confirme|autoriza|permiso|aprueb|aprob|aprova|permissão|autorisation|approuv|autorise|conferm|permesso|approva|bevestig|toestemming|goedkeur|bekräfta|godkänn|tillåtelse|potwierd|zatwierd|zgod|potvr|schval|onay|izn|(?:reply|respond|answer|type|say)(?: with)? ["'“]?(?:yes|y|ok)\b)|подтверд|разреш|одобр|соглас|підтвер|дозв|确认|確認|批准|同意|许可|許可|授权|授權|承認|承诺|確認|확인|승인|허락|허가|동의|تأكيد|أكد|موافق|إذن|पुष्टि|अनुमति|मंज़ूरी|स्वीकृति|konfirmasi|persetujuan|izin|xác nhận|cho phép|đồng ý/;
/** What stands around it. */
const POLITE =
  /(?<!\p{L})(please|kindly|i need|we need|bitte( um)?|ich (brauche|benötige)|(deine|ihre|eure)\b|auf|um|veuillez|merci de|j'attends|votre|ton|il me faut|necesito|tu|su|preciso|sua|por favor|aguardo|attendo|ik|op|om|mag|ett|på|jag får|att|proszę|że|na|прошу|нужно|ваше(го|й)?|lütfen|için|mohon|bahwa|vui lòng|rằng)(?![\p{L}'])|请|請|您|ください|お願いします|해 ?주세요|는지|कृपया|أرجو/iu;
const LET_ME_KNOW =
  /\b(let me know|tell me|please advise|your (answer|reply|response|decision|call|word|input)|waiting for|awaiting|reply|respond|say the word|type ["'“]?(yes|y|ok|continue)|sag mir|sagen sie|gib mir bescheid|bescheid|rückmeldung|antwort|warte|av[ií]s|dime|dígame|diga-me|me diga|espero|respond|dites-moi|dis-moi|réponse|attends|fammi sapere|dimmi|attendo|aspetto|laat (me|het)|wacht|säg till|väntar|daj znać|czekam|dejte|čekám|bekliyorum|söyle|haber)|дайте знать|сообщите|скажите|жду|повідом|请告诉|請告訴|告知|告诉我|等待|请回复|お知らせ|教えて|ください|お待ち|お願い|알려|답변|기다리|말씀|أخبر|بانتظار|बताएँ|बताएं|बताइए|beri tahu|cho tôi biết/;
/** What is asked for, without the asking. Made when it is needed: a process that lives for the end of one turn seldom meets a request. */
export const withoutAsking = (sentence: string): string =>
  plain(sentence).replace(
    new RegExp(
      String.raw`(?:${PERMISSION.source}|${LET_ME_KNOW.source})[\p{Script=Latin}\p{Script=Cyrillic}\p{M}]*|${POLITE.source}`,
      "gu",
    ),
    " ",
  );
export const asksForYes = (sentence: string): boolean => PERMISSION.test(plain(sentence));
export const isRequest = (sentence: string): boolean =>
  !isQuestion(sentence) && (asksForYes(sentence) || LET_ME_KNOW.test(plain(sentence)));
/** It continues by itself unless you object, or as soon as you answer: any other answer would agree. */
const CONSENT =
  /\b(unless (you|i hear|told|otherwise|some(one|body)|any(one|body)|there('s| is| are) (an |any )?objections?)|if no ?(one|body) objects|thumbs[- ]up|(yes|ok|okay|nod|go|green light) and (i|we)|if (that|this|it)('s| is) (ok|okay|fine|alright|all right|good)|if (there (is|are)|you have) (no objections?|nothing against)|if i hear no(thing)?|if you (agree|approve|are (ok|okay|fine)|'re ok|say so|say yes|consent|(do not|don't) (object|mind|agree|disagree|say|stop)|(allow|permit|let) (it|me|us|that|this))|otherwise (i|we)('ll| will)|with your (permission|approval|consent|ok|okay|blessing)|(as soon as|once|when(ever)?) you (agree|approve|confirm|say|tell|give|let|are(?=\W*$| (ready|ok|okay|fine|done|happy)))|when(ever)? you're (ready|ok|okay|fine|done|happy)|say (the word|go|yes|so|when|stop)|(speak|shout) (up|if|now)|(veto|object) (if|now)|(take|taking) (your )?silence|stop me|(no|any) objections?|(let me know|tell me) (if|whether|when) (i|we|you want (me|us)|you('d| would) like (me|us)|to))\b/;
const FIRST_PERSON = /\b(i|we|me|us)\b/;
const CONSENT_ELSEWHERE =
  /(\b(wenn|falls|sofern) (sie|du|ihr) (zustimm\S*|einverstanden|nichts dagegen|nicht widersprech\S*)|es sei denn,? (sie|du|ihr)|(sonst|andernfalls) \S+ (ich|wir)|si (está de acuerdo|no te opones|no se opone|no hay objeciones)|a menos que (tú|usted|me|você)|salvo (que|objeción)|si vous êtes d'accord|sauf (objection|si vous|si tu)|moins que (vous|tu)|sinon (je|nous)|a meno che (tu|lei|non)|se concordar|tenzij (u|je|jij)|если вы не против)|einw[aä]nd|widersprech|widerspruch|objeción|objeciones|objeção|objeções|obiezion|bezwaar|bezwaren|invändning|indvending|innvending|sprzeciw|námit|возраж|заперечен|itiraz|kifogás|obiecți|异议|異議|反对意见|이의가|반대가|如果您同意/;
/** Stands in all of them: most sentences are told apart by this alone. */
const CONDITION =
  /unless|\bif\b|otherwise|\byou|silence|objection|\bsay\b|speak|shout|stop me|veto|thumbs|\band (?:i|we)\b|(?:tell|let) me/;

export function isConsent(sentence: string): boolean {
  const text = plain(sentence);
  const isEnglish = CONDITION.test(text) && CONSENT.test(text);
  return (isEnglish && (FIRST_PERSON.test(text) || namesPrice(text))) || CONSENT_ELSEWHERE.test(text);
}
/** Offers more than was asked for. */
const OFFER =
  /\b(if you (want|wish|'d like|would like)|wenn (sie möchten|du (willst|möchtest))|si (quieres|vous voulez|tu veux)|se (você|quiser|vuoi))\b/;
export const isOffer = (sentence: string): boolean => OFFER.test(plain(sentence));

const FAREWELLS: ReadonlySet<string> = new Set(
  "thank|thanks|thank you|danke|gracias|merci|obrigado|obrigada|grazie|спасибо|谢谢|ありがとう|ありがとうございます|감사합니다|dzięki|teşekkürler".split(
    "|",
  ),
);
export const isFarewell = (sentence: string): boolean => FAREWELLS.has(plain(sentence).replace(AROUND, ""));
/** Blanks, digits, signs and pictures. */
const AROUND =
  /^[\s\d!-/:-@[-`{-~\u2000-\u303f\uff01\ud800-\ufe0f]+|[\s\d!-/:-@[-`{-~\u2000-\u303f\uff01\ud800-\ufe0f]+$/g;
