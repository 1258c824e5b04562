import { useEffect, useState } from "preact/hooks";
import type { Device, Invitation } from "../serve/index.ts";
import { ask, setToken } from "./api.ts";
import { ago, timeOf } from "./format.ts";
import { now } from "./live.ts";
import { say } from "./outbox.ts";
import { Badge } from "./parts.tsx";

interface Known {
  readonly own: string;
  readonly devices: readonly Device[];
}

/** Who can see and answer, and a way in for another device. */
export function Devices() {
  const [known, setKnown] = useState<Known>();
  const [invitation, setInvitation] = useState<Invitation>();
  const load = () => attempt(async () => setKnown(await ask<Known>("/api/devices")));
  useEffect(() => void load(), []);
  const revoke = (device: Device) =>
    attempt(async () => {
      await ask(`/api/devices/${device.id}`, { method: "DELETE" });
      if (device.id === known?.own) setToken(null, "You revoked this browser.");
      else await load();
    });
  return (
    <>
      <div class="page-head">
        <h1>Devices</h1>
        <p class="muted">Browsers that can see your runs and answer in your name.</p>
      </div>
      <ul class="device-list card">
        {known?.devices.map((device) => (
          <li key={device.id}>
            <div>
              <strong>{device.name}</strong> {device.id === known.own && <Badge tone="running">this browser</Badge>}
              <p class="small muted num">
                Paired {ago(device.paired, now.value)}, last seen {ago(device.seen, now.value)}
              </p>
            </div>
            <button
              type="button"
              class="danger"
              onClick={() => void revoke(device)}
              aria-label={`Revoke ${device.name}, paired ${ago(device.paired, now.value)}`}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      <section class="also">
        <h2>Add a device</h2>
        <p class="muted">A new code works once, for ten minutes.</p>
        <p>
          <button
            type="button"
            class="primary"
            onClick={() =>
              void attempt(async () =>
                setInvitation(await ask<Invitation>("/api/devices/codes", { method: "POST", body: {} })),
              )
            }
          >
            Make a code
          </button>
        </p>
        {invitation && <Invite invitation={invitation} />}
      </section>
    </>
  );
}

function Invite({ invitation: { address, endsAt, qr, isLocal } }: { invitation: Invitation }) {
  const size = qr.length;
  const dark = qr.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <div class="invite card">
      <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the address">
        <rect width={size} height={size} fill="#fff" />
        <path d={dark} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <div>
        <p>Scan it, or open this address there, until {timeOf(endsAt, now.value)}:</p>
        <p class="mono invite-address">{address}</p>
        {isLocal && (
          <p class="small t-warn">
            Only this machine can reach it. For your phone, start the server with --listen or behind a proxy with TLS.
          </p>
        )}
      </div>
    </div>
  );
}

async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    say("warning", error instanceof Error ? error.message : String(error));
  }
}
