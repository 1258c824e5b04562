import { converse, type Finding, fix, isObject, note, objectsAt, ok, type Payload, textAt } from "../../hooks/index.ts";

/**
 * Codex skips a hook that the user has not reviewed, without a word. It tells which are trusted, and only the user trusts
 * one: we never write that ourselves.
 */
export async function hookTrust(
  binary: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Finding> {
  let hooks: readonly Payload[] | undefined;
  const { err } = await converse({
    command: binary,
    args: ["app-server"],
    cwd,
    env,
    say: `${JSON.stringify({ id: 0, method: "initialize", params: { clientInfo: { name: "tildone", title: "tildone", version: "0" } } })}\n`,
    answer: (message) => {
      if (message.id === 0) return { id: 1, method: "hooks/list", params: { cwds: [cwd] } };
      if (message.id !== 1) return undefined;
      hooks = isObject(message.result)
        ? objectsAt(message.result, "data").flatMap((each) => objectsAt(each, "hooks"))
        : [];
      return null;
    },
  });
  const wrong = /Invalid configuration[^\n]*/.exec(err)?.[0];
  if (wrong !== undefined) return fix(`codex: ${wrong}`);
  if (!hooks) return note(`codex: could not ask which hooks are trusted: ${err.trim().split("\n")[0] || "no answer"}`);
  return trustFinding(hooks);
}

export function trustFinding(hooks: readonly Payload[]): Finding {
  const ours = hooks.filter((hook) => JSON.stringify(hook).includes("tildone-hook.js"));
  if (ours.length === 0) return fix(UNSEEN);
  const idle = ours.filter((hook) => textAt(hook, "trustStatus") !== "trusted" || hook.enabled === false);
  if (idle.length === 0) return ok(`codex: all ${ours.length} hooks are trusted`);
  const why = [...new Set(idle.map((hook) => (hook.enabled === false ? "disabled" : textAt(hook, "trustStatus"))))];
  return fix(
    `codex: ${idle.length} of ${ours.length} hooks never run (${why.join(", ")}). Open codex, type /hooks, and trust them`,
  );
}

const UNSEEN =
  "codex: installed, but Codex does not see tildone's hooks. Open codex in this folder and trust the folder, then type /hooks";
