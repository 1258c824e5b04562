import { FilesError } from "./files-error.ts";

/** One ref of a repository elsewhere. Its methods throw a `FilesError`. */
export interface RemoteRef {
  /** The commit it names; undefined: there is no such ref. */
  tip(): Promise<string | undefined>;
  /** Number of the claim that put this commit there. */
  epochOf(tip: string): Promise<number>;
  /** Only if it names exactly `from`. `directory`: where the commit is, if not in the usual place. */
  move(commit: string, from: string | undefined, directory?: string): Promise<"moved" | "fenced">;
}

/** The ref that holds the files of a run. Each push replaces exactly what this claim put there, so an older claim moves nothing. */
export function createClaimedRef(remote: RemoteRef) {
  /** What stands in the remote as far as we know. */
  let tip: string | undefined;
  let isStopped = false;
  return { takeOver, push, stop, tip: () => tip };

  /** Another claim is known to have followed: nothing is pushed any more, also in the middle of a takeover. */
  function stop(): void {
    isStopped = true;
  }

  /** Makes the remote refuse older claims. False: a newer one was there first. */
  async function takeOver(epoch: number, commitOn: (tip: string | undefined) => Promise<string>): Promise<boolean> {
    for (;;) {
      tip = await remote.tip();
      if (tip !== undefined && (await remote.epochOf(tip)) > epoch) return false;
      if ((await push(await commitOn(tip))) === "pushed") return true;
      if (isStopped) return false;
    }
  }

  async function push(commit: string, directory?: string): Promise<"pushed" | "fenced"> {
    if (isStopped) return "fenced";
    try {
      if ((await remote.move(commit, tip, directory)) === "fenced") return "fenced";
    } catch (error) {
      // Its answer may be lost, not the push.
      const isThere = error instanceof FilesError && error.code === "away" && (await remote.tip()) === commit;
      if (!isThere) throw error;
    }
    tip = commit;
    return "pushed";
  }
}
