import { hookPersonas } from "./hook-personas.ts";
import { CLAUDE_CODE } from "./hosts.ts";

hookPersonas(CLAUDE_CODE);
