#!/usr/bin/env node
// Started by a worker, for one run.
import("../dist/fleet/runner/main.js").then(function (runner) {
  runner.main();
});
