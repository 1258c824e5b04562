import { go } from "./route.ts";

/** `/` searches, `j` and `k` go from one thing that waits to the next. Never while you type. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.metaKey || event.ctrlKey || event.altKey || target.closest("input,textarea,select,dialog")) return;
    if (event.key === "/") {
      event.preventDefault();
      if (location.pathname !== "/runs") go("/runs");
      requestAnimationFrame(() => document.getElementById("search")?.focus());
    } else if (event.key === "j" || event.key === "k") next(event.key === "j" ? 1 : -1);
  });
  addEventListener("click", ({ target }) => {
    for (const menu of document.querySelectorAll("details.menu[open]"))
      if (!menu.contains(target as Node)) menu.removeAttribute("open");
  });
  addEventListener("keyup", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.removeAttribute("open");
      menu.querySelector("summary")?.focus();
    }
  });
}

function next(step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(".ask,.run-link")];
  const at = all.findIndex((each) => each.contains(document.activeElement));
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}
