import { join } from "node:path";
import { createWorkspace } from "../src/checks/index.ts";
import { clock, makeBigRepository } from "./big-repository.ts";
import type { Bench, Row } from "./harness.ts";

/** The workspace at a boundary, beside `git status` on the same tree: each time ten files were written anew. */
export default async function ({ folder }: Bench): Promise<readonly Row[]> {
  const root = join(folder, "repository");
  const { timed, status } = makeBigRepository(root);
  const env = { ...process.env };
  const cacheDirectory = join(folder, "cache");
  const resident = createWorkspace({ clock, env });
  await createWorkspace({ clock, env, cacheDirectory }).observe(root);

  return [
    {
      name: "boundary, 50,000 files, 10 changed",
      run: timed(() => resident.observe(root)),
      floor: status,
      target: { atMost: 1.3 },
    },
    {
      name: "the same in a process just started",
      run: timed(() => createWorkspace({ clock, env, cacheDirectory }).observe(root)),
      floor: status,
      target: { atMost: 1.5 },
    },
  ];
}
