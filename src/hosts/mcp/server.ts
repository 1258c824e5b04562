import { ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import type { ToolAnswer } from "../../core/react/index.ts";
import { plainList } from "../../core/todo/index.ts";
import { listOf } from "../../core/view/index.ts";
import { TODO_GUIDANCE, TODO_TOOLS, WORKFLOW_TOOL } from "../../core/words/index.ts";
import type { Connection } from "./connection.ts";

const TOOLS = [...Object.values(TODO_TOOLS), WORKFLOW_TOOL].map(({ name, label, description, parameters }) => ({
  name,
  title: label,
  description,
  inputSchema: parameters as unknown as { type: "object" },
  annotations: { readOnlyHint: name === "list_todos", destructiveHint: false, openWorldHint: false },
}));

const RESOURCES = {
  "tildone://list": { name: "Todo list", mimeType: "text/plain" },
  "tildone://status": { name: "Status of the run", mimeType: "application/json" },
} as const;

/** The wire: which methods there are and what they answer. What a call means is decided in `connection.ts`. */
export function createServer(connection: Connection, version: string): Server {
  const server = new Server(
    { name: "tildone", version },
    { capabilities: { tools: {}, resources: {} }, instructions: TODO_GUIDANCE.rules.join(" ") },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...TOOLS] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const answer = await connection.call(params.name, params.arguments ?? {}, params._meta);
    return result(answer);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: Object.entries(RESOURCES).map(([uri, { name, mimeType }]) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] })); // clients ask every server that has resources
  server.setRequestHandler("resources/read", async ({ params }) => {
    const run = await connection.run(params._meta);
    const { uri } = params;
    if (uri === "tildone://list")
      return { contents: [{ uri, mimeType: "text/plain", text: plainList(listOf(run).todos) }] };
    if (uri === "tildone://status")
      return {
        contents: [{ uri, mimeType: "application/json", text: JSON.stringify(await connection.status(params._meta)) }],
      };
    const known = Object.keys(RESOURCES).join(" and ");
    throw new ResourceNotFoundError(uri, `There is no resource ${String(uri).slice(0, 100)}: ${known}.`);
  });
  return server;
}

const result = ({ ok, text }: ToolAnswer) => ({
  content: [{ type: "text" as const, text }],
  ...(!ok && { isError: true }),
});
