import { hookPersonas } from "./hook-personas.ts";
import { realHost } from "./hosts.ts";

hookPersonas(await realHost("qwen"));
