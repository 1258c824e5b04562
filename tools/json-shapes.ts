/**
 * The shape of everything that `--json` prints, by what is typed. docs/reference/json.md and schema/output.json are printed from it.
 */
export interface Shape {
  readonly description: string;
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly Shape[];
}

/** One way to ask for JSON. `lines`: one object a line, each of one of these shapes. */
export interface Output {
  readonly typed: string;
  readonly says: string;
  readonly shape: Shape | { readonly lines: Readonly<Record<string, Shape>> };
}

const text = (description: string): Shape => ({ type: "string", description });
const number = (description: string): Shape => ({ type: "number", description });
const count = (description: string): Shape => ({ type: "integer", description });
const flag = (description: string): Shape => ({ type: "boolean", description });
const time = (description: string): Shape => ({ type: "string", pattern: UTC, description });
const oneOf = (description: string, ...values: readonly string[]): Shape => ({
  type: "string",
  enum: values,
  description,
});
const list = (description: string, items: Shape): Shape => ({ type: "array", items, description });
/** Its fields are the log's own and may grow. */
const open = (description: string): Shape => ({ type: "object", description });
const UTC = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$";

/** A name that ends in `?` may be absent. */
function object(description: string, fields: Readonly<Record<string, Shape>>): Shape {
  const names = Object.keys(fields);
  return {
    type: "object",
    description,
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ""), fields[name]!])),
    required: names.filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}

const CHECK = object("A command that proves something.", {
  run: { description: "The command: a line for the shell, or a list of arguments." },
  "cwd?": text("Where it runs, below the folder of the run."),
  "timeoutMs?": number("How long it may take."),
  by: oneOf("Who gave it.", "human", "plan", "model"),
  "allowed?": flag("The agent's own, and you allowed it."),
  "byPattern?": flag("A pattern of yours allows it."),
});

const TODO_FIELDS = {
  id: text("Stays the same when the list changes."),
  text: text("What is to be done."),
  status: oneOf("Where it is.", "not_started", "in_progress", "blocked", "completed", "abandoned"),
  priority: oneOf("", "high", "medium", "low"),
  needs: list("Ids of todos to complete first.", text("An id.")),
  checks: list("What proves it.", CHECK),
  covers: list("Ids of requirements it answers.", text("An id.")),
  touches: list("Globs of protected files it may change.", text("A glob.")),
  askFirst: flag("You release it before it is worked on."),
  by: oneOf("Who put it on the list.", "human", "plan", "model"),
  "reason?": text("Why it is blocked or abandoned."),
};
const TODO = object("A todo.", TODO_FIELDS);
const SHOWN_TODO = object("A todo.", {
  ...TODO_FIELDS,
  index: count("Its place in the list, from 0: what commands take."),
  standing: text("What is known about it, in detail."),
  proof: oneOf(
    "What is known about it.",
    ...["open", "working", "blocked", "claimed", "proven", "failed", "suspect", "abandoned"],
  ),
  glyph: text("How screens draw that."),
});

const DECISION = object("What was decided when the agent stopped.", {
  type: oneOf("", "continue", "wait", "stop"),
  rule: text("The rule that applied."),
  "reason?": text("Why it waits or stopped: docs/reference/reasons.md."),
  "until?": time("wait: when it ends by itself."),
  "detail?": text("More about the reason."),
  "kind?": text("continue: what the agent is told to do."),
  "step?": open("continue: the todo or phase that is next."),
  "after?": number("continue: the countdown, in milliseconds."),
});

const APPROVAL = object("A call that needs your approval.", {
  call: text("The id of the call."),
  tool: text("The tool."),
  what: text("The whole command or diff."),
  "digest?": text("SHA-256 over the tool, its arguments and the change; `tildone approve` takes its beginning."),
  because: text("The rule that asks."),
  askedAt: time("When it was asked."),
  "endsAt?": time("When it is denied without an answer; absent: its host waits."),
  "shows?": oneOf("`what` is a command and nothing else.", "command"),
  "always?": text("What --always would allow."),
  "alwaysTool?": flag("false: --always-tool is not on offer."),
  "editable?": flag("Another command can be put in its place: `tildone approve --edit`."),
});

