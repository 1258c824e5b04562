import { execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { attempt } from "../../src/machine/index.ts";
import { openStore } from "../../src/store/index.ts";
import { type ModelRequest, type Step, startScriptedModel } from "../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../e2e/agent/tildone.ts";
import { createRandom, type Random } from "../sim/random.ts";

/** TILDONE_KILLS=200 for the long form; TILDONE_SEED to see the same moments again. */
const KILLS = Number(process.env.TILDONE_KILLS ?? 10);
const SEED = Number(process.env.TILDONE_SEED ?? 1);
const KILLS_PER_RUN = 5;
/** In turn: a room of the second kind is kept for the next check, so it is open longer. */
const FILES = [600, 2_500] as const;

/** Says where it is, leaves a child behind that ignores every signal, and takes a while. */
const CHECK = `touch running
sh -c 'trap "" TERM HUP INT; sleep 305' > /dev/null 2>&1 < /dev/null &
sleep 0.3
touch ended
test -f done
`;

const worker = ({ messages }: ModelRequest): Step => {
  const answers = messages.filter(({ role }) => role === "tool").length;
  if (answers === 0) return { calls: [["write_todos", { mode: "replace", todos: [{ text: "make it" }] }]] };
  // Told to go on after a kill, it does the work again: it cannot know whether it was done, and nobody saw it.
  if (answers === 1 || messages.at(-1)?.role === "user") return { calls: [["bash", { command: "echo > done" }]] };
  return { calls: [["edit_todos", { action: "complete", indices: [0] }]] };
};

/** What a look into the folder of the rooms shows when the moment has come, and how long after it the kill falls. */
const MOMENTS = [
  ["before the room", undefined, 900],
  ["while it is laid out", "", 250],
  ["during the check", "/*/running", 300],
  ["while it is removed", "/*/ended", 60],
] as const;

const worlds = Array.from({ length: Math.ceil(KILLS / KILLS_PER_RUN) }, (_, world) => ({
  seed: SEED + world,
  files: FILES[world % FILES.length]!,
  kills: Math.min(KILLS_PER_RUN, KILLS - world * KILLS_PER_RUN),
}));

test.each(worlds)(
  "kill -9 with a room open, $kills times, $files files (seed $seed): nothing is lost and nothing is left",
  {
    timeout: 120_000 + KILLS_PER_RUN * 60_000,
  },
  async ({ seed, kills, files }) => {
    const temp = realpathSync(mkdtempSync(join(tmpdir(), "tildone-rooms-")));
    await using place = aPlace({ TILDONE_APPROVAL: "yolo", TMPDIR: temp });
    layOutProject(place, files);
    const model = await startScriptedModel(worker);
    const random = createRandom(seed);
    const story: string[] = [];
    const args = async () => [
      ...["run", ...((await runs(place)).length > 0 ? ["--resume"] : ["make it", "--check", "sh check.sh"])],
      ...["--json", "--model", "scripted", "--base-url", model.url],
    ];
    for (let kill = 0; kill < kills; kill++) {
      const died = await dieIn(place, await args(), temp, random);
      if (died === undefined) {
        story.push("finished; begun anew");
        rmSync(place.env.TILDONE_HOME, { recursive: true });
        kill--;
        continue;
      }
      story.push(died.moment);
      const said = `seed ${seed}: ${story.join(", ")}`;
      // A start removes what others left: only the room of the process that was just killed may be there.
      if (died.began)
        expect(
          rooms(temp).filter((name) => !name.includes(`-${died.pid}-`)),
          said,
        ).toEqual([]);
      await place.tildone("status");
      await vi.waitFor(() => expect(belonging(temp), said).toEqual([]), { timeout: 60_000, interval: 50 });
      expect(readFileSync("/proc/mounts", "utf8").includes(basename(temp)), said).toBe(false);
      expect(worktrees(place), said).toBe(1);
      for (const { audit } of await runs(place)) expect(audit, said).toMatchObject({ breaks: [], unsealed: 0 });
    }
    const last = await place.tildone(...(await args()));
    await model.close();
    const said = `seed ${seed}: ${story.join(", ")}\n${last.err}${last.out.slice(-2000)}`;
    expect(linesOf(last.out).result, said).toMatchObject({ reason: "all_done" });
    expect((await runs(place)).length, said).toBe(1);
    expect(rooms(temp), said).toEqual([]);
    await vi.waitFor(() => expect(belonging(temp), said).toEqual([]), { timeout: 60_000, interval: 50 });
    rmSync(temp, { recursive: true, force: true });
    console.log(said.split("\n")[0]);
  },
);

function layOutProject({ project, env }: Place, files: number): void {
  for (let file = 0; file < files; file++) {
    const folder = join(project, `source/part${file % 30}`);
    if (file < 30) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file${file}.txt`), `file ${file}\n`);
  }
  writeFileSync(join(project, "check.sh"), CHECK);
  writeFileSync(join(project, ".gitignore"), "running\nended\n");
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: project, env });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all");
}

/** Undefined: it finished before its moment came. */
async function dieIn(place: Place, args: readonly string[], temp: string, random: Random) {
  const [moment, sign, mostMs] = random.pick(MOMENTS);
  const more = random.below(mostMs);
  const life = place.start(...args);
  let isOver = false;
  void life.ended.then(() => {
    isOver = true;
  });
  const hasCome = () =>
    sign === undefined || globSync(join(temp, `tildone-room-*-${life.child.pid}-*${sign}`)).length > 0;
  while (!isOver && !hasCome()) await pause(3);
  const until = Date.now() + more;
  while (!isOver && Date.now() < until) await pause(Math.min(20, Math.max(1, until - Date.now())));
  const began = rooms(temp).some((name) => name.includes(`-${life.child.pid}-`));
  life.child.kill("SIGKILL");
  const { code } = await life.ended;
  if (code !== null) return undefined;
  return { moment: `${more} ms after: ${moment}`, began, pid: life.child.pid };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const rooms = (temp: string): readonly string[] => readdirSync(temp).filter((name) => name.startsWith("tildone-room-"));

/** Processes that stand in these rooms or were told of them. */
function belonging(temp: string): readonly string[] {
  const name = basename(temp);
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    const read = (file: string) => attempt(() => readFileSync(`/proc/${pid}/${file}`, "latin1")) ?? "";
    const facts = [read("cmdline"), read("environ"), attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ""];
    return facts.some((fact) => fact.includes(name)) ? [`${pid} ${facts[0]?.replaceAll("\0", " ")}`] : [];
  });
}

const worktrees = ({ project, env }: Place): number =>
  execFileSync("git", ["worktree", "list"], { cwd: project, env, encoding: "utf8" }).trimEnd().split("\n").length;

async function runs({ database }: Place) {
  if (!existsSync(database)) return [];
  const store = await openStore({ path: database });
  try {
    return store.runs.list().map(({ run }) => ({ run, audit: store.audit(run) }));
  } finally {
    store.close();
  }
}
