/** Loaded before a program: writes down, at its end, every module that it loaded. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { LOADED_TO = "" } = process.env;
const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
process.on("exit", () => appendFileSync(LOADED_TO, `${loaded.join("\n")}\n`));
