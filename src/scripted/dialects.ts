import type { Step } from "./scripted-model.ts";

/** A request in one shape, for every API. */
export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly { readonly role: "user" | "assistant" | "tool"; readonly text: string }[];
  /** The payload as it came. */
  readonly body: unknown;
}

/** One provider API: where it is asked, how a request reads, how an answer is written as server-sent events. */
export interface Dialect {
  readonly path: RegExp;
  read(body: unknown): ModelRequest;
  write(step: Step, count: number): readonly string[];
  /** The same at once, where a request asks for it; undefined: it asks for events. */
  whole?(step: Step, count: number, body: unknown): object | undefined;
  /** `retryAfter`: the seconds that a limit lasts, where the script's headers tell them. */
  failure(message: string, status: number, retryAfter?: string): object;
}

type Json = Record<string, unknown>;

const USAGE = { input: 10, output: 5 };

const completions: Dialect = {
  path: /\/chat\/completions$/,
  read: (body) => {
    const { messages = [], tools = [] } = body as { messages?: Json[]; tools?: { function?: { name?: string } }[] };
    return {
      system: textsOf(
        messages.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => content),
      ),
      tools: tools.map((tool) => tool.function?.name ?? ""),
      messages: messages
        .filter(({ role }) => role !== "system" && role !== "developer")
        .map(({ role, content }) => ({ role: role as "user" | "assistant" | "tool", text: textsOf(content) })),
      body,
    };
  },
  write: (step, count) => {
    const frame = (choices: object[], more: object = {}) =>
      event({ id: `s${count}`, object: "chat.completion.chunk", created: 1, model: "scripted", choices, ...more });
    const { message, finish_reason } = completion(step, count);
    return [
      frame([{ index: 0, delta: message }]),
      frame([{ index: 0, delta: {}, finish_reason }]),
      ...(step.usageless ? [] : [frame([], { usage: completionUsage(step) })]),
      "data: [DONE]\n\n",
    ];
  },
  whole: (step, count, body) =>
    (body as { stream?: unknown }).stream === true
      ? undefined
      : {
          id: `s${count}`,
          object: "chat.completion",
          created: 1,
          model: "scripted",
          choices: [{ index: 0, ...completion(step, count) }],
          ...(!step.usageless && { usage: completionUsage(step) }),
        },
  failure: (message) => ({ error: { message, type: "scripted" } }),
};

function completion({ text, calls, stop }: Step, count: number) {
  const tool_calls = calls?.map(([name, args], index) => ({
    index,
    id: callId(count, index),
    type: "function",
    function: { name, arguments: written(args) },
  }));
  return {
    message: { role: "assistant", content: text ?? "", ...(tool_calls && { tool_calls }) },
    finish_reason: stop === "length" ? "length" : tool_calls ? "tool_calls" : "stop",
  };
}

const completionUsage = ({ usage: { input, output } = USAGE }: Step) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

