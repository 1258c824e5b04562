import type { Dialect } from "./dialect.ts";
import type { Finding } from "./doctor/finding.ts";
import type { EventName } from "./happening.ts";
import type { FileEdit, Installation } from "./install/file-edits.ts";
import type { Places, Scope, Whereabouts } from "./install/places.ts";
import type { Payload } from "./payload.ts";
import type { Plugin } from "./plugin.ts";

/** What we know of a host that calls our hooks, besides what is true of every host. */
export interface HookProfile {
  readonly dialect: Dialect;
  readonly placesOf: (scope: Scope, where: Whereabouts) => Places;
  readonly handlers: Handlers;
  /** What its files should hold, or no longer hold. Applied twice the edits change nothing more. */
  readonly fileEdits: (installation: Installation) => readonly FileEdit[];
  /** Whether it loads us by itself, as a plugin or an extension. Beside our own entries every moment would be told twice. */
  readonly hasPlugin?: (where: Whereabouts) => boolean;
  /** What it loads us with by itself. */
  readonly plugin?: Plugin;
  /** Settings of its under which our hooks or tools do nothing. */
  readonly switchedOff: (scope: Scope, where: Whereabouts) => readonly SwitchedOff[];
  /** What else is worth a word; `settings` are those of the user and of the project. */
  readonly examine?: (where: Whereabouts, settings: readonly Payload[]) => readonly Finding[];
  /** What it says itself about our hooks, once they are in its files. */
  readonly askItself?: (program: string, where: Whereabouts) => Promise<Finding>;
  /** What you have to do after an installation. */
  readonly afterInstall?: string;
}

/** How its configuration writes a hook down. */
interface Handlers {
  readonly countsIn: "seconds" | "milliseconds";
  readonly areNamed?: true;
  /** Where it gives less time than the others do. */
  readonly timeoutsMs?: Partial<Readonly<Record<EventName, number>>>;
  /** What the shell does when our program cannot be started. */
  readonly ifBroken?: (event: EventName) => string;
}

export interface SwitchedOff {
  readonly path: string;
  readonly setting: string;
  readonly effect: "no hook runs" | "the agent has no todo tools" | "these hooks never run";
}

/** A host with our hooks, as far as they are put in, taken out and examined. */
export interface HostWithHooks {
  readonly name: string;
  /** What it is started with. */
  readonly program: string;
  /** The version whose contract was verified against the real program. */
  readonly verified: string;
  readonly hook: HookProfile;
}
