import { scripted as qwen } from "../../src/hosts/qwen/scripted.ts";
import type { Call, ModelRequest, ScriptedModel, Step } from "../../src/testing/index.ts";

/** How a host's tools are called, as far as every script needs them. */
export interface Scripted {
  shell(command: string): Call;
  /** The list of `count` items, the first `done` of which are completed, one more each time. */
  list(count: number, done: number): Call;
}

export const texts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `item number ${at}`);
export const oks = (): Step[] => Array.from({ length: 12 }, (_, at) => ({ text: `ok ${at}` }));

/** The list, then after every nudge one piece of work, one item completed, and a stop. */
export const stepwise = ({ shell, list }: Scripted, count: number): readonly Step[] => [
  { calls: [list(count, 0)] },
  { text: "The list is written." },
  ...texts(count).flatMap((_, at): Step[] => [
    { calls: [shell(`echo ${at} >> work.txt`)] },
    { calls: [list(count, at + 1)] },
    { text: `Item ${at} is done, I stop here.` },
  ]),
];

/** Requests that hosts make on the side, such as for a title or a summary, use up no step. */
export function turns(steps: readonly Step[], isAside: (request: ModelRequest) => boolean = () => false) {
  let at = 0;
  return (request: ModelRequest): Step =>
    isMain(request) && !isAside(request)
      ? (steps[at++] ?? { text: "The script is over." })
      : { text: "<summary>what was said</summary>" };
}

/** The model keeps the host waiting forever. */
export const NEVER: Step = { text: "never said", after: new Promise(() => {}) };

/** The same, and when the step that is never said was asked for. */
export function hanging(steps: readonly Step[]) {
  const asked = Promise.withResolvers<void>();
  const next = turns(steps);
  const script = (request: ModelRequest): Step => {
    const step = next(request);
    if (step === NEVER) asked.resolve();
    return step;
  };
  return { script, asked: asked.promise };
}

/** What hosts ask on the side offers no tool, or one: Codex asks for a title like that. Qwen Code asks with tools, too. */
export const isMain = (request: ModelRequest): boolean => request.tools.length > 1 && !isAside(request);
export const isAside = (request: ModelRequest): boolean => qwen.isAside?.(request) ?? false;
export const mainRequests = (model: ScriptedModel): readonly ModelRequest[] => model.requests.filter(isMain);
export const textOf = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ text }) => text)].join("\n");
