import { Failure } from "./command.ts";
import { stayOffline } from "./stay-offline.ts";

/** The standalone agent stands on pi's packages, which an install may leave out: then one sentence says so. */
export async function needsPi<T>(load: () => Promise<T>): Promise<T> {
  stayOffline(process.env);
  try {
    return await load();
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      error.code === "ERR_MODULE_NOT_FOUND" &&
      /@earendil-works/.test(error.message)
    )
      throw new Failure(
        "this command needs pi's packages, which were left out of this install. Install them with: npm install @earendil-works/pi-coding-agent@0.87.1 @earendil-works/pi-ai@0.87.1",
      );
    throw error;
  }
}
