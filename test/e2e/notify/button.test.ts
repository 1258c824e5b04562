import { expect, test } from "vitest";
import { DEFAULTS } from "../../../src/core/continuation/index.ts";
import { createEngine, readEvents } from "../../../src/engine/index.ts";
import { systemClock } from "../../../src/machine/index.ts";
import { sendWaiting, systemWorld } from "../../../src/notify/index.ts";
import { createFakeHost, HOST_KINDS } from "../../../src/testing/index.ts";
import { aReceiver } from "../../builders/loopback-receiver.ts";
import { LONG } from "../person/person.ts";
import { aServer } from "../serve/a-server.ts";

interface Action {
  readonly label: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

test("a button of ntfy, pressed as the phone presses it, reaches tildone serve and works once", LONG, async () => {
  await using phone = await aReceiver();
  await using serve = await aServer();
  const engine = createEngine({
    ...{
      store: serve.store,
      clock: systemClock(),
      host: createFakeHost(HOST_KINDS.terminal, "fake"),
      cwd: serve.state,
    },
    ...{ driver: "one", newRunId: () => "run1" },
    context: () => ({ limits: DEFAULTS, notify: { kinds: ["approval"], channels: ["ntfy"] } }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  await engine.tell("s", { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await engine.tell("s", { type: "turn.started", turn: "t1" });
  const approval = {
    ...{ call: "c1", tool: "bash", what: "npm publish", digest: "d1", because: "ask", shows: "command" as const },
    ...{ askedAt: Date.now(), endsAt: Date.now() + 600_000 },
  };
  await engine.tell("s", { type: "calls.journal", events: [{ type: "approval.requested", approval }] });
  await sendWaiting({
    ...{ log: serve.store.log, run: "run1", clock: systemClock() },
    notify: {
      ...{ kinds: ["approval"], channels: ["ntfy"], commands: "redacted" },
      ...{ ntfy: { url: `${phone.url}/t` }, address: "https://desk.example" },
    },
    world: systemWorld({ env: {}, alert: () => "" }),
  });
  const { actions, click } = JSON.parse(phone.received[0]!.body) as { actions: readonly Action[]; click: string };
  expect(click).toBe("https://desk.example/runs/run1");
  /** The tunnel ends here: the same request, to the address behind it. */
  const press = ({ url, method, headers = {}, body }: Action, more: Readonly<Record<string, string>> = {}) =>
    fetch(url.replace("https://desk.example", serve.origin), {
      ...(method && { method }),
      ...(body !== undefined && { body }),
      headers: { ...headers, ...more },
    });
  const approve = actions.find(({ label }) => label === "Approve")!;
  const fromPage = await press(approve, { origin: "https://evil.example" });
  expect(fromPage.status).toBe(403); // no page may press it, not even one that knows the token
  expect(
    (await press({ ...approve, headers: { ...approve.headers, Authorization: serve.headers.authorization! } })).status,
  ).toBe(401); // a browser's token is no button's
  const first = await press(approve);
  expect([first.status, await first.text()]).toEqual([200, "Approved."]);
  const second = await press(approve);
  expect([second.status, await second.text()]).toEqual([409, "This button was used before, or is not known."]);
  expect((await serve.get("/api/board", approve.headers)).status).toBe(401); // a button's token opens nothing else
  const answered = [...readEvents(serve.store.log, "run1")].flatMap(({ event }) =>
    event.type === "approval.answered" ? [[event.call, event.outcome, event.from?.via]] : [],
  );
  expect(answered).toEqual([["c1", "once", "button"]]);
  expect(serve.failures).toEqual([]);
  engine.dispose();
});
