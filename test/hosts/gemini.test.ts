import { hookSuite } from "./hook-suite.ts";
import { GEMINI } from "./hosts.ts";

hookSuite(GEMINI);
