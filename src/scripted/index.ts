export type { ModelRequest } from "./dialects.ts";
export { type Call, type Script, type ScriptedModel, type Step, startScriptedModel } from "./scripted-model.ts";
