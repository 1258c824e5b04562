import { Typed } from "./parts.tsx";

/** What prints a code for the server of this page, as far as its address tells. */
function pairCommand({ protocol, hostname, host, port }: Location): string {
  const asked = "tildone serve --pair";
  if (protocol === "https:") return `${asked} --name ${host}`; // a proxy, in front of a port that is not known here
  const isHere = ["127.0.0.1", "localhost"].includes(hostname);
  return [
    asked,
    ...(port === USUAL_PORT ? [] : [`--port ${port || "80"}`]),
    ...(isHere ? [] : [`--listen ${hostname.replace(/^\[|\]$/g, "")}`]),
  ].join(" ");
}

const USUAL_PORT = "4180";

/** Shown until this tab has a token. */
export const Pair = ({ problem }: { problem: string | undefined }) => (
  <main class="pair">
    <div class="card pair-card">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>Pair this browser</h1>
      {problem !== undefined && (
        <p class="t-bad" role="alert">
          {problem}
        </p>
      )}
      <p class="muted">
        Each tab needs a code once, so that no other page on this machine can answer in your name. Get one in a
        terminal:
      </p>
      <pre class="code">
        <Typed text={pairCommand(location)} />
      </pre>
      <p class="muted">Then open the address that it prints.</p>
    </div>
  </main>
);
