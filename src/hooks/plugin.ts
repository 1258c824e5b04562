import type { HookGroups } from "./install/registration.ts";

/** What a host can load us with by itself: a folder with its manifest, our programs in `bin`, and what its files say. */
export interface Plugin {
  /** Below the folder of all plugins; hosts that read the same folder share it. */
  readonly folder: string;
  readonly files: (kit: PluginKit) => PluginFiles;
}

/** By their paths in the folder. */
export type PluginFiles = Readonly<Record<string, object | string>>;

export interface PluginKit {
  /** Name, version and the like. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Our hooks, where the host fills this in for the folder. */
  readonly hooks: (root: string) => HookGroups;
  readonly server: (root: string) => { readonly command: string; readonly args: readonly string[] };
  /** How the agent is to keep its list. */
  readonly guide: string;
  /** What you may say to tildone, and what it means. */
  readonly commands: Readonly<Record<string, string>>;
}

/** What the host fills in for a variable of its own. */
export const filledIn = (name: string): string => `\${${name}}`;
