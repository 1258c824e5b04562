/** The server as a process of its own: `node main.js <host> <version>`, for plugins that bring no package with them. */
import { serveMcp } from "./index.ts";

const [host, version = "0"] = process.argv.slice(2);
await serveMcp({ cwd: process.cwd(), env: process.env, version, ...(host !== undefined && { host }) });
