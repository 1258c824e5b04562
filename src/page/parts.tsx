import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { go } from "./route.ts";

export function Link({
  to,
  children,
  ...rest
}: {
  to: string;
  children: ComponentChildren;
  class?: string;
  "aria-current"?: "page" | undefined;
}) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

export const Badge = ({ tone, children }: { tone: string; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A sentence of tildone's: what stands in backticks is a command to be typed. */
export const Says = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** A command, which breaks between its words only: `--follow-` at the end of a line would read as a whole one. */
export const Typed = ({ text }: { text: string }) => (
  <code class="typed">
    {text.split(/(\s+)/).map((part, at) => (at % 2 === 1 ? part : <span key={at}>{part}</span>))}
  </code>
);

/** A path, which breaks after its slashes first. */
export const Path = ({ text }: { text: string }) => (
  <>
    {text.split(/(?<=\/)/).map((part, at) => (
      <span key={at}>
        {part}
        <wbr />
      </span>
    ))}
  </>
);

const MARKS = { done: "✓", start: "→", missing: "?" } as const;

/** Nothing to show: what it means, and what to do. `missing`: what you looked for is not there. `isPage`: nor is anything else. */
export const Empty = ({
  title,
  children,
  mark = "missing",
  command,
  act,
  isPage = false,
}: {
  title: string;
  children: ComponentChildren;
  mark?: keyof typeof MARKS;
  /** What to type. */
  command?: string;
  /** What to press. */
  act?: { readonly label: string; readonly press: () => void };
  isPage?: boolean;
}) => (
  <div class="empty card">
    <div class={`empty-mark is-${mark}`} aria-hidden="true">
      {MARKS[mark]}
    </div>
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    <p class="muted">{children}</p>
    {command !== undefined && (
      <pre class="code">
        <Typed text={command} />
      </pre>
    )}
    {act !== undefined && (
      <button type="button" onClick={act.press}>
        {act.label}
      </button>
    )}
  </div>
);

/** Before the first run there is nothing to see on any page. */
export const NoRuns = () => (
  <Empty title="No runs yet" mark="start" command={'tildone run "fix the tests" --check "npm test"'}>
    Start one in a terminal; it appears here at once. What needs your answer comes first.
  </Empty>
);

export const Progress = ({ done, total, proven }: { done: number; total: number; proven: number }) => (
  <div class="progress" role="img" aria-label={`${done} of ${total} todos done, ${proven} proven`}>
    <div class="bar" aria-hidden="true">
      <i class="proven" style={{ width: `${total === 0 ? 0 : (proven / total) * 100}%` }} />
      <i class="claimed" style={{ width: `${total === 0 ? 0 : (Math.max(0, done - proven) / total) * 100}%` }} />
    </div>
  </div>
);

/** A question on top of the page; Esc leaves it. */
export function Dialog({
  title,
  children,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-label={title} closedby="any" onClose={onClose}>
      <div class="dialog-body">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** A unified diff, line by line. */
export const Diff = ({ text }: { text: string }) => (
  <code class="diff">
    {text
      .trimEnd()
      .split("\n")
      .map((line, index) => (
        // Lines have no name but their place.
        <span key={index} class={classOf(line)}>
          {line}
        </span>
      ))}
  </code>
);

function classOf(line: string): string {
  if (/^(\+\+\+|---|diff |index |new file|deleted file|similarity|rename )/.test(line)) return "head";
  if (line.startsWith("@@")) return "hunk";
  return line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "";
}

/** What a drawing shows, for people who read it as text. */
export function AsTable({
  head,
  rows,
  isNumbers = false,
}: {
  head: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  isNumbers?: boolean;
}) {
  return (
    <details>
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
      <div class="scroll" tabIndex={0}>
        <table class={isNumbers ? "num" : undefined}>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={head[column]} class={column === 0 ? "num" : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
