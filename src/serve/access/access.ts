import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { privateFolder } from "./private-folder.ts";

/** A browser that may look and answer. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly paired: number;
  readonly seen: number;
}

/**
 * Who may use the page. A code is shown once and works once; what it is exchanged for is kept by the browser alone. On disk there are
 * only hashes: a reader of them can neither pair nor answer.
 */
export interface Access {
  /** A new code, valid for a while. */
  code(): { readonly code: string; readonly endsAt: number };
  /** The token of a new device; undefined: the code is wrong, used or too old. */
  pair(code: string, name: string): { readonly device: Device; readonly token: string } | undefined;
  deviceOf(token: string): Device | undefined;
  devices(): readonly Device[];
  /** False: there is no such device. */
  revoke(id: string): boolean;
}

const CODE_MS = 10 * 60_000;
const SEEN_EVERY_MS = 60_000;
const MOST_DEVICES = 100;

interface StoredDevice extends Device {
  readonly hash: string;
}

/** `state`: the state folder of the user. */
export function openAccess(state: string, now: () => number): Access {
  const codes = privateFolder(join(state, "serve", "codes"));
  const devices = privateFolder(join(state, "serve", "devices"));

  return {
    code() {
      for (const name of codes.names()) if (endOf(codes.read(name)) <= now()) codes.remove(name);
      const code = randomBytes(16).toString("base64url");
      const endsAt = now() + CODE_MS;
      codes.write(hashOf(code), { endsAt });
      return { code, endsAt };
    },
    pair(code, name) {
      const hash = hashOf(code);
      const isValid = endOf(codes.read(hash)) > now();
      if (!codes.remove(hash) || !isValid) return undefined; // removing it is using it
      const secret = randomBytes(32).toString("base64url");
      const device = { id: randomBytes(8).toString("hex"), name: name.slice(0, 80), paired: now(), seen: now() };
      devices.write(device.id, { ...device, hash: hashOf(secret) });
      for (const old of all().slice(MOST_DEVICES)) devices.remove(old.id);
      return { device, token: `${device.id}.${secret}` };
    },
    deviceOf(token) {
      const [, id, secret] = /^([a-f0-9]{16})\.([\w-]{43})$/.exec(token) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const stored = deviceIn(devices.read(id));
      if (!stored || stored.id !== id || !isSame(stored.hash, hashOf(secret))) return undefined;
      if (now() - stored.seen > SEEN_EVERY_MS) devices.write(id, { ...stored, seen: now() });
      return shown(stored);
    },
    devices: () => all().map(shown),
    revoke: (id) => /^[a-f0-9]{16}$/.test(id) && devices.remove(id),
  };

  function all(): readonly StoredDevice[] {
    return devices
      .names()
      .flatMap((name) => deviceIn(devices.read(name)) ?? [])
      .sort((a, b) => b.seen - a.seen);
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const shown = ({ id, name, paired, seen }: StoredDevice): Device => ({ id, name, paired, seen });

const endOf = (value: unknown): number => {
  const { endsAt } = (typeof value === "object" && value !== null ? value : {}) as { endsAt?: unknown };
  return typeof endsAt === "number" ? endsAt : 0;
};

function deviceIn(value: unknown): StoredDevice | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, paired, seen, hash } = value as Partial<StoredDevice>;
  const isOne = [id, name, hash].every((each) => typeof each === "string") && Number.isFinite(paired);
  return isOne ? ({ id, name, paired, seen: Number.isFinite(seen) ? seen : paired, hash } as StoredDevice) : undefined;
}
