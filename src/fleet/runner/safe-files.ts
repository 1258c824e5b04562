import { FilesError, type RunFiles } from "../files/index.ts";
import type { Lease, Ledger } from "../ports.ts";
import type { Conversation } from "./conversation.ts";
import { insist, type Patience } from "./insist.ts";
import type { LocalLog } from "./local-log.ts";

export interface SafeFilesParts {
  readonly ledger: Pick<Ledger, "holds">;
  readonly lease: Lease;
  readonly files: Pick<RunFiles, "takeOver" | "checkpoint" | "result">;
  readonly local: LocalLog;
  readonly conversation: Conversation;
  readonly say: (text: string) => void;
  readonly forDatabase: Patience;
  readonly forRepository: Patience;
  /** What is pushed now comes too late: nothing more is. */
  readonly hasGivenUp: () => boolean;
  /** The run is another one's by now. */
  readonly fence: () => void;
}

/** Makes the files of a run safe in its repository, as long as the run is ours. */
export function createSafeFiles(parts: SafeFilesParts) {
  const { ledger, lease, files, local, conversation, say, forDatabase, forRepository, hasGivenUp, fence } = parts;
  const withheld = new Set<string>();
  let saidLast: ReturnType<Conversation["news"]> | undefined;
  return { keep, kept, result };

  /** Files and conversation as they are now. */
  async function keep() {
    const mark = await whileOurs(() => files.checkpoint(lease.epoch));
    for (const path of mark.withheld)
      if (!withheld.has(path)) {
        withheld.add(path);
        say(`not kept with the run, because it looks like a secret: ${path}`);
      }
    saidLast = conversation.news(local.card()?.session);
    return { commit: mark.commit, ...saidLast };
  }

  /** The database has it. */
  function kept(): void {
    if (saidLast) conversation.said(saidLast);
  }

  function result(message: string): Promise<string> {
    return whileOurs(() => files.result(lease.epoch, message));
  }

  /** The remote may refuse a push of ours: an older claim pushed before it knew, or the answer to our last one was lost. */
  async function whileOurs<T>(push: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await untilThere(push);
      } catch (error) {
        if (!(error instanceof FilesError) || error.code !== "fenced") throw error;
        const isOurs =
          (await insist(() => ledger.holds(lease), forDatabase)) &&
          (await untilThere(() => files.takeOver(lease.epoch)));
        if (isOurs) continue;
        fence();
        throw error;
      }
    }
  }

  function untilThere<T>(act: () => Promise<T>): Promise<T> {
    return insist(() => (hasGivenUp() ? new Promise<never>(() => {}) : act()), forRepository);
  }
}
