import { main } from "../../../src/fleet/runner/main.ts";

main();
