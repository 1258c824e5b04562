/** The part of OpenCode's screen that we read and call. */
interface ScreenApi {
  readonly route: { readonly current: { readonly name: string; readonly params?: { readonly sessionID?: unknown } } };
  readonly state: { readonly session: { status(session: string): { readonly type: string } | undefined } };
  readonly client: { readonly session: { abort(at: { readonly sessionID: string }): Promise<unknown> } };
  readonly keymap: { registerLayer(layer: Layer): () => void };
  readonly lifecycle: { onDispose(dispose: () => void): unknown };
}
interface Layer {
  readonly mode: string;
  readonly commands: readonly { readonly name: string; readonly title: string; readonly run: () => boolean }[];
  readonly bindings: readonly { readonly key: string; readonly cmd: string }[];
}

const NAME = "tildone.interrupt";

/**
 * OpenCode's screen hears the escape key only while the agent works, so it could not cancel a countdown. Here it aborts the
 * session at rest, as any other client can; the plugin in the server knows whether something was about to be sent.
 */
async function interruptAtRest({ route, state, client, keymap, lifecycle }: ScreenApi): Promise<void> {
  const run = (): boolean => {
    const { sessionID } = route.current.params ?? {};
    const isAtRest = typeof sessionID === "string" && (state.session.status(sessionID)?.type ?? "idle") === "idle";
    if (isAtRest) client.session.abort({ sessionID }).catch(() => {}); // the server is gone, and so is what it would send
    return false; // other plugins that wait for the key get it, too
  };
  lifecycle.onDispose(
    keymap.registerLayer({
      mode: "base", // not in dialogs and menus, which the key closes
      commands: [{ name: NAME, title: "tildone: do not continue", run }],
      bindings: [{ key: "escape", cmd: NAME }],
    }),
  );
}

/** OpenCode accepts a module of this shape in `tui.json`, beside the one of the server. */
export default { id: "tildone", tui: interruptAtRest };
