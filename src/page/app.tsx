import { useEffect } from "preact/hooks";
import { Devices } from "./devices.tsx";
import { plural, span } from "./format.ts";
import { Inbox } from "./inbox.tsx";
import { connection, fleet, inbox, now } from "./live.ts";
import { dismiss, isStuck, outbox, said, takeBack } from "./outbox.ts";
import { Empty, Link, Says } from "./parts.tsx";
import { route } from "./route.ts";
import { Run } from "./run/run-page.tsx";
import { Runs } from "./runs.tsx";
import { ThemeSwitch } from "./theme.tsx";

export function App() {
  const waiting = inbox.value.length;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) tildone` : "tildone";
  }, [waiting]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inner">
          <Link to="/" class="brand">
            <img src="/icon.svg" alt="" width="24" height="24" /> tildone
          </Link>
          <Navigation waiting={waiting} />
          <span class="top-side">
            <Connected />
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <Waiting />
      <Away />
      <main id="content" tabIndex={-1}>
        <Page />
      </main>
      <Said />
    </>
  );
}

function Navigation({ waiting }: { waiting: number }) {
  const here = route.value.page;
  const items = [
    { to: "/", label: "Inbox", isHere: here === "inbox", count: waiting },
    { to: "/runs", label: "Runs", isHere: here === "runs" || here === "run", count: 0 },
    { to: "/devices", label: "Devices", isHere: here === "devices", count: 0 },
  ];
  return (
    <nav aria-label="Pages">
      {items.map(({ to, label, isHere, count }) => (
        <Link key={to} to={to} aria-current={isHere ? "page" : undefined}>
          {label}
          {count > 0 && (
            <span class="count num">
              {count}
              <span class="hidden"> waiting</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

function Connected() {
  const { status } = connection.value;
  const text = status === "live" ? "Live" : status === "lost" ? "Not connected" : "Connecting…";
  return (
    <span class={`connection ${status}`} role="status">
      <i aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}

/** A lost connection is said, with what was clicked meanwhile. */
function Waiting() {
  const lost = connection.value.status === "lost" ? connection.value : undefined;
  const waiting = isStuck.value ? outbox.value : [];
  if (!lost && waiting.length === 0) return null;
  return (
    <div class="banner" role="alert">
      <div class="banner-inner">
        {lost && (
          <p>
            <strong>No connection to tildone serve{lostFor(Date.now() - lost.since + 0 * now.value)}.</strong> What you
            see may be old; trying again.
          </p>
        )}
        {waiting.length > 0 && (
          <>
            <p>
              {plural(waiting.length, "action")} of yours not sent yet. tildone sends{" "}
              {waiting.length === 1 ? "it" : "them"} when the connection is back:
            </p>
            <ul>
              {waiting.map(({ id, label }) => (
                <li key={id}>
                  {label}{" "}
                  <button type="button" class="link" onClick={() => takeBack(id)}>
                    Do not send
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

/** Nothing for a moment that everyone just saw begin. */
const lostFor = (ms: number): string => (ms < 2_000 ? "" : ` for ${span(ms)}`);

/** The database of the fleet cannot be reached. */
function Away() {
  const away = fleet.value?.away;
  if (away === undefined) return null;
  return (
    <div class="banner" role="status">
      <div class="banner-inner">
        <p>
          <strong>Runs of the fleet may be missing or old.</strong> <Says text={away} /> Runs of this machine are up to
          date.
        </p>
      </div>
    </div>
  );
}

function Page() {
  const at = route.value;
  switch (at.page) {
    case "inbox":
      return <Inbox />;
    case "runs":
      return <Runs />;
    case "run":
      return <Run key={at.run} run={at.run} />;
    case "devices":
      return <Devices />;
    case "nowhere":
      return (
        <Empty isPage title="There is nothing here">
          <Link to="/">Go to the inbox</Link>
        </Empty>
      );
  }
}

const Said = () => (
  <div class="said" aria-live="polite">
    {said.value.map(({ id, tone, text }) => (
      <div key={id} class={`toast card ${tone}`}>
        <p>
          <Says text={text} />
        </p>
        <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
          ✕
        </button>
      </div>
    ))}
  </div>
);
