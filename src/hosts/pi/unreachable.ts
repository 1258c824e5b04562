import { connect } from "node:net";
import { isUnreachable } from "../../core/run/index.ts";

/** How long a look at the address may take. */
const LOOK_MS = 2_000;

/**
 * pi hands on "Connection error." and not why or where. The address is looked at once more, so that the reason can be said with
 * it; anything else the provider said stays as it is.
 */
export async function namedUnreachable(message: string, baseUrl: string | undefined): Promise<string> {
  if (baseUrl === undefined || !isUnreachable(message) || !URL.canParse(baseUrl)) return message;
  const { hostname, port, protocol } = new URL(baseUrl);
  const at = withoutCredentials(baseUrl);
  const code = await lookAt(hostname.replace(/^\[|\]$/g, ""), Number(port) || (protocol === "http:" ? 80 : 443));
  const said = REASONS[code ?? ""] ?? "connection failed:";
  return code === undefined ? `connection closed by ${at} before it answered` : `${said} ${at}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused by",
  ECONNRESET: "connection reset by",
  ENOTFOUND: "host name not found:",
  EAI_AGAIN: "host name not found:",
  ETIMEDOUT: "connection timed out:",
  EHOSTUNREACH: "no route to",
  ENETUNREACH: "no network to reach",
};

/** The code with which a connection fails; undefined if one comes about. */
function lookAt(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: LOOK_MS });
    const end = (code?: string) => {
      socket.destroy();
      done(code);
    };
    socket.on("connect", () => end());
    socket.on("timeout", () => end("ETIMEDOUT"));
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? "failed"));
  });
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}
