/** A runner of an older tildone: it knows no event that came later. */
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) =>
    url.endsWith("/runner/log-version.ts")
      ? { format: "module", source: "export const LOG_VERSION = 1;", shortCircuit: true }
      : next(url, context),
});
const { main } = await import("../../../src/fleet/runner/main.ts");
main();
