#!/usr/bin/env node
// Plain syntax only: an old Node must get as far as the sentence below.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] > 22 || (parts[0] === 22 && parts[1] >= 19))
  import("../dist/cli/index.js").then(function (cli) {
    return cli.main(process.argv.slice(2));
  });
else startWithOwnNode();

// A checkout brings a Node of its own: the same command on that one, in our place. A package does not.
function startWithOwnNode() {
  var own = require("path").join(__dirname, "../node_modules/node/bin/node");
  if (!require("fs").existsSync(own)) {
    console.error(
      "tildone needs Node 22.19 or newer; this is Node " +
        process.versions.node +
        ". Install one (for example: nvm install 24) and try again.",
    );
    process.exit(1);
  }
  var child = require("child_process").spawn(own, process.argv.slice(1), { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (name) {
    process.on(name, function () {
      // A terminal tells both of us; told twice it would stop at once.
      if (name !== "SIGINT" || !process.stdin.isTTY) child.kill(name);
    });
  });
  child.on("exit", function (code) {
    process.exit(code === null ? 1 : code);
  });
}
