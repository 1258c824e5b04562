/** Shown until this tab has a token. */
export const Pair = ({ problem }: { problem: string | undefined }) => (
  <main class="pair">
    <div class="card pair-card">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>Pair this browser</h1>
      {problem !== undefined && (
        <p class="t-bad" role="alert">
          {problem}
        </p>
      )}
      <p class="muted">
        Each tab needs a code once, so that no other page on this machine can answer in your name. Get one in a
        terminal:
      </p>
      <pre class="code">
        <code>tildone serve --pair</code>
      </pre>
      <p class="muted">Then open the address that it prints.</p>
    </div>
  </main>
);
