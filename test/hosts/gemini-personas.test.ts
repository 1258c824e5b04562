import { GEMINI } from "./hosts.ts";
import { personaSuite } from "./persona-suite.ts";

personaSuite(GEMINI);
