#!/usr/bin/env node
// Started by tildone itself, with the run whose notifications wait to be sent.
import("../dist/sender/sender.js").then(function (sender) {
  return sender.main(process.argv[2]);
});
