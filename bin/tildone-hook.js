#!/usr/bin/env node
// Hosts keep this path in their configuration: it stays where it is from release to release.
// Plain syntax only: an old Node must get as far as the sentence below, and must let the host go on.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error("tildone needs Node 22.19 or newer; this is Node " + process.versions.node + ". Run: tildone doctor");
  process.exit(0);
}
process.getBuiltinModule("node:module").enableCompileCache();
import("../dist/hook/hook.js").catch(function (error) {
  console.error("tildone: " + error);
  process.exit(0);
});
