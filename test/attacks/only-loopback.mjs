// Loaded before everything else in a process: what would leave the machine is written down and does not.
import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const LOOPBACK = /^(127\.|::1$|localhost$|::ffff:127\.)/;
const tell = (what) => appendFileSync(process.env.TOLD_TO, `${what}\n`);
const gone = (what) => {
  tell(what);
  return Object.assign(new Error(`only loopback may be reached, not ${what}`), { code: "ENETUNREACH" });
};

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === "object" ? (first.path ? undefined : (first.host ?? "localhost")) : undefined;
  if (host !== undefined && !LOOPBACK.test(host)) {
    process.nextTick(() => this.destroy(gone(`connect ${host}`)));
    return this;
  }
  return connect.apply(this, args);
};
for (const name of ["lookup", "resolve", "resolve4", "resolve6", "resolveAny"]) {
  const real = dns[name];
  dns[name] = (host, ...rest) => {
    if (LOOPBACK.test(host)) return real(host, ...rest);
    return process.nextTick(rest.at(-1), gone(`lookup ${host}`));
  };
  const promised = dns.promises[name];
  dns.promises[name] = async (host, ...rest) => {
    if (LOOPBACK.test(host)) return promised(host, ...rest);
    throw gone(`lookup ${host}`);
  };
}
dgram.Socket.prototype.send = () => {
  throw gone("datagram");
};
for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"]) {
  const real = childProcess[name];
  childProcess[name] = (command, ...rest) => {
    const words = [command, ...(Array.isArray(rest[0]) ? rest[0] : [])].join(" ");
    if (/\b(npm|npx|curl|wget|ssh)\b|\bgit (clone|fetch|pull|ls-remote)\b/.test(words)) throw gone(`start ${words}`);
    return real(command, ...rest);
  };
}
syncBuiltinESMExports();
