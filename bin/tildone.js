#!/usr/bin/env node
// Plain syntax only: an old Node must get as far as the sentence below.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error(
    "tildone needs Node 22.19 or newer; this is Node " +
      process.versions.node +
      ". Install a newer Node and try again.",
  );
  process.exit(1);
}
import("../dist/cli/index.js").then(function (cli) {
  return cli.main(process.argv.slice(2));
});
