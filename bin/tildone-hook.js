#!/usr/bin/env node
// Hosts keep this path in their configuration: it stays where it is from release to release.
// Plain syntax only: an old Node must get as far as the sentence below, and must let the host go on.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  off("it needs Node 22.19 or newer, and this is Node " + process.versions.node);
}
try {
  require("node:module").enableCompileCache(cacheOf(process.argv[3] || "other"));
  require("../dist/hook/hook.cjs");
} catch (error) {
  off(String(error).split("\n")[0]);
}

// The host continues without us, and the person in front of it is told once: where a session or, in Gemini, a prompt begins.
// Gemini shows whatever stands on standard error at every event, so nothing does.
function off(why) {
  var text = "tildone is off here: " + why + ". Nothing makes the agent continue. Run: tildone doctor";
  var isGemini = process.argv[2] === "gemini";
  if (process.argv[3] === (isGemini ? "prompt" : "session-start")) console.log(JSON.stringify({ systemMessage: text }));
  if (!isGemini) console.error(text);
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
