/** The parts of OpenCode's plugin interface that we read and call. All of it is checked again when it is read. */

export interface PluginInput {
  readonly client: Client;
  readonly directory: string;
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
}
type Call<Request, Answer> = (request: Request) => Promise<Answered<Answer>>;
interface Raw {
  readonly url: string;
  readonly path: Readonly<Record<string, string>>;
}
interface At {
  readonly path: { readonly id: string };
}

export interface Client {
  readonly session: {
    readonly prompt: Call<
      At & { readonly body: PromptBody },
      { readonly info: { id: string }; parts: { id: string }[] }
    >;
    readonly promptAsync: Call<At & { readonly body: PromptBody }, unknown>;
    readonly get: Call<At, { readonly parentID?: string }>;
    readonly todo: Call<At, readonly unknown[]>;
    /** The newest ones, the oldest of them first. */
    readonly messages: Call<At & { readonly query: { readonly limit: number } }, readonly Stored[]>;
    readonly message: Call<{ readonly path: { readonly id: string; readonly messageID: string } }, Stored>;
    /** Only sessions that are not idle. */
    readonly status: Call<undefined, Readonly<Record<string, unknown>>>;
    readonly abort: Call<At, unknown>;
  };
  readonly app: { readonly agents: Call<undefined, readonly AgentEntry[]> };
  readonly tui: { readonly showToast: Call<{ readonly body: ToastBody }, unknown> };
  /** The typed client has no call that deletes a part, and its answer to a permission takes no words. */
  readonly _client: {
    readonly delete: (request: Raw) => Promise<unknown>;
    readonly post: Call<Raw & { readonly headers: Readonly<Record<string, string>>; readonly body: object }, unknown>;
  };
}

export interface Stored {
  readonly info: Fields;
  readonly parts: readonly unknown[];
}

export interface ToastBody {
  readonly title: string;
  readonly message: string;
  readonly variant: "info" | "success" | "warning" | "error";
  readonly duration?: number;
}

export interface PromptBody {
  readonly agent?: string;
  readonly model?: Model;
  readonly variant?: string;
  readonly noReply?: boolean;
  readonly parts: readonly TextPart[];
}
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly synthetic?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

export interface AgentEntry {
  readonly name: string;
  readonly permission?: readonly PermissionRule[];
}
export interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: "allow" | "ask" | "deny";
}

/** An event as it arrives; more types come than are listed anywhere. */
export interface HostEvent {
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const textAt = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
};
export const numberAt = (fields: Fields, name: string): number => {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
};

/** What a call answered. A failed read must not look like an empty one, so it throws. */
export async function dataOf<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error } = await call;
  if (error !== undefined || data === undefined) throw new Error(`OpenCode did not answer: ${sayError(error)}`);
  return data;
}

/** For calls that answer with nothing. */
export async function accepted(call: Promise<Answered<unknown>>): Promise<void> {
  const { error } = await call;
  if (error !== undefined) throw new Error(`OpenCode refused: ${sayError(error)}`);
}

function sayError(error: unknown): string {
  const fields = fieldsOf(error);
  const said = textAt(fieldsOf(fields.data), "message") ?? textAt(fields, "message") ?? textAt(fields, "name");
  return (said ?? (typeof error === "string" ? error : "no data")).slice(0, 500);
}
