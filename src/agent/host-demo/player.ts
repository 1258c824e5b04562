import type { ScriptedHost } from "../../hosts/index.ts";
import type { Call, ModelRequest, Step } from "../../scripted/index.ts";
import { type DemoLine, saidLine } from "../demo/demo-line.ts";
import type { Line, ScriptCall } from "../demo/script.ts";
import type { createTally } from "../demo/tally.ts";
import { asCommand } from "./as-command.ts";

interface Player {
  readonly script: readonly Line[];
  readonly scripted: ScriptedHost;
  readonly project: string;
  readonly tally: ReturnType<typeof createTally>;
  readonly out: (line: DemoLine) => void;
  /** The list as it stands in the log. */
  readonly todos: () => readonly string[];
  /** Before each answer: everything that happened until now is shown first. */
  readonly beforeEach: () => Promise<void>;
}

const OVER: Line = { says: "I have nothing more to do." };
/** Hosts ask for a title or a summary on the side, without tools or with one. */
const ASIDE: Step = { text: "A small program" };

/** Plays the script request by request, and says what the agent says and calls. */
export function createPlayer({ script, scripted, project, tally, out, todos, beforeEach }: Player) {
  const tools = scripted.tools();
  let at = 0;
  let before: Line | undefined;
  return async (request: ModelRequest): Promise<Step> => {
    if (request.tools.length <= 1 || scripted.isAside?.(request)) return ASIDE;
    const line = script[at++] ?? OVER;
    await beforeEach();
    tellFailure(before, request.messages.at(-1)?.text ?? "");
    before = line;
    tools.sees?.(todos());
    const calls = "calls" in line ? line.calls.map(toCall) : [];
    tell(line, calls);
    return "says" in line ? { text: line.says } : { calls };
  };

  function toCall(call: ScriptCall): Call {
    const command = asCommand(call, project);
    return command === undefined ? tools.ours(...call) : tools.shell(command);
  }

  function tellFailure(last: Line | undefined, heard: string): void {
    if (last === undefined || !("fails" in last) || last.fails === undefined || !heard.includes(last.fails)) return;
    tally.callFailed();
    out({ who: "tool", text: `failed: ${heard.slice(heard.indexOf(last.fails))}`, tone: "bad" });
  }

  /** What its todo tools do is told by the log. */
  function tell(line: Line, calls: readonly Call[]): void {
    if ("says" in line) {
      tally.said(line.says);
      out(saidLine(line.says));
      return;
    }
    line.calls.forEach((call, index) => {
      const command = asCommand(call, project);
      if (command !== undefined)
        out({ who: "tool", text: `${calls[index]![0]} ${command.split("\n")[0]}`, tone: "dim" });
    });
  }
}
