import { computed, signal } from "@preact/signals";

export type Route =
  | { readonly page: "inbox" | "runs" | "devices" | "nowhere" }
  | { readonly page: "run"; readonly run: string };

const path = signal(location.pathname);
addEventListener("popstate", () => {
  path.value = location.pathname;
});

export const route = computed<Route>(() => {
  const [, first = "", second] = path.value.split("/");
  if (first === "") return { page: "inbox" };
  if (first === "runs" && second) return { page: "run", run: nameIn(second) };
  return first === "runs" || first === "devices" ? { page: first } : { page: "nowhere" };
});

export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, "", to);
  path.value = to;
  scrollTo(0, 0);
}

export const runPath = (run: string): string => `/runs/${encodeURIComponent(run)}`;

/** An address with a stray `%` names a run that does not exist. */
function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
