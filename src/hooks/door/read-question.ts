import { EVENTS, type Happening } from "../happening.ts";
import { isObject, type Payload } from "../payload.ts";
import { QUESTION_VERSION, type Question } from "./question.ts";

/**
 * The question in a line; undefined for whatever is none. Anybody who reaches the door may write here, so nothing is believed:
 * the two kinds of happening that hooks leave to their server, in exactly their shape, and nothing besides.
 */
export function readQuestion(line: string): Question | undefined {
  const value = objectIn(line);
  if (value?.v !== QUESTION_VERSION || !isExactly(value, FIELDS)) return undefined;
  const { host, event, session, secret, like, payload, happening } = value;
  const isWell =
    [host, session, secret].every((text) => typeof text === "string" && text.length < LONGEST_NAME) &&
    EVENTS.includes(event as never) &&
    isObject(like) &&
    isExactly(like, ["place", "all"]) &&
    isText(like.place) &&
    isTexts(like.all) &&
    isObject(payload) &&
    isFrequent(happening);
  return isWell ? (value as unknown as Question) : undefined;
}

const FIELDS = ["v", "host", "event", "session", "secret", "like", "payload", "happening"];
const LONGEST_NAME = 1_000;
const MOST_CALLS = 1_000;

function isFrequent(value: unknown): value is Happening {
  if (!isObject(value)) return false;
  if (value.type === "stopped")
    return hasOnly(value, {
      type: isText,
      text: isText,
      readOnly: isFlag,
      failure: isText,
      end: isText,
      turn: isText,
      background: isBackground,
    });
  if (value.type !== "calls.ended") return false;
  const { calls, interrupted } = value;
  return (
    hasOnly(value, { type: isText, calls: Array.isArray, interrupted: isFlag, readOnly: isFlag }) &&
    isFlag(interrupted) &&
    Array.isArray(calls) &&
    calls.length <= MOST_CALLS &&
    calls.every(isCall)
  );
}

const isCall = (value: unknown): boolean =>
  isObject(value) &&
  isTool(value.tool) &&
  hasOnly(value, { tool: isTool, args: isAny, result: isAny, list: isList, refused: isFlag });
const isTool = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.name) &&
  isTexts(value.kinds) &&
  hasOnly(value, { name: isText, kinds: isTexts, ours: isText });
const isBackground = (value: unknown): boolean =>
  isObject(value) && isCount(value.agents) && isCommands(value.commands) && isExactly(value, ["agents", "commands"]);
const isCommands = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MOST_CALLS && value.every(isCommand);
const isCommand = (value: unknown): boolean =>
  isObject(value) && hasOnly(value, { id: isText, line: isText, description: isText });
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isItem);
const isItem = (value: unknown): boolean =>
  isObject(value) && isText(value.text) && hasOnly(value, { text: isText, status: isText, priority: isText });

const isAny = (): boolean => true;
const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isExactly = (value: Payload, names: readonly string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** No field besides these, and each of those that are there as it should be. */
const hasOnly = (value: Payload, fields: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  Object.entries(value).every(([name, field]) => Object.hasOwn(fields, name) && fields[name]!(field));

function objectIn(line: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
