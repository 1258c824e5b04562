import type { Call, ModelRequest, Step as ModelStep, Script } from "../../scripted/index.ts";
import { type Persona, type PersonaCall, SILENT, type Step, type View } from "./persona.ts";

/** A persona as the script of a model on loopback. `toolOf` says what its calls are called in the host. */
export function scriptOf(persona: Persona, toolOf: (call: PersonaCall) => Call): Script {
  const model = persona.plays();
  return (request) => {
    const { value = SILENT } = model.next(viewOf(request));
    return answerOf(value, toolOf);
  };
}

function viewOf({ messages }: ModelRequest): View {
  const users = messages.filter(({ role }) => role === "user");
  const lastOther = messages.findLastIndex(({ role }) => role !== "tool");
  return {
    user: users.at(-1)?.text ?? "",
    results: messages.slice(lastOther + 1).map(({ text }) => text),
    turn: users.length,
  };
}

const STATUS = { rate_limit: 429, overload: 529, context_full: 400, other: 500 } as const;
const SAYS = {
  rate_limit: "rate limit reached",
  overload: "overloaded",
  context_full: "prompt is too long: it exceeds the maximum context length",
  other: "internal error",
} as const;

function answerOf({ say, calls, fails }: Step, toolOf: (call: PersonaCall) => Call): ModelStep {
  if (fails) {
    const reset =
      fails.resetInMs === undefined ? {} : { headers: { "retry-after": `${Math.ceil(fails.resetInMs / 1000)}` } };
    return { status: STATUS[fails.kind], message: SAYS[fails.kind], ...reset };
  }
  return { text: say, ...(calls && { calls: calls.map(toolOf) }) };
}
