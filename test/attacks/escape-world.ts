import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A user's files, processes and sockets, all of which hold one token that no confined command may come by. */
export type EscapeWorld = Awaited<ReturnType<typeof escapeWorld>>;

export async function escapeWorld(uid: number) {
  const token = `token-${crypto.randomUUID()}`;
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tildone-escape-")));
  const at = (path: string) => join(top, path);
  const file = (path: string, text = token) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), `${text}\n`);
    return at(path);
  };
  const secrets = {
    "a key": file("home/.ssh/id_ed25519"),
    "a password file": file("home/.netrc"),
    "the key of a package registry": file("home/.cargo/credentials.toml"),
    "tildone's state": file("home/.local/state/tildone/secret.json"),
    "tildone's configuration": file("home/.config/tildone/config.yaml.secret"),
    "another project": file("home/other/.env"),
    "a file in the machine's /tmp": file("shared/note"),
  };
  const targets = {
    "a shell's start file": file("home/.bashrc"),
    "the keys that may log in": file("home/.ssh/authorized_keys"),
    "tildone's log": file("home/.local/state/tildone/tildone.db"),
    "git's configuration of the user": file("home/.gitconfig"),
    "a file of another project": file("home/other/main.js"),
    "a hook of another project": file("home/other/.git/hooks/pre-commit"),
    "the workspace behind the room": file("home/app/src.js"),
    "a program of the user": file("home/.cargo/bin/tool"),
  };
  for (const path of ["room", "temp", "room/laid"]) mkdirSync(at(path), { recursive: true });
  const all = [...Object.values(secrets), ...Object.values(targets)];
  const laid = (path: string) => `l${all.indexOf(path)}`;
  for (const path of all) symlinkSync(path, at(`room/laid/${laid(path)}`));
  file("victim/token");

  const state = at("home/.local/state/tildone");
  const pathSocket = at("shared/daemon.sock");
  const homeSocket = at("home/.docker.sock");
  const abstract = `tildone-${crypto.randomUUID()}`;
  const servers = [
    await listen({ host: "0.0.0.0", port: 0 }, token),
    await listen({ host: "::1", port: 0 }, token).catch(() => listen({ host: "127.0.0.1", port: 0 }, token)),
    await listen({ path: pathSocket }, token),
    await listen({ path: homeSocket }, token),
    await listen({ path: `\0${abstract}` }, token),
  ];
  const udp = createSocket("udp4").on("message", (_text, { port, address }) => udp.send(token, port, address));
  await new Promise<void>((done) => udp.bind(0, "127.0.0.1", done));

  spawnSync("chown", ["-R", `${uid}:${uid}`, top]);
  chmodSync(top, 0o755);
  for (const path of ["room", "temp"]) chmodSync(at(path), 0o777); // also for who prepares it
  for (const path of [pathSocket, homeSocket]) chmodSync(path, 0o777);
  const victim = startVictim(token, at("victim/token"), at("victim"), uid);
  const shm = Number(
    asUser(uid, `perl -e 'my $i = shmget(0, 128, 0600|01000); shmwrite($i, "${token}", 0, 64); print $i'`),
  );
  const port = (server: Server) => (server.address() as { port: number }).port;
  return {
    ...{ token, top, secrets, targets, laid, state, uid, shm },
    home: at("home"),
    root: at("room"),
    workspace: at("home/app"),
    temp: at("temp"),
    /** So many steps up lead to the root of everything. */
    up: "../".repeat(12).slice(0, -1),
    isRoot: uid === 0,
    mountPoint: at("home"),
    victim: { pid: victim.pid!, file: at("victim/token") },
    sockets: {
      tcp: port(servers[0]!),
      tcp6: port(servers[1]!),
      host6: (servers[1]!.address() as { address: string }).address,
      udp: udp.address().port,
      path: pathSocket,
      inHome: homeSocket,
      abstract,
    },
    stateOf,
    isVictimAlive: () => victim.exitCode === null && victim.signalCode === null,
    /** Puts every target back as it was, after an attempt that was meant to succeed. */
    restore: () => {
      for (const path of Object.values(targets)) {
        rmSync(path, { force: true });
        writeFileSync(path, `${token}\n`);
        chmodSync(path, 0o644);
        chownSync(path, uid, uid);
      }
    },
    dispose: () => {
      victim.kill("SIGKILL");
      for (const server of servers) server.close();
      udp.close();
      spawnSync("ipcrm", ["-m", String(shm)]);
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function stateOf(path: string): string {
  if (!existsSync(path)) return "gone";
  const { mode, ino } = lstatSync(path);
  return `${mode} ${ino} ${readFileSync(path, "utf8")}`;
}

const asUser = (uid: number, line: string): string =>
  spawnSync("/bin/sh", ["-c", line], { uid, gid: uid, encoding: "utf8" }).stdout.trim();

/** A process of the same user, with the token in its variables, its words, its folder and an open file. */
function startVictim(token: string, file: string, cwd: string, uid: number): ChildProcess {
  const line = `exec 7<"$1"; while :; do sleep 1; done`;
  return spawn("/bin/sh", ["-c", line, token, file], {
    cwd,
    env: { PATH: process.env.PATH, SECRET: token },
    detached: true,
    uid,
    gid: uid,
    stdio: "ignore",
  });
}

async function listen(where: { host: string; port: number } | { path: string }, token: string): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => {}).end(`${token}\n`));
  await new Promise<void>((done, fail) => server.once("error", fail).listen(where, done));
  return server;
}
