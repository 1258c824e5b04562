/** What a request says about where it comes from. */
export interface Coming {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` and `Sec-Fetch-Mode`, which a page cannot set. */
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly contentType: string | undefined;
}

export interface Refusal {
  readonly status: 403 | 415 | 421;
  readonly message: string;
}

/**
 * Refuses what another page could send through your browser. `hosts`: the names under which this server may be called, with the port; a
 * name that an attacker points at this machine is none of them.
 */
export function refusalOf(
  { method, path, host, origin, site, mode, contentType }: Coming,
  hosts: ReadonlySet<string>,
): Refusal | undefined {
  if (host === undefined || !hosts.has(host.toLowerCase()))
    return {
      status: 421,
      message:
        "This server is not called that. Use the address that tildone serve printed, or allow this name with --name.",
    };
  if (origin !== undefined && !isOwn(origin, host))
    return { status: 403, message: "Another page sent this request. Nothing was done." };
  const isApi = path.startsWith("/api/");
  // Opening the page from a link is harmless: it holds nothing until it has shown its token.
  const isVisit = !isApi && method === "GET" && (mode === "navigate" || mode === undefined);
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isVisit)
    return { status: 403, message: "Another page sent this request. Nothing was done." };
  const changes = method !== "GET" && method !== "HEAD";
  if (changes && method !== "DELETE" && !/^application\/json(\s*;|$)/i.test(contentType ?? ""))
    return { status: 415, message: "Send JSON, with the content type application/json." };
  return undefined;
}

const isOwn = (origin: string, host: string): boolean => {
  const wanted = host.toLowerCase();
  return [`http://${wanted}`, `https://${wanted}`].includes(origin.toLowerCase());
};

/** On everything that is answered. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};
