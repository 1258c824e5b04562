import { type Fields, type Model, textAt } from "./payload.ts";

/** The agent and model that answered last in a session: a prompt without these would switch it to the default agent. */
export interface LastChoice {
  readonly agent?: string;
  readonly model?: Model;
  readonly variant?: string;
}

/** A prompt names its model in a field of its own, an answer beside its agent. */
export function lastChoiceIn(info: Fields, model: Fields): LastChoice {
  const agent = textAt(info, "agent");
  const [providerID, modelID] = [textAt(model, "providerID"), textAt(model, "modelID")];
  const variant = textAt(model, "variant") ?? textAt(info, "variant");
  return {
    ...(agent !== undefined && { agent }),
    ...(providerID !== undefined && modelID !== undefined && { model: { providerID, modelID } }),
    ...(variant !== undefined && { variant }),
  };
}
