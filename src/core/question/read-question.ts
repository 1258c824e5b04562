import { clipLine } from "../text/index.ts";
import { announcesMore, isReport, isToCome } from "./announcement.ts";
import { type Ending, lastSentences } from "./ending.ts";
import {
  asksForYes,
  asksLeave,
  isConsent,
  isFarewell,
  isOffer,
  isQuestion,
  isRequest,
  withoutAsking,
} from "./phrases.ts";
import { isBare, namesAct, namesPrice, wordsOf } from "./vocabulary.ts";

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
  const { sentences, earlier, hasChoices } = lastSentences(words);
  const last = sentences.findLastIndex((sentence) => !isRequest(sentence) && !isFarewell(sentence));
  const [spoken, requests] = [sentences[last] ?? "", sentences.slice(last + 1)];
  if (isQuestion(spoken)) return asked(spoken, { before: sentences.slice(0, last), earlier, list, hasChoices });
  const risky = sentences.findLast((sentence) => isQuestion(sentence) && asksForMore(sentence, list));
  if (risky !== undefined) return { kind: "question", text: shown(risky) };
  const open = sentences.findLastIndex(
    (sentence) => isQuestion(sentence) && (isBare(sentence, list) || isShort(sentence)),
  );
  // "Shall I continue? I would also delete the backups." A yes to the question would be a yes to what follows it.
  const also = open < 0 ? undefined : sentences.slice(open + 1).find((sentence) => isMeant(sentence, list));
  if (also !== undefined) return { kind: "question", text: shown(`${sentences[open]} ${also}`) };
  const request =
    requests.findLast(asksForYes) ??
    sentences.findLast(isConsent) ??
    requests.findLast(isRequest) ??
    sentences.findLast(isOffer);
  return request === undefined ? undefined : requested(request, { before: sentences, earlier, list, hasChoices });
}

/** What stands around a question: the sentences right before it, those above, the todos. */
interface Around {
  readonly before: readonly string[];
  readonly earlier: Ending["earlier"];
  readonly list: readonly string[];
  readonly hasChoices: boolean;
}

function asked(sentence: string, around: Around): Asked {
  if (namesAct(sentence)) return { kind: "act", text: shown(sentence) };
  // "The next step drops the table. Shall I continue?" asks for more than the list.
  const meant = meantBy(around);
  if (meant !== undefined) return { kind: "question", text: shown(`${meant} ${sentence}`) };
  const isContinue = !around.hasChoices && !namesPrice(sentence) && isBare(sentence, around.list);
  return { kind: isContinue ? "continue" : "question", text: shown(sentence) };
}

/** What a yes would be for besides the list. */
const meantBy = ({ before, earlier, list }: Around): string | undefined =>
  before.findLast((sentence) => isMeant(sentence, list)) ?? earlier().findLast(isToCome);

const isMeant = (sentence: string, list: readonly string[]): boolean =>
  (namesPrice(sentence) && !isReport(sentence)) || announcesMore(sentence, list);

/** "Objections?", "Okay?": what is asked stands beside it. */
const isShort = (sentence: string): boolean => wordsOf(sentence).length <= 3;

/** Asked in passing: "May I open the port? Otherwise I continue." What only names no leave, such as "Is this a bug?", was answered by the agent. */
const asksForMore = (sentence: string, list: readonly string[]): boolean =>
  namesPrice(sentence) || (asksLeave(sentence) && !isBare(sentence, list));

/**
 * It asks without a question mark. "Let me know" alone is a manner of speaking, "please confirm" is not. What is to be confirmed is judged
 * like a question: one unknown word, and it is yours to answer.
 */
function requested(sentence: string, around: Around): Asked | undefined {
  const text = shown(sentence);
  const asks = asksForYes(sentence) || isConsent(sentence);
  if (around.before.some((each) => namesPrice(each) && !isReport(each)))
    return { kind: asksForYes(sentence) && namesAct(sentence) ? "act" : "question", text };
  if (!asks) return undefined;
  const isContinue =
    isBare(withoutAsking(sentence), around.list) &&
    meantBy({ ...around, before: around.before.filter((each) => each !== sentence) }) === undefined;
  return { kind: isContinue ? "continue" : "question", text };
}

const shown = (sentence: string): string => clipLine(sentence.replace(/[*_`#>]+/g, ""), 300);
