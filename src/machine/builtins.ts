/**
 * Node's own modules, when they are first needed. An import would load all of them, streams and promises too, into
 * every hook process, which uses a few functions at most.
 */
export const files = () => process.getBuiltinModule("node:fs");
export const programs = () => process.getBuiltinModule("node:child_process");
