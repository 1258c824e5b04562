#!/usr/bin/env node
// Hosts keep this path in their configuration: it stays where it is from release to release.
// Plain syntax only: an old Node must get as far as the sentence below, and must let the host go on.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error("tildone needs Node 22.19 or newer; this is Node " + process.versions.node + ". Run: tildone doctor");
  process.exit(0);
}
try {
  require("node:module").enableCompileCache(cacheOf(process.argv[3] || "other"));
  require("../dist/hook/hook.cjs");
} catch (error) {
  console.error("tildone: " + error);
  process.exit(0);
}

// Node keeps what the first process compiled and adds nothing later, so each event has a folder of its own: what a stop needs
// is compiled by the first stop.
function cacheOf(event) {
  var path = require("node:path");
  var home = require("node:os").homedir();
  var usual = path.join(process.env.XDG_CACHE_HOME || path.join(home, ".cache"), "tildone");
  return path.join(path.resolve(home, process.env.TILDONE_HOME || usual), "compiled", path.basename(event));
}
