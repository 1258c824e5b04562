import { hookSuite } from "./hook-suite.ts";
import { CLAUDE_CODE } from "./hosts.ts";

hookSuite(CLAUDE_CODE);
