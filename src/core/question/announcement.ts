import { late } from "./late.ts";
import { isFamiliar, isPriced, namesPrice, namesWithin, plain, stemsOf, within, wordsOf } from "./vocabulary.ts";

/**
 * What stands around a bare question says what a yes to it would be for. A sentence announces what is to be done, or it reports what was
 * done, or it describes. In doubt it announces: that costs one reminder.
 */

/** Somebody is going to do something or proposes it, or it has to be done. */
const INTENT = late(() =>
  anyOf(
    // English
    "(?:i|we)(?: (?:then|now|also))?(?:'(?:ll|d)| (?:will|would|could|can|should|must|might|may|shall|need to|have to|want to|plan|intend|propose|suggest|recommend)|(?: am|'m| are|'re) (?:now )?(?:going|about|planning|ready|set|prepared) to)|next|after (?:that|this),? (?:i|we)|then (?:i|we)|let(?:'s| me| us)|will|would|(?:going|about) to|requires?|involves?|(?:needs?|ha(?:s|ve)) to|the plan is|(?:last|final|remaining) step|what remains|is (?:next|left|due)|means?|from (?:here|now|then) on|gets? \\p{L}+ed",
    // German, Dutch, Swedish, Danish, Norwegian
    "(?:ich|wir) (?:werden?|würden?|will|wollen|möchten?|muss|müssen|müsste|kann|können|könnte|soll|sollten|schlagen?)|(?:werde|würde|muss|möchte|will) ich|als nächstes|danach|ik (?:ga|zal|zou|moet|wil|kan)|(?:ga|zal|moet|wil) ik|jag (?:ska|kommer att|vill|måste|kan|tänker)|(?:ska|måste|vill) jag|jeg (?:vil|skal|må|kan)|(?:vil|skal|må) jeg",
    // Spanish, Portuguese, Italian, French, Romanian
    "(?:voy|vamos) a|tengo que|debo|propongo|quiero|a continuación|ahora|vou|vamos|preciso|proponho|quero|em seguida|a seguir|sto per|devo|vorrei|intendo|adesso|je (?:vais|dois|propose|souhaite|voudrais|peux|compte)|nous (?:allons|devons)|ensuite|voi|vom|urmează|trebuie",
    // Polish, Czech, Russian, Ukrainian, Indonesian, Vietnamese
    "zamierzam|będę|muszę|chcę|następnie|budu|chci|musím|hodlám|буду|собираюсь|планирую|хочу|нужно|надо|затем|збираюся|планую|треба|потрібно|потім|akan|hendak|sẽ",
    // Turkish, Hindi
    "\\p{L}+(?:eceğim|acağım|eceğiz|acağız)|\\S+(?:ूँगा|ूंगा|ूँगी|ूंगी|ेंगे)",
  ),
);

/** Makes of what would be a report or a description something that is still to come. */
const COMING = late(() =>
  anyOf(
    "will|would|could|can|may|might|shall|should|must|needs?|going to|about to|to be|plan(?:s|ned)?|propos(?:e|al)|suggest|recommend|intend|want|now|then|next|later|soon|follows?|following|remain(?:s|ing)?|left|pending|open|due|finally|lastly|steps?|once|when|if|unless|until|before|after|ready|let's|let me|proceed|continue|requires?|today|tomorrow|tonight|missing|first",
  ),
);

/** Work on files that can be taken back. */
const HARMLESS = late(() =>
  stemsOf(
    "write writes writing implement* add adds adding create creating fix* test* check* read reads reading look* review* refactor* updat* document* extend* pars* verif* cover* tidy clean confirm* see note rename* format* build* compil* schreib* prüf* ergänz* hinzufüg* erstell* lese lesen beheb* escrib* añad* agreg* crear corrig* revis* écri* ajout* créer vérifi* scriv* aggiung* creare escrev* adicion* criar schrijf* voeg* maak* controleer* skriv* напис* писа* пиш* добав* созда* исправ* провер* yaz* ekle* 작성* 구현* 추가* 수정*",
  ),
);
/** Work on these is not. */
const OUTSIDE = late(() =>
  stemsOf(
    "dns domain* bucket* admin* root account* cluster* server* database* instance* host hosts port ports access role roles rights secret* public live everyone world internet owner*",
  ),
);

