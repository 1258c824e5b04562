import { useState } from "preact/hooks";
import type { DiffShown, Mark, RunPage, TodoShown } from "../../serve/index.ts";
import { ask } from "../api.ts";
import { amount, money, plural, span } from "../format.ts";
import { pending, say, send } from "../outbox.ts";
import { Badge, Dialog, Diff, Progress } from "../parts.tsx";

/** The list, with what is known about each todo and what you can do with it. */
export function Todos({ page }: { page: RunPage }) {
  const { run, todos, count, status } = page;
  const isOver = status === "ended";
  return (
    <section class="panel card" aria-labelledby="todos">
      <div class="panel-head">
        <h2 id="todos">Todos</h2>
        {todos.length > 0 && (
          <>
            <span class="small muted num">{count.text}</span>
            <Progress {...count} />
          </>
        )}
      </div>
      {todos.length === 0 ? (
        <p class="muted">
          {isOver ? "There was no list." : "The agent has not written its list yet. You can begin it:"}
        </p>
      ) : (
        <ol class="todos">
          {todos.map((todo) => (
            <Item key={todo.id} page={page} todo={todo} last={todos.length - 1} />
          ))}
        </ol>
      )}
      {!isOver && <Add run={run} />}
    </section>
  );
}

function Item({ page: { run, row, status: runStatus }, todo, last }: { page: RunPage; todo: TodoShown; last: number }) {
  const [isEditing, setEditing] = useState(false);
  const [diff, setDiff] = useState<DiffShown>();
  const { id, index, text, status, standing, proof, glyph, reason, changes } = todo;
  const isSending = [...pending.value].some((about) => about.startsWith(`todo ${run} ${id} `));
  const tell = (saying: Parameters<typeof send>[1], label: string) =>
    send(run, saying, `${label}: ${text}`, `todo ${run} ${id} ${label}`);
  const mark = (as: Mark, label: string) => tell({ type: "mark", todo: id, as }, label);
  const isDone = status === "completed" || status === "abandoned";
  // A list that is over is changed no more; what it did to the files can be taken back.
  const isOpen = runStatus !== "ended";
  const canUndo = changes !== undefined && !row.isOfFleet;
  return (
    <li class={`todo ${isDone ? "is-done" : ""} ${isSending ? "is-sending" : ""}`}>
      <span class={`todo-glyph t-${proof}`} aria-hidden="true">
        {glyph}
      </span>
      <div class="todo-body">
        {isEditing ? (
          <form
            class="todo-edit"
            onSubmit={(event) => {
              event.preventDefault();
              const changed = String(new FormData(event.currentTarget).get("text")).trim();
              if (changed !== "" && changed !== text) tell({ type: "change", todo: id, text: changed }, "Change");
              setEditing(false);
            }}
          >
            <input
              name="text"
              aria-label={`Text of todo ${index}`}
              defaultValue={text}
              ref={(element) => element?.focus()}
            />
            <button type="submit" class="primary">
              Save
            </button>
            <button type="button" onClick={() => setEditing(false)}>
              Back
            </button>
          </form>
        ) : (
          <p class="todo-text">
            <span class="muted num">[{index}]</span> {text}
          </p>
        )}
        <p class="todo-facts small">
          {/* Most todos of a list are open: its glyph is enough for the eye. */}
          {proof === "open" ? <span class="hidden">{standing}</span> : <Badge tone={proof}>{standing}</Badge>}
          {todo.priority !== "medium" && <span class="muted">{todo.priority} priority</span>}
          {todo.askFirst && !isDone && <span class="t-warn">waits for your release</span>}
          {reason !== undefined && <span class="muted">{reason}</span>}
          {todo.tokens > 0 && (
            <span class="muted num">
              {amount(todo.tokens)} tokens, {money(todo.cost)}, {span(todo.activeMs)}
            </span>
          )}
          {changes && !row.isOfFleet && (
            <button type="button" class="link num" onClick={() => void show(run, id, setDiff)}>
              {plural(changes.files, "file")} <span class="t-good">+{changes.added}</span>{" "}
              <span class="t-bad">−{changes.removed}</span>
            </button>
          )}
        </p>
        {todo.shown.map((check) => (
          <p key={check.key} class="todo-check small">
            <span
              class={
                check.result === "passed" && !check.stale && !check.suspect
                  ? "t-good"
                  : check.result === "not run"
                    ? "t-open"
                    : "t-bad"
              }
            >
              {check.result === "passed" ? "✓" : check.result === "not run" ? "○" : "✗"}
            </span>{" "}
            <code>{check.command}</code> <span class="muted">{check.result.replace("_", " ")}</span>
          </p>
        ))}
      </div>
      {(isOpen || canUndo) && (
        <details class="menu">
          <summary aria-label={`Change todo ${index}`}>⋯</summary>
          <div class="menu-items card">
            {isOpen && !isDone && <MenuItem label="Mark done" act={() => mark("done", "Mark done")} />}
            {isOpen && isDone && <MenuItem label="Reopen" act={() => mark("reopen", "Reopen")} />}
            {isOpen && status === "blocked" && <MenuItem label="Unblock" act={() => mark("unblock", "Unblock")} />}
            {isOpen && todo.askFirst && !isDone && <MenuItem label="Release" act={() => mark("release", "Release")} />}
            {isOpen && <MenuItem label="Edit" act={() => setEditing(true)} />}
            {isOpen && index > 0 && (
              <MenuItem label="Move up" act={() => tell({ type: "move", todo: id, to: index - 1 }, "Move up")} />
            )}
            {isOpen && index < last && (
              <MenuItem label="Move down" act={() => tell({ type: "move", todo: id, to: index + 1 }, "Move down")} />
            )}
            {canUndo && <MenuItem label="Undo its files" act={() => tell({ type: "undo", todo: id }, "Undo")} />}
            {isOpen && <MenuItem label="Drop" isDanger act={() => mark("drop", "Drop")} />}
          </div>
        </details>
      )}
      {diff && (
        <Dialog title={`What [${index}] changed`} onClose={() => setDiff(undefined)}>
          <ul class="diffstat small num">
            {diff.files.map(({ path, added, removed }) => (
              <li key={path}>
                <code>{path}</code> <span class="t-good">+{added}</span> <span class="t-bad">−{removed}</span>
              </li>
            ))}
          </ul>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
          <pre class="code diff-box" tabIndex={0}>
            <Diff text={diff.diff} />
          </pre>
          {diff.isCut && (
            <p class="small muted">
              The rest: tildone diff {index} --run {run}
            </p>
          )}
          <form method="dialog" class="actions">
            <button type="submit">Close</button>
          </form>
        </Dialog>
      )}
    </li>
  );
}

const MenuItem = ({ label, act, isDanger = false }: { label: string; act: () => void; isDanger?: boolean }) => (
  <button
    type="button"
    class={isDanger ? "danger" : ""}
    onClick={(event) => {
      event.currentTarget.closest("details")?.removeAttribute("open");
      act();
    }}
  >
    {label}
  </button>
);

async function show(run: string, todo: string, set: (diff: DiffShown) => void): Promise<void> {
  try {
    set(await ask<DiffShown>(`/api/runs/${encodeURIComponent(run)}/diff/${encodeURIComponent(todo)}`));
  } catch (error) {
    say("warning", error instanceof Error ? error.message : String(error));
  }
}

function Add({ run }: { run: string }) {
  const [text, setText] = useState("");
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        send(run, { type: "add", text: text.trim(), askFirst: false }, `Add: ${text.trim()}`);
        setText("");
      }}
    >
      <input
        aria-label="New todo"
        placeholder="Add a todo…"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Add</button>
    </form>
  );
}