const SPENT = object("What was used.", {
  input: count("Tokens."),
  output: count("Tokens."),
  cacheRead: count("Tokens; not counted by budgets."),
  cacheWrite: count("Tokens."),
  cost: number("As the host or the model's price list tells."),
  activeMs: number("Time in turns."),
  continuations: count("How often the agent was told to continue."),
  estimated: count("Tokens of these that are an estimate."),
  "tokens?": count("What budgets count."),
});

const CHECK_RESULT = object("A check of the run and its last result.", {
  key: text("Names it in the log."),
  command: text("The command."),
  by: oneOf("Who gave it.", "human", "plan", "model"),
  mayRun: flag("You allowed it."),
  result: oneOf(
    "Its last result.",
    ...["passed", "failed", "timed_out", "cut_short", "not_runnable", "observed", "not run"],
  ),
  "exit?": count("Its exit code."),
  durationMs: number("How long it took."),
  "at?": time("When it ran."),
  "tail?": text("The end of its output, if it did not pass."),
  stale: flag("It passed, but the files changed since."),
  suspect: flag("It passes only with changes to what judges it."),
  "doubt?": text("What was changed."),
  "beside?": list("Other runs that worked in the folder.", text("A run.")),
  "judged?": oneOf("In the clean room or in the project.", "room", "place"),
  "before?": text("What it said of the files before the work."),
});

const RUN = object("A run.", {
  run: text("Its id."),
  host: text("The program that the agent runs in."),
  session: text("The host's own id of the session."),
  cwd: text("The folder."),
  "goal?": text("What you asked for."),
  status: oneOf("", "live", "ended"),
  state: text("The word that screens show: working, waiting for you, stopped and so on."),
  says: text("The same in a sentence."),
  actsNext: text("Whose move it is."),
  held: flag("You hold it."),
  todos: list("The list.", SHOWN_TODO),
  proven: count("Todos that a check or you proved."),
  checks: list("Those of the run; a todo has its own.", CHECK_RESULT),
  firstResults: list("What checks said of the files before the work.", open("A result.")),
  "decision?": DECISION,
  "boundary?": open("The last stop of the agent, as the log has it."),
  since: open("Turns since progress: `nudged`, `idle` without activity, `still` without a new state of the files."),
  budgets: list(
    "Those that are set.",
    object("A budget.", {
      name: oneOf("", "tokens", "cost", "minutes", "continuations"),
      used: number("So far."),
      limit: number("The total."),
    }),
  ),
  spent: SPENT,
  questions: list("Ids of questions of the agent that wait for you.", text("An id.")),
  approvals: list("Calls that wait for you.", APPROVAL),
  words: list("Messages of yours that wait for the agent.", open("`id`, `text`, `kind`.")),
  began: time("When it began."),
  updated: time("When something last happened."),
  errors: count("Mistakes of tildone's own in this run."),
  warnings: list("About the settings that apply.", text("A sentence.")),
});

const OUTCOME = {
  reason: text("Why it ended: docs/reference/reasons.md, or `waiting`, `no_run`, `unrecorded`."),
  says: text("The same in a sentence."),
  exit: count("The exit code of the process."),
};
const RESULT = object("The last line.", {
  type: oneOf("", "result"),
  ...OUTCOME,
  "session?": text("The host's id of the session."),
  "run?": text("The run; absent if there was none."),
  "todos?": list("The list at the end.", TODO),
  "spent?": SPENT,
  "resume?": text("The command that continues it."),
});

const ENVELOPE = {
  seq: count("Its place in the log, from 1."),
  at: time("When."),
  by: oneOf("Who.", "human", "plan", "model", "subagent", "engine", "host"),
  v: count("Version of its form."),
  event: open("`type` and the fields of docs/reference/events.md, as the log has them: times there are milliseconds."),
  "from?": open("Where your word came from."),
};
const EVENT = object("An event of the log.", ENVELOPE);

