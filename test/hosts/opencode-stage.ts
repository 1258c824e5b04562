import { afterEach, describe, inject } from "vitest";
import type { Run } from "../../src/core/run/index.ts";
import type { ModelRequest } from "../../src/testing/index.ts";
import { isMain, type OpenCode, type Served, type Setting, setUpOpenCode } from "./opencode.ts";
import { readTranscript, type Transcript } from "./opencode-transcript.ts";
import { useStage } from "./stage.ts";

const binary = inject("binaries").opencode;

export const openCodePath = "path" in binary ? binary.path : "";
export const describeOpenCode = describe.skipIf("skipped" in binary);

/** What the user's own file of settings says in most tests: nothing is waited for longer than it has to be. */
export const QUICK = "continuation:\n  minimumGap: 0s\nwaits:\n  backoff: 500ms\n";

/** Longer than a countdown, a gap and all that comes before: what would be sent is sent by now. */
const QUIET_MS = 3_000;

/** The real OpenCode, the shipped plugin and a scripted model on loopback, anew for each test. */
export function useOpenCode(name: string) {
  const stage = useStage(name);
  let served: Served | undefined;
  afterEach(async () => {
    await served?.close();
    served = undefined;
  });

  const server = (): Served => {
    if (!served) throw new Error("no server was started in this test");
    return served;
  };
  const setUp = (setting: Partial<Setting> = {}): OpenCode =>
    setUpOpenCode(stage.sandbox, openCodePath, { url: stage.model.url, ...setting });
  const idles = (session: string): number =>
    server().events.filter(({ type, properties }) => type === "session.idle" && properties.sessionID === session)
      .length;

  return {
    sandbox: () => stage.sandbox,
    model: () => stage.model,
    server,
    setUp,
    /** Starts a server with one session; the countdown is short unless the setting says otherwise. */
    start: async ({ env, ...setting }: Partial<Setting> = {}): Promise<string> => {
      served = await setUp({ ...setting, env: { TILDONE_COUNTDOWN: "300ms", ...env } }).serve();
      return served.createSession();
    },
    command: (session: string, command: string, words = "") =>
      server().request("POST", `/session/${session}/command`, { command, arguments: words }),
    run: async (): Promise<Run | undefined> => (await stage.sandbox.runs())[0],
    /** What OpenCode stored of the session that the run is in. */
    transcript: ({ origin }: Run): Transcript => readTranscript(stage.sandbox, origin.session),
    mainRequests: (): number => stage.model.requests.filter(isMain).length,
    /** Requests that a nudge began. */
    nudges: (): number => stage.model.requests.filter((request) => isMain(request) && isNudged(request)).length,
    idles,
    idled: (session: string, times: number) => server().seen(() => idles(session) >= times),
    /** Resolves when tildone said so; every stop and wait is a toast. */
    toast: (words: string) =>
      server().seen(({ type, properties }) => type === "tui.toast.show" && JSON.stringify(properties).includes(words)),
    quiet: (ms = QUIET_MS) => new Promise((done) => setTimeout(done, ms)),
    /** Resolves when the run in the log looks like this. */
    logged: async (fits: (run: Run) => boolean): Promise<Run> => {
      for (;;) {
        const run = (await stage.sandbox.runs())[0];
        if (run && fits(run)) return run;
        await new Promise((done) => setTimeout(done, 50)); // another process writes it, and does not tell
      }
    },
  };
}

const isNudged = ({ messages }: ModelRequest): boolean => /^Todos remain/.test(messages.at(-1)?.text ?? "");
