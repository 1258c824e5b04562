import { TEMPLATE_VARIABLES, type TemplateName, unknownVariables } from "../core/workflow/index.ts";

/** A misspelt variable stays as it is written; its author should know. */
export function warnOfVariables(name: TemplateName, template: string, warn: (message: string) => void): void {
  const known = TEMPLATE_VARIABLES[name].map((variable) => `{${variable}}`).join(" ");
  for (const variable of unknownVariables(name, template).slice(0, 20))
    warn(`unknown variable {${variable.slice(0, 60)}} stays as written; known here: ${known}`);
}
