import { CODEX } from "./hosts.ts";
import { personaSuite } from "./persona-suite.ts";

personaSuite(CODEX);
