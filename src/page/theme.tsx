import { signal } from "@preact/signals";

const KEY = "tildone.theme";
export const theme = signal(localStorage.getItem(KEY) ?? "");
apply();

/** As your system says, or the other one. */
export function ThemeSwitch() {
  const isDark = theme.value === "dark" || (theme.value === "" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <button
      type="button"
      class="quiet theme"
      aria-label={isDark ? "Use the light theme" : "Use the dark theme"}
      onClick={() => {
        theme.value = isDark ? "light" : "dark";
        localStorage.setItem(KEY, theme.value);
        apply();
      }}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        {isDark ? (
          <path
            d="M10 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 1v2.500M10 16.500V19M1 10h2.500M16.500 10H19M3.600 3.600l1.800 1.800M14.600 14.600l1.800 1.800M16.400 3.600l-1.800 1.800M5.400 14.600l-1.800 1.800"
            fill="currentColor"
            stroke="currentColor"
            stroke-width="1.800"
            stroke-linecap="round"
          />
        ) : (
          <path d="M15.500 12.500A6.500 6.500 0 0 1 7.500 4.500a6.500 6.500 0 1 0 8 8z" fill="currentColor" />
        )}
      </svg>
    </button>
  );
}

function apply(): void {
  if (theme.value === "light" || theme.value === "dark") document.documentElement.dataset.theme = theme.value;
}
