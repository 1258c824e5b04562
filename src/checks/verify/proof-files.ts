import type { Clock } from "../../engine/index.ts";
import { asText, createSnapshots, type NotPacked, packTrees, unpackTrees } from "../snapshot/index.ts";
import { createGit } from "../workspace/git.ts";

/** The trees of receipts, taken from one machine to another. */
export interface ProofFiles {
  pack(cwd: string, trees: ProofTrees): Promise<PackedTrees | NotPacked>;
  /** False: it is damaged. */
  unpack(cwd: string, pack: Buffer): Promise<boolean>;
}

export interface ProofTrees {
  /** Names of judges and products. */
  readonly names: readonly string[];
  /** Ids of rooms. */
  readonly rooms: readonly string[];
}

export interface PackedTrees {
  readonly pack: Buffer;
  /** Where the directory of the run lies in the project. */
  readonly prefix: string;
  /** Files that git ignores and that travel with it. */
  readonly ignored: readonly string[];
  /** Folders that are too large to travel. */
  readonly large: readonly string[];
}

const GIT_MS = 5 * 60_000;

export function proofFiles({
  clock,
  env,
  directory,
}: {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where stores are kept. */
  readonly directory: string;
}): ProofFiles {
  const git = createGit({ clock, env, timeoutMs: GIT_MS });
  const snapshots = createSnapshots({ git, directory });
  return {
    async pack(cwd, { names, rooms }) {
      const opened = [];
      for (const name of new Set(names)) {
        const snapshot = await snapshots.open(cwd, name);
        if (!snapshot) return "not_kept";
        opened.push(snapshot);
      }
      const trees = new Set([...opened.map(({ name }) => name.split(":")[1]!), ...rooms]);
      const pack = await packTrees({ git, cwd, directory }, [...trees]);
      if (typeof pack === "string") return pack;
      return {
        pack,
        prefix: opened[0]?.prefix ?? "",
        ignored: unique(opened.flatMap(({ ignored }) => [...ignored.keys()])),
        large: unique(opened.flatMap(({ large }) => large.map(({ path }) => path))),
      };
    },
    unpack: (cwd, pack) => unpackTrees({ git, cwd, directory }, pack),
  };
}

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)].map(asText);
