import { join } from "node:path";
import { getAgentDir, ModelRuntime } from "@earendil-works/pi-coding-agent";
import type { Model } from "./open-agent.ts";

export interface ModelWish {
  /** `provider/id`; absent: what pi's settings say, else the first that has a key. */
  readonly model?: string;
  /** An OpenAI-compatible endpoint; then `model` is the name it knows. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export type ChosenModel =
  | { readonly ok: true; readonly modelRuntime: ModelRuntime; readonly model?: Model }
  | { readonly ok: false; readonly message: string };

export async function chooseModel({ model, baseUrl, apiKey }: ModelWish): Promise<ChosenModel> {
  const agentDir = getAgentDir();
  const modelRuntime = await ModelRuntime.create({
    authPath: join(agentDir, "auth.json"),
    modelsPath: join(agentDir, "models.json"),
  });
  if (baseUrl !== undefined) return endpoint(modelRuntime, baseUrl, model, apiKey);
  if (model === undefined) {
    const available = await modelRuntime.getAvailable();
    return available.length > 0 ? { ok: true, modelRuntime } : { ok: false, message: NO_KEY };
  }
  const slash = model.indexOf("/");
  const found = slash > 0 ? modelRuntime.getModel(model.slice(0, slash), model.slice(slash + 1)) : undefined;
  if (!found) return { ok: false, message: unknown(model, modelRuntime) };
  if (!modelRuntime.hasConfiguredAuth(found.provider))
    return { ok: false, message: `There is no key for "${found.provider}". ${NO_KEY}` };
  return { ok: true, modelRuntime, model: found };
}

export const NO_KEY =
  "No model yet. Three ways to get one: set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, ...); run tildone and type /login; or name a server: --base-url http://localhost:11434/v1 --model <name>. tildone demo needs none of them.";

export const PROVIDER = "endpoint";
/** What is assumed of a model without a description. */
const ASSUMED = { contextWindow: 128_000, maxTokens: 16_384 };

async function endpoint(
  modelRuntime: ModelRuntime,
  baseUrl: string,
  name: string | undefined,
  apiKey: string | undefined,
): Promise<ChosenModel> {
  const problem = endpointProblem(baseUrl, name);
  if (problem !== undefined) return { ok: false, message: problem };
  modelRuntime.registerProvider(PROVIDER, providerAt({ baseUrl, model: name!, apiKey }));
  await modelRuntime.setRuntimeApiKey(PROVIDER, apiKey ?? "none");
  const model = modelRuntime.getModel(PROVIDER, name!);
  return model
    ? { ok: true, modelRuntime, model }
    : { ok: false, message: modelRuntime.getError() ?? "The endpoint could not be set up." };
}

/** Why no model can be named at this address. */
export function endpointProblem(baseUrl: string, model: string | undefined): string | undefined {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    return `--base-url must be an http or https address, not "${baseUrl}".`;
  return model === undefined ? "--base-url needs --model: the name that the server knows." : undefined;
}

/** An OpenAI-compatible server with one model, as pi takes it. */
export const providerAt = ({
  baseUrl,
  model,
  apiKey = "none",
}: Required<Pick<ModelWish, "baseUrl" | "model">> & ModelWish) => ({
  baseUrl,
  api: "openai-completions" as const,
  apiKey,
  models: [
    {
      id: model,
      name: model,
      reasoning: false,
      input: ["text" as const],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      ...ASSUMED,
    },
  ],
});

function unknown(model: string, modelRuntime: ModelRuntime): string {
  const providers = modelRuntime.getProviders().map(({ id }) => id);
  const provider = model.split("/")[0] ?? "";
  if (!model.includes("/"))
    return `--model is provider/id, for example anthropic/claude-sonnet-4-5; "${model}" is not.`;
  if (!providers.includes(provider))
    return `There is no provider "${provider}". Known: ${providers.slice(0, 30).join(", ")}.`;
  const ids = modelRuntime.getModels(provider).map(({ id }) => id);
  return `"${provider}" has no model "${model.slice(provider.length + 1)}". It has, for example: ${ids.slice(0, 8).join(", ")}.`;
}
