import { hookSuite } from "./hook-suite.ts";
import { CODEX } from "./hosts.ts";

hookSuite(CODEX);
