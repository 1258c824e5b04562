import { hookPersonas } from "./hook-personas.ts";
import { GEMINI } from "./hosts.ts";

hookPersonas(GEMINI);
