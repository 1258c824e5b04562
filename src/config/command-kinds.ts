import { type Check, isTrivialCheck } from "../core/todo/index.ts";
import { duration } from "./duration.ts";
import { fields } from "./fields.ts";
import { accept, either, type Kind, list, refuse, text } from "./kind.ts";

/** A shell line, or an argument vector that no shell reads. */
export const command: Kind<string | readonly string[]> = either(
  text("a shell line", /\S/),
  list(text("a word", /^[^\0]+$/)),
);

const described = fields(
  "a check",
  {
    run: command,
    cwd: text("a folder inside the project", /^(?!\/)(?!.*(?:^|[\\/])\.\.(?:[\\/]|$))[^\0]+$/),
    timeout: duration("24h"),
  },
  ["run"],
);

/** A check of the user: a shell line, or what to run with where and how long. */
export const check: Kind<Check> = {
  expected: "a shell line, or a check (run, cwd, timeout)",
  read: (value) => {
    const reading = described.read(typeof value === "string" ? { run: value } : value);
    if (!reading.ok) return typeof value === "string" ? refuse(check.expected, value) : reading;
    const { run, cwd, timeout } = reading.value;
    if (isTrivialCheck({ run }))
      return refuse("a check that can fail; this one always passes and proves nothing", value);
    return accept({ run, by: "human", ...(cwd && { cwd }), ...(timeout && { timeoutMs: timeout }) });
  },
  fromText: (line) => line,
  show: ({ run }) => JSON.stringify(run),
  schema: { anyOf: [{ type: "string" }, described.schema] },
};
