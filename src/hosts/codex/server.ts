/**
 * How Codex starts our server. It is `required`, or Codex asks the model before our tools are there and the run is lost; and a
 * required server that cannot start keeps Codex from starting. So a shell stands behind it: where our server fails, or is killed,
 * it answers in its place, with no tools and with what to do. It is never reached while our server runs.
 */
export function ownServer(
  node: string,
  cliEntry: string,
): { readonly command: string; readonly args: readonly string[] } {
  const own = [cliEntry, "mcp", "--host", "codex"];
  return process.platform === "win32"
    ? { command: node, args: own } // no shell there; nor is it required
    : { command: "/bin/sh", args: ["-c", IN_ITS_PLACE, node, ...own] };
}

/** The shell is not the host: whose end our server looks for is the process above it. */
export const REQUIRED = process.platform !== "win32";

const GONE = "tildone's server is not running. The todo list is kept; nothing can change it. Run: tildone doctor codex";

/** A message is a line, and Codex writes its id before everything else; one without an id wants no answer. */
const IN_ITS_PLACE = `MCP_HOST_PROCESS=$PPID "$0" "$@" && exit
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=\${line#*'"id":'}; id=\${id%%[,\\}]*}
  case $line in
    *'"method":"initialize"'*) answer='"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tildone","version":"0"}}' ;;
    *'"method":"tools/list"'*) answer='"result":{"tools":[]}' ;;
    *'"method":"tools/call"'*) answer='"result":{"isError":true,"content":[{"type":"text","text":"${GONE.replace("'", "'\\''")}"}]}' ;;
    *'"method":"ping"'*) answer='"result":{}' ;;
    *) answer='"error":{"code":-32601,"message":"tildone is not running"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$answer"
done`;
