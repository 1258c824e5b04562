import "virtual:design.css";
import "./style.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { pairFromAddress, problem, token } from "./api.ts";
import { App } from "./app.tsx";
import { listenToKeys } from "./keys.ts";
import { follow } from "./live.ts";
import { Pair } from "./pair.tsx";

const root = document.getElementById("root")!;
await pairFromAddress();
addEventListener("hashchange", () => void pairFromAddress());
listenToKeys();
effect(draw);
effect(() => {
  if (token.value !== null) void follow();
});

function draw(): void {
  render(token.value === null ? <Pair problem={problem.value} /> : <App />, root);
}
