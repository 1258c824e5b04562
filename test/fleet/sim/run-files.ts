import { createClaimedRef } from "../../../src/fleet/files/claimed-ref.ts";
import { FilesError, type FilesMark } from "../../../src/fleet/files/index.ts";
import type { Files, Remote } from "./remote.ts";
import type { Process, Wire } from "./wire.ts";

/** The files of one run on one machine, with the real way of moving its ref. */
export function simulatedFiles(wire: Wire, process: Process, remote: Remote, run: string, pushes: () => void) {
  let work: Files = [];
  let last: { readonly files: Files; readonly commit: string } | undefined;
  const git = <T>(what: string, act: () => T): Promise<T> => wire.call(process, "git", what, async () => act());
  const ref = createClaimedRef({
    tip: () => git("tip", () => remote.tip(run)),
    epochOf: (tip) => git("fetch", () => remote.fetch(run, tip).epoch),
    move: (commit, from) => {
      pushes();
      return git("push", () => remote.move(run, commit, from));
    },
  });
  return {
    work: () => work,
    change: (files: Files) => {
      work = files;
    },
    takeOver: (epoch: number, mark?: string) =>
      ref.takeOver(
        epoch,
        async (tip) =>
          remote.commit(
            [],
            [tip, mark].filter((each) => each !== undefined),
            epoch,
            true,
          ).id,
      ),
    async restore(mark: string) {
      work = await git("fetch", () => remote.fetch(run, mark).files);
    },
    checkpoint,
    async result(epoch: number): Promise<string> {
      await checkpoint(epoch);
      const { id } = remote.commit(work, [], epoch);
      await push(work, epoch, id);
      return id;
    },
    stop: ref.stop,
    discard: () => {},
  };

  async function checkpoint(epoch: number): Promise<FilesMark> {
    const taken = work;
    if (last && last.files === taken) return { commit: last.commit, withheld: [] };
    const commit = await push(taken, epoch);
    last = { files: taken, commit };
    return { commit, withheld: [] };
  }

  async function push(files: Files, epoch: number, ...more: readonly string[]): Promise<string> {
    const tip = ref.tip();
    const { id } = remote.commit(files, [...(tip === undefined ? [] : [tip]), ...more], epoch);
    if ((await ref.push(id)) === "fenced") throw new FilesError("fenced", "Another worker has this run by now.");
    return id;
  }
}

export type SimulatedFiles = ReturnType<typeof simulatedFiles>;
