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

// The host continues without us, and the person in front of it is told once: where a session begins, or at its first prompt where
// the host runs no hook before that. Nothing goes to standard error: some hosts show it at every event.
function off(why) {
  var text = "tildone is off here: " + why + ". Nothing makes the agent continue. Run: tildone doctor";
  var isSeen = process.argv[3] === "session-start" || process.argv[3] === "prompt";
  if (isSeen && isFirst()) console.log(JSON.stringify({ systemMessage: text }));
  process.exit(0);
}

// An empty folder says that this session was told. Where it cannot be made, twice is better than never.
function isFirst() {
  var fs = require("fs");
  try {
    var session = /"session_id"\s*:\s*"([\w-]+)"/.exec(fs.readFileSync(0, "utf8"));
    if (session) fs.mkdirSync(require("path").join(require("os").tmpdir(), "tildone-off-" + session[1]));
    return true;
  } catch (error) {
    return error.code !== "EEXIST";
  }
}

// Node keeps what the first process compiled and adds nothing later, so each event has a folder of its own: what a stop needs
// is compiled by the first stop.
function cacheOf(event) {
  var path = require("node:path");
  var home = require("node:os").homedir();
  var usual = path.join(process.env.XDG_CACHE_HOME || path.join(home, ".cache"), "tildone");
  return path.join(path.resolve(home, process.env.TILDONE_HOME || usual), "compiled", path.basename(event));
}
