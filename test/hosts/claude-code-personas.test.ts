import { CLAUDE_CODE } from "./hosts.ts";
import { personaSuite } from "./persona-suite.ts";

personaSuite(CLAUDE_CODE);
