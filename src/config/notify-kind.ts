import { CHANNELS, type Channel, NOTIFY_KINDS, type NotifyKind } from "../core/run/index.ts";
import { command } from "./command-kinds.ts";
import { fields, isRecord } from "./fields.ts";
import { accept, boolean, type Kind, list, oneOf, type Reading, text } from "./kind.ts";

/** What you are told while you look away, and by what. Absent channels send nothing. */
export interface NotifySettings {
  readonly kinds: readonly NotifyKind[];
  /** Those that are set below. */
  readonly channels: readonly Channel[];
  readonly command?: string | readonly string[];
  readonly ntfy?: { readonly url: string; readonly token?: string };
  readonly webhook?: { readonly url: string; readonly secret?: string };
  readonly slack?: { readonly url: string };
  readonly desktop?: true;
  /** Commands that wait for approval: without secrets, or not at all. */
  readonly commands: "redacted" | "hidden";
  /** Where `tildone serve` is reached from your phone; without it there are no buttons. */
  readonly address?: string;
}

const KINDS = Object.keys(NOTIFY_KINDS) as NotifyKind[];
const url = text("an address that begins with https:// or http://", /^https?:\/\/[^\s/]+(\/\S*)?$/);
const topic = text(
  "the address of a topic, such as https://ntfy.sh/your-topic",
  /^https?:\/\/[^\s/?#]+(\/[^\s?#]+)*\/[\w-]{1,64}$/,
);
const secret = text("a secret of at least 16 characters", /^\S{16,}$/);

const described = fields(
  "what notifies you",
  {
    command,
    ntfy: place(topic, { token: text("an access token", /^\S+$/) }),
    webhook: place(url, { secret }),
    slack: place(url, {}),
    desktop: boolean,
    on: list(oneOf(KINDS)),
    commands: oneOf(["redacted", "hidden"]),
    address: text("an address that begins with https://", /^https:\/\/[^\s/?#]+(\/[^\s?#]*)?$/),
  },
  [],
);

/** A command alone, or what notifies you in detail. */
export const notify: Kind<NotifySettings> = {
  expected: `a command, or ${described.expected}`,
  read: (value) => {
    if (!isRecord(value)) {
      const reading = command.read(value);
      return reading.ok
        ? accept(withChannels({ kinds: KINDS, command: reading.value, commands: "redacted" }))
        : wrong(value);
    }
    const reading = described.read(value);
    if (!reading.ok) return reading;
    const { on = KINDS, commands = "redacted", desktop, address, ...channels } = reading.value;
    return accept(
      withChannels({
        ...{ kinds: on, commands },
        ...channels,
        ...(desktop && { desktop }),
        ...(address !== undefined && { address: address.replace(/\/+$/, "") }),
      }),
    );
  },
  fromText: command.fromText,
  show: (settings) => JSON.stringify(withoutSecrets(settings)),
  schema: { anyOf: [command.schema, described.schema] },
};

const withChannels = (settings: Omit<NotifySettings, "channels">): NotifySettings => ({
  ...settings,
  channels: (Object.keys(CHANNELS) as Channel[]).filter((name) => settings[name] !== undefined),
});

const wrong = (value: unknown): Reading<never> => ({
  ok: false,
  mistakes: [{ path: "", expected: notify.expected, value }],
});

/** An address alone, or with what it needs besides. */
function place<F extends Readonly<Record<string, Kind<string>>>>(address: Kind<string>, more: F) {
  const whole = fields("an address with what it needs", { url: address, ...more }, ["url"]);
  const kind: Kind<{ readonly url: string } & { readonly [K in keyof F]?: string }> = {
    expected: address.expected,
    read: (value) => {
      const reading = isRecord(value) ? whole.read(value) : address.read(value);
      if (!reading.ok) return reading;
      return accept((typeof reading.value === "string" ? { url: reading.value } : reading.value) as never);
    },
    fromText: (line) => line,
    show: (value) => JSON.stringify(value),
    schema: { anyOf: [address.schema, whole.schema] },
  };
  return kind;
}

/** The address of a topic or a hook is as good as a password: `tildone config` shows whose it is. */
function withoutSecrets(settings: NotifySettings): unknown {
  const { kinds, channels: _, ntfy, webhook, slack, ...rest } = settings;
  const hidden = (one: { readonly url: string }) => `${new URL(one.url).origin}/…`;
  return {
    on: kinds,
    ...rest,
    ...(ntfy && { ntfy: hidden(ntfy) }),
    ...(webhook && { webhook: hidden(webhook) }),
    ...(slack && { slack: hidden(slack) }),
  };
}