/** It says what is going to be done, and a part of that is neither about the list nor harmless. */
export function announcesMore(sentence: string, list: readonly string[]): boolean {
  const text = plain(sentence).replace(DENIED(), " ");
  if (!INTENT().test(text) && !INTENT_WITHIN().test(text)) return false;
  return clausesOf(text).some((clause) => !isHarmless(clause) && !isFamiliar(clause, list));
}

/** It names an act that is over: ticked off, or told in the past and in nothing but the past. */
export function isReport(sentence: string): boolean {
  if (TICKED().test(sentence)) return true;
  const text = plain(sentence.replace(NAMES(), " "));
  const isPast = (word: string) => PAST().test(word) || !isPriced(word);
  return !COMING().test(text) && !HALF_PAST().test(text) && !namesWithin(text) && wordsOf(text).every(isPast);
}

/** It stands far from the question and names an act: only one that is still to come is asked for. */
export function isToCome(sentence: string): boolean {
  if (!namesPrice(sentence) || isReport(sentence)) return false;
  const text = plain(sentence);
  return !ENGLISH().test(text) || COMING().test(text) || INTENT().test(text) || clausesOf(text).some(isOrder);
}

/** Begins with an act, or runs something that names one, as plans and orders do. */
function isOrder(clause: string): boolean {
  const done = DOES().exec(clause)?.[1];
  if (done !== undefined && isPriced(done)) return true;
  const [first] = wordsOf(clause).filter((word) => !/^(?:\d+|please|also|to|or|not|just)$/u.test(word));
  if (first === undefined || !namesPrice(clause)) return false;
  return (isPriced(first) && !PAST().test(first)) || /^(?:run|execute|call|apply|invoke|issue|do|use)$/u.test(first);
}

const clausesOf = (text: string): readonly string[] =>
  text
    .split(
      /[,;:|、，：；]|(?<!\p{L})(?:and|then|but|und|dann|y|luego|e|poi|et|puis|en|och|og|potem|и|та|ve|dan|và)(?!\p{L})|并|並|然后|然後/u,
    )
    .filter((clause) => /\p{L}/u.test(clause));

const isHarmless = (clause: string): boolean =>
  (wordsOf(clause).some((word) => within(HARMLESS(), word)) || HARMLESS_WITHIN().test(clause)) &&
  !wordsOf(clause).some((word) => within(OUTSIDE(), word));

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "u");
}

/** The intent in scripts whose words are not set apart, or stand within others. */
const INTENT_WITHIN = late(
  () => /سأ|سوف|سنقوم|겠습니다|예정|려고|将|將|打算|准备|準備|接下来|接下來|予定|つもり|ようと|次に/u,
);

const HARMLESS_WITHIN = late(() => /实现|實現|编写|編寫|添加|修复|修復|检查|檢查|実装|追加|修正/u);

/** "I could not find any." */
const DENIED = late(
  () =>
    /(?<!\p{L})(?:(?:there would be no|(?:can|could|will|would|should|must|may|might|do|does|did|need)(?: not|n't|not))|won't|can't|never)(?!\p{L})/gu,
);

const TICKED = late(() => /\[x\]|[✅✔☑✓]/iu);

/** `remove()` is what something is called. */
const NAMES = late(() => /`[\p{L}\d_.$]+\(\)`/gu);

const PAST = late(() => /(?:ed|sent|paid|bought|spent)$/u);

/** "The table is dropped": it may be, or may be about to be. */
const HALF_PAST = late(() => /(?<!\p{L})(?:is|are|be|being|gets?)(?!\p{L})/u);

/** Words that hardly any other language has. */
const ENGLISH = late(() => /(?<!\p{L})(?:the|with|this|that|which|from|and)(?!\p{L})/u);

/** "The migration drops two columns." */
const DOES = late(
  () =>
    /(?:migration|deployment|rollout|release|upgrade|update|script|command|pipeline|workflow|job|clean-?up|cut-?over|switch|step|change) (\p{L}+s)(?!\p{L})/u,
);