const SETTING = {
  key: text("Its name."),
  value: text("As it is written in a file; empty: not set."),
  layer: text("default, user, project, environment or flags."),
  source: text("The file or variable."),
};
const EXPLAINED = {
  ...SETTING,
  says: text("What it does."),
  expected: text("What it must be."),
  default: text("As it is written in a file; empty: nothing."),
  unit: text("What a number counts."),
  absent: text("What applies if it is not set."),
  project: text("What an untrusted project may do with it."),
  variables: list("Variables of the environment.", text("A name.")),
  flags: list("Flags.", text("A flag.")),
  scoped: flag("Also under hosts.<host> and agents.<agent>."),
};

export const OUTPUTS: readonly Output[] = [
  { typed: "tildone status --json", says: "The runs, those that wait for you first.", shape: list("Runs.", RUN) },
  { typed: "tildone status <run> --json", says: "One run.", shape: RUN },
  {
    typed: "tildone run --json",
    says: "One object a line while it works; the last one is the result. `tildone resume --json` is the same.",
    shape: {
      lines: {
        start: object("The first line: what holds for this run.", {
          type: oneOf("", "start"),
          "host?": text("The host that does the work; absent: tildone's own agent."),
          "model?": text("Absent: the host chooses."),
          "baseUrl?": text("The server, if you named one."),
          folder: text("Where it works."),
          checks: list("Commands that must pass at the end.", text("A command.")),
          budget: object("Its limits.", {
            "tokens?": count("Tokens."),
            "cost?": number("Cost."),
            "minutes?": number("Active minutes."),
            "continuations?": count("Continuations."),
          }),
          "byDefault?": oneOf("The limit that you did not set.", "minutes"),
          "approval?": text("The approval mode; absent: the host asks by its own rules."),
        }),
        event: object("Something happened.", { type: oneOf("", "event"), ...ENVELOPE }),
        call: object("A tool call moved. The agent of tildone only.", {
          type: oneOf("", "call"),
          seq: count("Order of the calls' changes."),
          what: text("What changed."),
          id: text("The call."),
          tool: text("The tool."),
          status: text("Its state: docs/reference/calls.md."),
        }),
        said: object("The agent's answer.", { type: oneOf("", "said"), text: text("All of it.") }),
        notice: object("A sentence for you.", { type: oneOf("", "notice"), text: text("The sentence.") }),
        fault: object("A mistake of tildone's own.", { type: oneOf("", "fault"), message: text("What.") }),
        "process.started": object("With --host: the host was started.", {
          type: oneOf("", "process.started"),
          "session?": text("The session it continues."),
          prompt: text("What it was told."),
        }),
        "process.ended": object("With --host: the host ended.", {
          type: oneOf("", "process.ended"),
          code: { description: "Its exit code; null: ended by a signal." },
          "failure?": text("Why, if it failed."),
        }),
        waiting: object("With --host: the run waits before the host is started again.", {
          type: oneOf("", "waiting"),
          run: text("The run."),
          "decision?": DECISION,
        }),
        result: RESULT,
      },
    },
  },
  {
    typed: "tildone why --json",
    says: "The last decisions, the newest last.",
    shape: list(
      "Decisions.",
      object("A decision.", {
        seq: count("Its place in the log."),
        at: time("When."),
        boundary: text("The stop of the agent that it is about."),
        decision: DECISION,
      }),
    ),
  },
  { typed: "tildone log --json", says: "The log, one event a line.", shape: { lines: { event: EVENT } } },
  {
    typed: "tildone todo --json",
    says: "The list of a run.",
    shape: object("The list.", { run: text("The run."), todos: list("Its todos.", SHOWN_TODO) }),
  },
  { typed: "tildone approvals --json", says: "Calls that wait for you.", shape: list("Calls.", APPROVAL) },
  {
    typed: "tildone approvals --show <id> --json",
    says: "One call and its answer.",
    shape: object("A call.", {
      at: time("When it was asked."),
      approval: APPROVAL,
      "answer?": text("How it ended: docs/reference/calls.md. Absent: it waits."),
      "answeredAt?": time("When it was answered."),
      "by?": text("Who answered."),
      "runs?": open("What runs instead, if you changed it: `what`, `digest`."),
    }),
  },
  {
    typed: "tildone checkpoints --json",
    says: "The checkpoints of a run.",
    shape: object("Checkpoints.", {
      run: text("The run."),
      "off?": text("Why there are none."),
      bytes: count("What the checkpoints of this folder take."),
      checkpoints: list(
        "The oldest first.",
        object("A checkpoint.", {
          id: text("What `tildone undo` takes."),
          at: time("When."),
          moment: text("Why it was taken."),
          todos: list("Todos it belongs to.", count("An index.")),
          changed: object("Since the one before.", {
            files: count("Files."),
            added: count("Lines."),
            removed: count("Lines."),
          }),
          ms: number("How long it took."),
          kept: flag("Its files can still be restored."),
          tree: text("Names its files."),
        }),
      ),
    }),
  },
  {
    typed: "tildone diff --json",
    says: "What a todo changed; with --stat without `diff`.",
    shape: object("The changes.", {
      run: text("The run."),
      files: list(
        "Files that changed.",
        object("A file.", {
          path: text("The path."),
          added: { description: "Lines; null for a binary file." },
          removed: { description: "Lines; null for a binary file." },
        }),
      ),
      "diff?": text("The patch."),
    }),
  },
  ...["undo", "redo"].map(
    (name): Output => ({
      typed: `tildone ${name} --json`,
      says: name === "undo" ? "What was undone, or why not." : "What was restored, or why not.",
      shape: object("The answer.", {
        run: text("The run."),
        status: oneOf("", "done", "refused"),
        text: text("The same in sentences."),
        "undo?": text("done: its name in the log."),
        "todos?": list("done: todos that it is about.", count("An index.")),
        "files?": list("done: files that changed.", text("A path.")),
        "added?": count("done: lines."),
        "removed?": count("done: lines."),
        "kept?": list("done: files that were not deleted.", text("A path.")),
        "conflicts?": list(
          "refused: files that stand in the way.",
          object("A file.", {
            path: text("The path."),
            why: oneOf("", "changed_since", "in_the_way", "unclear"),
            by: list("Who changed it: todos by index, and you.", text("Who.")),
          }),
        ),
      }),
    }),
  ),
  {
    typed: "tildone verify --json",
    says: "Every receipt, repeated.",
    shape: object("The result.", {
      run: text("The run."),
      reproduced: flag("All of them."),
      receipts: list(
        "The receipts.",
        object("A receipt.", {
          owner: text("`run`, or the id of its todo."),
          "todo?": count("Its index."),
          "text?": text("Its text."),
          command: text("The check."),
          recorded: open("`status`, `suspect` and `proof`, as the log has them."),
          outcome: open(
            "`status`: reproduced, differs, in_place, not_kept, not_believed, no_proof or cut_short; and why.",
          ),
        }),
      ),
    }),
  },
  {
    typed: "tildone stats --json",
    says: "Sums over runs.",
    shape: object("Sums.", {
      "since?": time("Only runs that changed since then."),
      runs: count("Runs."),
      open: count("Working or waiting."),
      done: count("Finished, proven or not."),
      proven: count("Every required check passed."),
      todos: object("Todos of these runs.", { total: count("All."), done: count("Done."), proven: count("Proven.") }),
      stops: list(
        "Why they stopped.",
        object("A reason.", { reason: text("docs/reference/reasons.md."), runs: count("How many.") }),
      ),
      spent: object("In all.", {
        tokens: count("As budgets count them."),
        cost: number("In all."),
        minutes: number("Active minutes."),
        continuations: count("In all."),
      }),
      by: list(
        "By host and model.",
        object("A host with a model.", {
          host: text("The host."),
          "model?": text("Where the host tells it."),
          runs: count("Runs."),
          done: count("Done."),
          proven: count("Proven."),
          tokens: count("Tokens."),
          cost: number("Cost."),
          minutes: number("Active minutes."),
          continuations: count("Continuations."),
        }),
      ),
      log: object("The file.", { bytes: count("Its size."), runs: count("All runs in it.") }),
    }),
  },
  {
    typed: "tildone doctor --json",
    says: "What was found.",
    shape: object("Findings.", {
      findings: list(
        "In the order of the screen.",
        object("A finding.", { status: oneOf("", "ok", "note", "fix"), says: text("The sentence.") }),
      ),
      hosts: list(
        "Every host, or the one you named.",
        object("A host.", {
          host: text("Its name."),
          installed: flag("The program is on the PATH."),
          setUp: { description: "tildone is set up in it." },
          works: { description: "It was tried and works; absent or null: not tried." },
        }),
      ),
    }),
  },
  {
    typed: "tildone config --json",
    says: "Every setting that applies here.",
    shape: object("Settings.", {
      settings: list(
        "By name.",
        object("A setting.", { ...SETTING, "unit?": text("What a number counts."), "says?": text("What it does.") }),
      ),
      warnings: list("What was left out, and why.", open("`key`, `file` and so on.")),
    }),
  },
  {
    typed: "tildone config explain <setting> --json",
    says: "One setting.",
    shape: object("A setting.", EXPLAINED),
  },
  {
    typed: "tildone config explain <section> --json",
    says: "The settings of a section.",
    shape: object("A section.", { settings: list("In the order of the file.", object("A setting.", EXPLAINED)) }),
  },
  {
    typed: "tildone workflow list --json",
    says: "The workflows that can be started here.",
    shape: object("Workflows.", {
      workflows: list(
        "By name.",
        object("A workflow.", {
          command: text("What starts it."),
          name: text("Its name."),
          scope: text("shipped, user or project."),
          file: text("Its workflow.yaml."),
        }),
      ),
      untrusted: list("Folders that you have not trusted, and what they hold.", open("A folder.")),
    }),
  },
  {
    typed: "tildone workflow check --json",
    says: "Every mistake.",
    shape: object("Mistakes.", {
      isSound: flag("There is no error."),
      problems: list(
        "Mistakes.",
        object("A mistake.", {
          severity: oneOf("", "error", "warning"),
          "workflow?": text("Its folder."),
          file: text("The file."),
          "line?": count("The line."),
          "field?": text("The field."),
          message: text("What is wrong and what was expected."),
        }),
      ),
    }),
  },
  {
    typed: "tildone trust --show --json",
    says: "What would be trusted.",
    shape: object("A project.", {
      root: text("Its folder."),
      files: list("Its files for tildone and pi.", open("`path` and whether you trust it.")),
      untrusted: list("Those you have not trusted.", text("A path.")),
      commands: list("Commands that trusting would allow.", open("`setting` and `command`.")),
    }),
  },
  {
    typed: "tildone replay --json",
    says: "The run, rebuilt from its log.",
    shape: object("The rebuilt run.", {
      run: text("The run."),
      folded: open("Its state as the code has it. It may change with any version."),
      events: count("Events that were replayed."),
      unread: count("Rows that could not be read."),
      damaged: list("The first hundred of these.", open("`seq`, `problem`.")),
      fold: count("Version of the rules that rebuild it."),
      matches: flag("It equals the stored state."),
      log: object("Whether the log was changed.", {
        sealed: count("Rows with a seal."),
        unsealed: count("Older rows without one."),
        signed: count("Rows with your signature."),
        unverified: count("Signed rows that could not be judged here."),
        breaks: list("Where it was changed.", open("`seq`, `problem`.")),
      }),
    }),
  },
  {
    typed: "tildone serve --json",
    says: "One line when it serves.",
    shape: object("The server.", {
      type: oneOf("", "serving"),
      address: text("Its address."),
      port: count("Its port."),
      pair: text("Opens the page once, in one browser."),
    }),
  },
  {
    typed: "tildone serve --pair --json",
    says: "Another code.",
    shape: object("A code.", { pair: text("Opens the page once."), endsAt: time("Until when.") }),
  },
  {
    typed: "tildone serve --devices --json",
    says: "The paired browsers.",
    shape: list(
      "Browsers.",
      object("A browser.", {
        id: text("What --revoke takes."),
        name: text("As it names itself."),
        paired: time("When it was paired."),
        seen: time("When it was last heard of."),
      }),
    ),
  },
  {
    typed: "tildone fleet init --json",
    says: "What was prepared.",
    shape: object("The database.", {
      schema: text("Its schema."),
      steps: count("Changes that were made to its tables."),
    }),
  },
  {
    typed: "tildone fleet status --json",
    says: "The fleet now.",
    shape: object("The fleet.", {
      runs: open(
        "How many runs are queued, running and parked, and how many became finished, poisoned and cancelled in the last 24 hours.",
      ),
      queue: object("What waits.", {
        depth: count("Runs that wait for a worker."),
        "oldestMs?": number("For how long the oldest of them waits."),
        unserved: list("Those that no worker serves.", text("A run.")),
      }),
      workers: list(
        "Every worker that was ever heard of.",
        open("`id`, `version`, `slots`, `busy`, `labels`, `queues`, `allow`, `draining`, `silentMs`, `up`."),
      ),
      slots: object("Of workers that are up.", { all: count("Slots."), busy: count("Those in use.") }),
      failovers: count("How often open runs were taken over."),
      lagMs: number("The longest time since a running run wrote something."),
      open: list(
        "Runs that are not over, at most 1000.",
        object("A run of the fleet.", {
          run: text("The run."),
          state: oneOf("Where it stands.", "queued", "running", "parked"),
          "driver?": text("The worker that has it."),
          epoch: count("How often it was claimed."),
          attempts: count("Claims since the last checkpoint."),
          queue: text("Its queue."),
          needs: list("Labels that its worker must have.", text("A label.")),
          repo: text("Its repository."),
          goal: text("Its goal."),
          seq: count("Events in its log."),
          updated: time("When it changed last."),
          "why?": text("What it waits for, or why it stopped: a reason of a stop, or a sentence."),
        }),
      ),
    }),
  },
  {
    typed: "tildone fleet doctor --json",
    says: "What is set up, and what to fix.",
    shape: object("Findings.", { findings: list("In order.", open("`status` (ok, note, fix) and `says`.")) }),
  },
  {
    typed: "tildone fleet up --json",
    says: "What is up on this machine.",
    shape: object("A fleet on one machine.", {
      up: flag("It is up."),
      workers: list("Its workers.", text("A worker.")),
      keeper: count("The process that started them, and ends them."),
    }),
  },
  {
    typed: "tildone fleet down --json",
    says: "That it is down.",
    shape: object("A fleet on one machine.", { up: flag("It is up.") }),
  },
  {
    typed: "tildone submit --json",
    says: "What was submitted.",
    shape: object("A run of the fleet.", {
      run: text("The run."),
      queue: text("Its queue."),
      workers: count("Workers that could take it now."),
    }),
  },
  {
    typed: "tildone cancel --json",
    says: "What was cancelled.",
    shape: object("A run of the fleet.", { run: text("The run."), cancelled: flag("False: it was over already.") }),
  },
  {
    typed: "tildone worker --json",
    says: "One line when it works. What happens afterwards goes to standard error, a JSON object a line.",
    shape: object("A worker.", {
      type: oneOf("", "worker"),
      id: text("Its name."),
      slots: count("Runs at the same time."),
      labels: list("What it offers.", text("A label.")),
    }),
  },
];
