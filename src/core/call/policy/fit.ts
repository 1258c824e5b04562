/** `maybe`: it could fit, but what the shell will make of it cannot be known beforehand. */
export type Fit = "yes" | "maybe" | "no";
