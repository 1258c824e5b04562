/**
 * Options that may stand between a tool and its subcommand, as far as they are known: `values` take the next word, `flags`
 * do not. Of one that is in neither list both readings are tried.
 */
export interface ToolOptions {
  readonly values: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  /** What it is asked to do may stand anywhere among its words: targets, tasks. */
  readonly anyOrder?: true;
  /** Words that may stand before a subcommand and mean the same: `docker container rm`. */
  readonly rooms?: ReadonlySet<string>;
  /** It takes the beginning of a subcommand for the whole. */
  readonly abbreviates?: true;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const tool = (values: string, flags = ""): ToolOptions => ({ values: words(values), flags: words(flags) });
const runner = (values: string): ToolOptions => ({ ...tool(values), anyOrder: true });

type Table = Readonly<Record<string, ToolOptions>>;

/** By the name of the tool. Made at the first command: a process that judges none is not to pay for it. */
export const toolOptions = (): Table => {
  kept.table ??= made();
  return kept.table;
};
const kept: { table?: Table } = {};

function made(): Table {
  const nodePackages: ToolOptions = tool(
    "--prefix -C --dir --cwd --registry --loglevel --userconfig --globalconfig --cache -w --workspace --filter -F --tag --access --otp --reporter --scope --node-options --config",
    "-g --global -s --silent -q --quiet -d --verbose -y --yes -f --force --workspaces -ws --include-workspace-root --dry-run --json --offline --no-color --ignore-scripts -r --recursive --no-audit --no-fund",
  );
  const containers: ToolOptions = {
    ...tool(
      "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --url --connection --root --runroot",
      "-D --debug --tls --tlsverify --compatibility --dry-run --remote -r",
    ),
    rooms: words("container image"),
  };

  return {
    git: {
      ...tool(
        "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source --list-cmds",
        "-p --paginate -P --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice",
      ),
      rooms: words("subtree lfs"),
    },
    hg: {
      ...tool("-R --repository --cwd --config --encoding --color --pager", "-y -q -v --debug --traceback --time"),
      abbreviates: true,
    },
    svn: tool("--username --password --config-dir --config-option", "--non-interactive --no-auth-cache --force -q"),
    npm: { ...nodePackages, abbreviates: true },
    pnpm: nodePackages,
    yarn: nodePackages,
    bun: nodePackages,
    docker: containers,
    podman: containers,
    "docker-compose": containers,
    nerdctl: containers,
    kubectl: tool(
      "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --username --password --profile --profile-output -v --v --vmodule -l --selector -f --filename -o --output",
      "--insecure-skip-tls-verify --match-server-version --warnings-as-errors --disable-compression -A --all-namespaces",
    ),
    helm: tool(
      "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --kube-as-user --kube-as-group --kube-ca-file --registry-config --repository-cache --repository-config --burst-limit --qps",
      "--debug --kube-insecure-skip-tls-verify",
    ),
    gh: tool("-R --repo --hostname", ""),
    aws: tool(
      "--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format",
      "--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt --cli-auto-prompt",
    ),
    gcloud: tool(
      "--project --account --billing-project --configuration --flags-file --flatten --format --impersonate-service-account --access-token-file --trace-token --verbosity --region --zone",
      "-q --quiet --log-http --no-user-output-enabled --user-output-enabled",
    ),
    az: tool("--subscription -o --output --query", "--debug --only-show-errors --verbose"),
    terraform: tool("-chdir", "-version -help"),
    tofu: tool("-chdir", "-version -help"),
    pulumi: tool(
      "-C --cwd -s --stack --color -v --verbose --tracing --profiling",
      "-e --emoji --logtostderr --logflow --non-interactive --disable-integrity-checking",
    ),
    cargo: tool(
      "--config -C -Z --color --manifest-path --target-dir",
      "-v --verbose -q --quiet --frozen --locked --offline --list",
    ),
    go: tool("-C", ""),
    pip: tool(
      "--proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir --log --python --use-feature --use-deprecated",
      "-q --quiet -v --verbose --isolated --require-virtualenv --no-input --no-cache-dir --disable-pip-version-check --no-color --debug",
    ),
    systemctl: tool(
      "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --root --image -s --signal --kill-whom --job-mode",
      "--user --system --global --no-block --no-pager --no-ask-password -q --quiet -f --force --now --runtime --no-reload --no-legend --no-wall",
    ),
    apt: tool("-o -c -t -a", "-y -q -s -d -f -m -u -V"),
    "apt-get": tool("-o -c -t -a", "-y -q -s -d -f -m -u -V"),
    brew: tool("", "-v -q -d --verbose --quiet --debug"),
    ssh: tool(
      "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
      "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
    ),
    make: runner(
      "-C --directory -f --file --makefile -I --include-dir -j --jobs -l --load-average -o --old-file --assume-old -W --what-if --new-file --assume-new -E --eval -O --output-sync",
    ),
    gmake: runner("-C --directory -f --file --makefile -I -j -l -o -W"),
    just: runner(
      "-f --justfile -d --working-directory --set --shell --shell-arg --color --dotenv-path --dotenv-filename",
    ),
    task: runner("-d --dir -t --taskfile -o --output -C --concurrency -I --interval"),
    rake: runner("-f --rakefile -I --libdir -r --require -C --directory -j --jobs"),
    gradle: runner(
      "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task",
    ),
    gradlew: runner(
      "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task",
    ),
    mvn: runner(
      "-f --file -s --settings -gs --global-settings -t --toolchains -pl --projects -P --activate-profiles -l --log-file -T --threads",
    ),
    ant: runner("-f -file -buildfile -lib -logfile -listener -logger -propertyfile"),
  };
}

/** Commands that only print, look or change names: what they are given is data, and none of it is run. */
export const ONLY_DATA: ReadonlySet<string> = words(
  "echo printf grep egrep fgrep rg ag man which type whereis apropos ls cat head tail wc true false test [ : read export cd pwd mkdir rmdir touch sleep basename dirname date stat file cp mv ln chmod chown du df sort uniq cut tr diff cmp md5sum sha256sum tee readlink realpath jq seq rm",
);
