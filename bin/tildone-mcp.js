#!/usr/bin/env node
// The MCP server of the plugins. Plain syntax only: an old Node must get as far as the sentence below.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error("tildone needs Node 22.19 or newer; this is Node " + process.versions.node + ".");
  process.exit(1);
}
import("../dist/mcp/mcp.js");
