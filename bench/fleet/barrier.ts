import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { fleetGit, openRunFiles } from "../../src/fleet/files/index.ts";
import { initFleet, type Lease, type Ledger, openLedger } from "../../src/fleet/index.ts";
import { createProtocol } from "../../src/fleet/runner/protocol.ts";
import { aSubmission } from "../../test/fleet/ledgers.ts";
import { measure } from "../harness.ts";
import { CARD, CONVERSATION, rowsOfTurn } from "./a-turn.ts";
import { durableServer } from "./durable-server.ts";
import type { Part } from "./part.ts";
import { insertPlain, makePlainTable } from "./plain-rows.ts";

const FILES = 300;
const CHANGED = 3;

/** The end of a turn: files pushed, one transaction. Beside it the same with plain git and plain SQL. */
export const barrier: Part = async () => {
  await using postgres = await durableServer();
  const url = await postgres.database();
  await initFleet({ url, ownTablesOnly: true });
  const folder = mkdtempSync(join(tmpdir(), "tildone-bench-barrier-"));
  const ledger = await openLedger({ url });
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await makePlainTable(client);
    const git = fleetGit(process.env);
    const remote = makeRemote(folder);
    const files = openRunFiles({
      git,
      cache: join(folder, "cache"),
      place: join(folder, "run"),
      run: "a",
      repo: remote,
    });
    await files.takeOver(1);
    await files.begin(undefined);
    const protocol = protocolOf(ledger, await claimed(ledger, "a"), async () => (await files.checkpoint(1)).commit);
    const filesAlone = edits(files.work);
    const lease = await claimed(ledger, "b");
    const plain = join(folder, "plain");
    execFileSync("git", ["clone", "-q", remote, plain]);
    const plainGit = plainCheckpoints(git, plain, remote);
    let [seq, plainSeq] = [0, 0];
    const transaction = async (): Promise<void> => {
      const rows = rowsOfTurn(seq);
      const mark = {
        seq: rows.at(-1)!.seq,
        commit: "0".repeat(40),
        bytes: (seq / rows.length + 1) * CONVERSATION.length,
      };
      const at = mark.bytes - CONVERSATION.length;
      const conversation = { at, bytes: CONVERSATION };
      const news = { from: seq, rows, card: CARD, applied: [], mark, survived: true, conversation };
      if ((await ledger.barrier(lease, news)).status !== "written") throw new Error("fenced");
      seq = mark.seq;
    };
    const plainTransaction = async (): Promise<void> => {
      const rows = rowsOfTurn(plainSeq);
      await client.query("BEGIN");
      await insertPlain(client, "b", rows);
      await client.query("COMMIT");
      plainSeq += rows.length;
    };
    const plainEdits = edits(plain);
    const results = await measure([
      {
        name: "the end of a turn",
        run: async () => {
          filesAlone();
          await protocol.turn();
        },
        floor: async () => {
          plainEdits();
          await plainGit();
          await plainTransaction();
        },
        target: { atMost: 3 },
      },
      {
        name: "its files",
        run: async () => {
          filesAlone();
          await files.checkpoint(1);
        },
        floor: async () => {
          plainEdits();
          await plainGit();
        },
        target: { atMost: 3 },
      },
      { name: "its transaction", run: transaction, floor: plainTransaction, target: { atMost: 3 } },
      {
        name: "the same, no file changed",
        run: () => protocol.turn(),
        floor: async () => {
          await git(["-C", plain, "add", "-A"]);
          await git(["-C", plain, "write-tree"]);
          await plainTransaction();
        },
        target: { atMost: 4 },
      },
    ]);
    return {
      results,
      says: [
        `${FILES} files, ${CHANGED} changed; ${rowsOfTurn(0).length} events and ${CONVERSATION.length} bytes of conversation a turn; the remote is a folder`,
      ],
    };
  } finally {
    await client.end();
    await ledger.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

async function claimed(ledger: Ledger, run: string): Promise<Lease> {
  await ledger.submit(aSubmission(run));
  const answer = await ledger.claim(run, "bench", 1);
  if (answer.status !== "claimed") throw new Error(answer.status);
  return answer.claimed.lease;
}

/** A turn as the runner tells it. */
function protocolOf(ledger: Ledger, lease: Lease, files: () => Promise<string>) {
  let [turns, length] = [0, 0];
  const protocol = createProtocol({
    ledger,
    lease,
    from: 0,
    local: {
      rowsAfter: (after) => {
        const rows = rowsOfTurn(0).length * turns - after;
        return rows > 0 ? rowsOfTurn(after, rows) : [];
      },
      card: () => CARD,
    },
    keep: async () => {
      const at = length;
      length += CONVERSATION.length;
      return { commit: await files(), length, news: { at, bytes: CONVERSATION } };
    },
    insist: (act) => act(),
  });
  return {
    turn: async () => {
      turns++;
      if ((await protocol.barrier()) !== "written") throw new Error("fenced");
    },
  };
}

/** The least that makes files safe in a remote. */
function plainCheckpoints(git: ReturnType<typeof fleetGit>, work: string, remote: string) {
  let last: string | undefined;
  const asked = async (...args: readonly string[]): Promise<string> => {
    const answer = await git(["-C", work, ...args]);
    if (answer.status === "failed") throw new Error(answer.problem);
    return answer.output.trim();
  };
  return async () => {
    await asked("add", "-A");
    const tree = await asked("write-tree");
    last = await asked("commit-tree", tree, ...(last === undefined ? [] : ["-p", last]), "-m", "plain");
    await asked("push", "-q", remote, `${last}:refs/plain/a`);
  };
}

function makeRemote(folder: string): string {
  const [seed, remote] = [join(folder, "seed"), join(folder, "remote.git")];
  mkdirSync(join(seed, "src"), { recursive: true });
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(seed, "src", `file${at}.ts`), `export const a = ${at};\n`.repeat(50));
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@localhost", ...args], { cwd, stdio: "ignore" });
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  git(seed, "init", "-q", "-b", "main");
  git(seed, "add", "-A");
  git(seed, "commit", "-qm", "first");
  git(seed, "push", "-q", remote, "main");
  return remote;
}

function edits(work: string): () => void {
  let edition = 0;
  return () => {
    edition++;
    for (let at = 0; at < CHANGED; at++)
      writeFileSync(join(work, "src", `file${at}.ts`), `export const a = "${edition}.${at}";\n`.repeat(50));
  };
}
