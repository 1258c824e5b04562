import type { NotifySettings } from "../config/index.ts";
import type { Message } from "../core/notify/index.ts";
import type { MadeButton } from "./tokens.ts";
import type { World } from "./world.ts";

/** What one channel is given. */
export interface Parcel {
  readonly message: Message;
  readonly notify: NotifySettings;
  readonly world: World;
  readonly buttons: readonly MadeButton[];
  readonly now: number;
  /** How long it may take. */
  readonly ms: number;
}

export type Sending =
  | { readonly status: "delivered"; readonly said: string }
  /** `mayRetry`: it may work later. */
  | { readonly status: "failed"; readonly why: string; readonly mayRetry: boolean };

export const failed = (why: string, mayRetry: boolean): Sending => ({ status: "failed", why, mayRetry });

export const notSet = (name: string): Sending => failed(`notify.${name} is not set any more`, false);
