import { hookPersonas } from "./hook-personas.ts";
import { CODEX } from "./hosts.ts";

hookPersonas(CODEX);
