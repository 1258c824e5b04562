import { loadConfig, sayProblem, sayWarning } from "../../config/index.ts";
import { type Command, Failure, has, JSON_OPTION, text } from "../command.ts";
import { clip } from "../wrap.ts";

export const config: Command = {
  name: "config",
  takes: "",
  summary: "Shows every setting that applies in this folder, and where it comes from.",
  options: {
    ...JSON_OPTION,
    host: { type: "string", value: "name", says: "As it holds for this host." },
    agent: { type: "string", value: "name", says: "As it holds for this agent." },
    changed: { type: "boolean", says: "Only what differs from the default." },
  },
  words: 0,
  run: async (given, io) => {
    const host = text(given, "host");
    const agent = text(given, "agent");
    const loaded = await loadConfig({
      cwd: io.cwd,
      env: io.env,
      home: io.home,
      host,
      agent,
    });
    if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
    const rows = loaded.explain.filter(({ layer }) => !has(given, "changed") || layer !== "default");
    if (has(given, "json")) {
      io.out(JSON.stringify({ settings: rows, warnings: loaded.warnings }, null, 2));
      return 0;
    }
    for (const { key, value, source, layer } of rows)
      io.out(clip(`${key.padEnd(34)} ${value}${layer === "default" ? "" : `  (${source})`}`, io.columns));
    for (const warning of loaded.warnings) io.err(sayWarning(warning));
    return 0;
  },
};
