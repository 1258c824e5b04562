// node opencode-session.ts <opencode> <prompt>: one session of `opencode serve`, as a terminal interface would hold it. It
// ends when the session was idle for so long that nothing will continue it; SIGINT aborts the turn, as escape does, and then
// waits as long. The exit code is that of `opencode run`: 1 after an error.
import { serve } from "../../test/hosts/opencode.ts";

/** Longer than any countdown, gap or first backoff of the systems that are compared. */
const QUIET_MS = 12_000;

const [binary = "", prompt = ""] = process.argv.slice(2);
const env = process.env as Readonly<Record<string, string>>;
const served = await serve({ project: process.cwd(), env }, binary, {});
const session = await served.createSession();
let isAborted = false;
process.on("SIGINT", () => {
  isAborted = true;
  void served.request("POST", `/session/${session}/abort`);
});
await served.prompt(session, prompt);
await idleForLong();
const lastError = served.events.findLastIndex(({ type }) => type === "session.error");
const hasFailed = lastError > lastStart();
await served.close();
process.exit(isAborted ? 130 : hasFailed ? 1 : 0);

async function idleForLong(): Promise<void> {
  for (let seen = -1; seen !== starts(); ) {
    seen = starts();
    await served.seen(({ type, properties }, at) => {
      if (type !== "session.idle" || properties.sessionID !== session) return false;
      return at > lastStart();
    });
    await new Promise((passed) => setTimeout(passed, QUIET_MS));
  }
}

function isStart({ type, properties }: (typeof served.events)[number]): boolean {
  const status = (properties as { status?: { type?: string } }).status;
  return type === "session.status" && properties.sessionID === session && status?.type !== "idle";
}
function starts(): number {
  return served.events.filter(isStart).length;
}
function lastStart(): number {
  return served.events.findLastIndex(isStart);
}
