import { join } from "node:path";
import { getAgentDir, ModelRuntime } from "@earendil-works/pi-coding-agent";

/** A provider whose models can be used, and where its key comes from: the name of a variable or of a store, never the key. */
export interface Access {
  readonly provider: string;
  readonly from: string;
}

export async function modelAccess(): Promise<readonly Access[]> {
  const folder = getAgentDir();
  const runtime = await ModelRuntime.create({
    authPath: join(folder, "auth.json"),
    modelsPath: join(folder, "models.json"),
  });
  return runtime
    .getProviders()
    .filter(({ id }) => runtime.hasConfiguredAuth(id))
    .map(({ id }) => {
      const { label, source } = runtime.getProviderAuthStatus(id);
      return { provider: id, from: label ?? source ?? "settings" };
    });
}