const responses: Dialect = {
  path: /\/responses$/,
  read: (body) => {
    const {
      input = [],
      instructions,
      tools = [],
    } = body as { input?: Json[] | string; instructions?: string; tools?: Json[] };
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    const isSystem = ({ role }: Json) => role === "system" || role === "developer";
    return {
      system: [instructions ?? "", textsOf(items.filter(isSystem).map(({ content }) => content))].join("\n").trim(),
      tools: tools.map(({ name }) => String(name ?? "")),
      messages: items
        .filter((item) => !isSystem(item) && item.type !== "reasoning")
        .map((item) => ({
          role: item.type === "function_call_output" ? "tool" : item.role === "user" ? "user" : "assistant",
          text: textsOf(item.content ?? item.output ?? item.arguments),
        })),
      body,
    };
  },
  write: ({ text, calls, stop, usage = USAGE }, count) => {
    const response = { id: `s${count}`, object: "response", created_at: 1, model: "scripted", output: [] as Json[] };
    const items: Json[] = [
      ...(text === undefined
        ? []
        : [
            {
              type: "message",
              id: `m${count}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text, annotations: [] }],
            },
          ]),
      ...(calls ?? []).map(([name, args], index) => ({
        type: "function_call",
        id: `f${count}_${index}`,
        call_id: callId(count, index),
        ...placed(name),
        arguments: written(args),
        status: "completed",
      })),
    ];
    const status = stop === "length" ? "incomplete" : "completed";
    return [
      named("response.created", { response: { ...response, status: "in_progress" } }),
      ...items.flatMap((item, output_index) => itemFrames(item, output_index)),
      named(`response.${status}`, {
        response: {
          ...response,
          status,
          output: items,
          ...(stop === "length" && { incomplete_details: { reason: "max_output_tokens" } }),
          usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output },
        },
      }),
    ];
  },
  failure: (message) => ({ error: { message, type: "scripted", code: null } }),
};

/** Tools of an MCP server may stand in a namespace: `space/tool`. */
function placed(name: string): Json {
  const [first, second] = name.split("/");
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

function itemFrames(item: Json, output_index: number): readonly string[] {
  const at = { output_index, item_id: item.id };
  const done = named("response.output_item.done", { output_index, item });
  if (item.type === "function_call")
    return [
      named("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } }),
      named("response.function_call_arguments.delta", { ...at, delta: item.arguments }),
      named("response.function_call_arguments.done", { ...at, arguments: item.arguments }),
      done,
    ];
  const [part] = item.content as [{ text: string }];
  const inPart = { ...at, content_index: 0 };
  return [
    named("response.output_item.added", { output_index, item: { ...item, content: [], status: "in_progress" } }),
    named("response.content_part.added", { ...inPart, part: { ...part, text: "" } }),
    named("response.output_text.delta", { ...inPart, delta: part.text }),
    named("response.output_text.done", { ...inPart, text: part.text }),
    named("response.content_part.done", { ...inPart, part }),
    done,
  ];
}

const anthropic: Dialect = {
  path: /\/messages$/,
  read: (body) => {
    const { messages = [], system, tools = [] } = body as { messages?: Json[]; system?: unknown; tools?: Json[] };
    return {
      system: textsOf(system),
      tools: tools.map(({ name }) => String(name ?? "")),
      messages: messages.map(({ role, content }) => ({
        role: isToolResult(content) ? "tool" : (role as "user" | "assistant"),
        text: textsOf(content),
      })),
      body,
    };
  },
  write: ({ text, calls, stop, usage = USAGE }, count) => {
    const blocks = [
      ...(text === undefined ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
      ...(calls ?? []).map(([name, args], index) => ({
        start: { type: "tool_use", id: callId(count, index), name, input: {} },
        delta: { type: "input_json_delta", partial_json: written(args) },
      })),
    ];
    const stop_reason = stop === "length" ? "max_tokens" : calls?.length ? "tool_use" : "end_turn";
    return [
      named("message_start", {
        message: {
          id: `s${count}`,
          type: "message",
          role: "assistant",
          model: "scripted",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: usage.input, output_tokens: 0 },
        },
      }),
      ...blocks.flatMap(({ start, delta }, index) => [
        named("content_block_start", { index, content_block: start }),
        named("content_block_delta", { index, delta }),
        named("content_block_stop", { index }),
      ]),
      named("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output } }),
      named("message_stop", {}),
    ];
  },
  failure: (message) => ({ type: "error", error: { type: "api_error", message } }),
};

const gemini: Dialect = {
  path: /:streamGenerateContent$/,
  read: (body) => {
    const given = body as { contents?: { role?: string; parts?: Json[] }[]; systemInstruction?: { parts?: unknown } };
    const { tools = [] } = body as { tools?: { functionDeclarations?: { name?: string }[] }[] };
    return {
      system: textsOf(given.systemInstruction?.parts),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name ?? "")),
      messages: (given.contents ?? []).map(({ role, parts = [] }) => ({
        role: parts.some((part) => "functionResponse" in part) ? "tool" : role === "model" ? "assistant" : "user",
        text: parts.map((part) => ("functionResponse" in part ? JSON.stringify(part) : textsOf(part))).join("\n"),
      })),
      body,
    };
  },
  write: (step) => [event(generated(step))],
  failure: (message, code, retryAfter) => ({
    error:
      code === 429
        ? {
            code,
            message,
            status: "RESOURCE_EXHAUSTED",
            details: [retryAfter === undefined ? DAILY_QUOTA : retryInfo(retryAfter)],
          }
        : { code, message, status: code >= 500 ? "UNAVAILABLE" : "INVALID_ARGUMENT" },
  }),
};

/** Asked for a summary, all at once. */
const geminiAtOnce: Dialect = {
  ...gemini,
  // Its own checks on a smaller model want another form of answer; without any it does without them.
  path: /\/models\/(?!.*flash)[^/]*:generateContent$/,
  write: (step) => [JSON.stringify(generated(step))],
};

function generated({ text, calls, stop, usage = USAGE }: Step): object {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...(calls ?? []).map(([name, args]) => ({ functionCall: { name, args } })),
  ];
  const candidate = {
    content: { role: "model", parts },
    finishReason: stop === "length" ? "MAX_TOKENS" : "STOP",
    index: 0,
  };
  const usageMetadata = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  };
  return { candidates: [candidate], usageMetadata };
}

const retryInfo = (seconds: string) => ({
  "@type": "type.googleapis.com/google.rpc.RetryInfo",
  retryDelay: `${seconds}s`,
});

/** A limit of the day is final; any other is tried again for a long time. */
const DAILY_QUOTA = {
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel" }],
};

export const DIALECTS: readonly Dialect[] = [completions, responses, anthropic, gemini, geminiAtOnce];

const written = (args: object | string): string => (typeof args === "string" ? args : JSON.stringify(args));
const callId = (count: number, index: number): string => `call_${count}_${index}`;
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (type: string, data: object): string => `event: ${type}\n${event({ type, ...data })}`;

const isToolResult = (content: unknown): boolean =>
  Array.isArray(content) && content.some((part: Json) => part.type === "tool_result");

/** Every text in a message, however deep the API nests it. */
function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textsOf).filter(Boolean).join("\n");
  if (typeof content !== "object" || content === null) return "";
  const { text, content: inner, output } = content as Json;
  return typeof text === "string" ? text : textsOf(inner ?? output);
}
