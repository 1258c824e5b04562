import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** What a command of this repository may be given. */
export interface Command<T extends ParseArgsOptionsConfig> {
  /** Shown for --help, and names every option. */
  readonly help: string;
  readonly options: T;
  /** Options whose value is a whole number. */
  readonly whole?: readonly (keyof T & string)[];
  /** Options whose value is one of a few. */
  readonly oneOf?: { readonly [name in keyof T]?: readonly string[] };
}

const HELP = { help: { type: "boolean", short: "h", default: false } } as const;

type Value<O> = O extends { readonly type: "boolean" }
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;
type Values<T> = { readonly help: boolean } & {
  readonly [name in keyof T]: T[name] extends { readonly default: unknown }
    ? Value<T[name]>
    : Value<T[name]> | undefined;
};

export type Read<T extends ParseArgsOptionsConfig> =
  | { readonly ok: true; readonly values: Values<T> }
  | { readonly ok: false; readonly why: string };

/** A flag that is not known, or a value that makes no sense, is one sentence. */
export function readOptions<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { options, whole = [], oneOf = {} }: Omit<Command<T>, "help">,
): Read<T> {
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, ...HELP } });
    const given = values as Readonly<Record<string, unknown>>;
    for (const name of whole)
      if (given[name] !== undefined && !/^\d{1,15}$/.test(String(given[name])))
        return { ok: false, why: `--${name} takes a whole number, not "${given[name]}". See --help.` };
    for (const [name, known = []] of Object.entries<readonly string[] | undefined>(oneOf))
      if (given[name] !== undefined && !known.includes(String(given[name])))
        return { ok: false, why: `--${name} takes ${known.join(" or ")}, not "${given[name]}". See --help.` };
    return { ok: true, values: values as unknown as Values<T> };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, why: `${error.message.split(/\n|\. To specify/)[0]!.replace(/\.$/, "")}. See --help.` };
  }
}

/** The values that this process was given. Ends it with the help, or with exit 2 and one sentence. */
export function commandOptions<const T extends ParseArgsOptionsConfig>(command: Command<T>): Values<T> {
  const read = readOptions(process.argv.slice(2), command);
  if (!read.ok) {
    console.error(read.why);
    process.exit(2);
  }
  if (read.values.help) {
    console.log(command.help);
    process.exit(0);
  }
  return read.values;
}
