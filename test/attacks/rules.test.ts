import { describe, expect, test } from "vitest";
import { judge, loadPolicy, type Policy, type Rule } from "../../src/core/call/index.ts";
import fc from "../builders/properties.ts";

const policies = new Map<string, Policy>();

function decided(command: string, rules: readonly Rule[]): string {
  const key = JSON.stringify(rules);
  const policy = policies.get(key) ?? loadedWith(rules);
  policies.set(key, policy);
  return judge(policy, { tool: "bash", kind: "execute", args: { command }, command }).decision;
}

function loadedWith(rules: readonly Rule[]): Policy {
  const loaded = loadPolicy({ mode: "yolo", root: "/repo", rules });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.policy;
}

const deny = (command: string): Rule[] => [{ name: `no ${command}`, decision: "deny", command }];

describe("a denied command in other words", () => {
  test.each<[string, string]>([
    ["git push", "git -C . push"],
    ["git push", "git -c a=b push"],
    ["git push", "git --no-pager push"],
    ["git push", "git --git-dir=.git --work-tree . push origin main"],
    ["git push", "git --git-dir .git push"],
    ["git push", "git --exec-path=/x -P push"],
    ["git push", "time A=1 git push"],
    ["git push", "time -p git push"],
    ["git push", "/usr/bin/time -f %e -o x git push"],
    ["git push", "A=1 B=2 git push"],
    ["git push", "sudo -u x git push"],
    ["git push", "sudo --user x -E git -C /y push"],
    ["git push", "env -i A=1 git push"],
    ["git push", "env -u A --chdir /x git push"],
    ["git push", "nice -n 5 git push"],
    ["git push", "nice -5 git push"],
    ["git push", "timeout --signal KILL 5 git push"],
    ["git push", "timeout -k 1 5 nohup setsid --wait git push"],
    ["git push", "git-push origin"],
    ["git push", "/usr/lib/git-core/git-push"],
    ["git push", "Git push"],
    ["git push", "git.exe push"],
    ["git push", "true && (git --bare push)"],
    ["git push", "if true; then git -p push; fi"],
    ["git push", "find . -exec git -C {} push ;"],
    ["git push", "git subtree push --prefix x origin main"],
    ["docker rm", "docker -D container rm x"],
    ["cargo publish", "cargo +nightly publish"],
    ["npm publish", "npm --prefix x publish"],
    ["npm publish", "npm --registry http://x -s publish"],
    ["npm publish", "pnpm -C x npm publish; npm -w a publish"],
    ["docker push", "docker -H tcp://x push y"],
    ["docker compose down", "docker --context x compose -f a.yml -p b down -v"],
    ["docker compose down", "docker-compose -f a.yml down"],
    ["kubectl delete", "kubectl -n prod --context x delete pod y"],
    ["kubectl delete", "kubectl --namespace=prod delete pod y"],
    ["terraform destroy", "terraform -chdir=x destroy"],
    ["aws s3 rm", "aws --profile p --region r s3 --no-paginate rm s3://x"],
    ["gh repo delete", "gh -R a/b repo delete"],
    ["make deploy", "make -C x all deploy"],
    ["make deploy", "make V=1 -j 4 deploy"],
    ["rm -rf", "rm -r -f x"],
    ["rm -rf", "rm -fr x"],
    ["rm -rf", "rm -v x -rf"],
    ["rm -rf", "sudo rm -irf x"],
    ["git push --force", "git -C x push origin --force"],
    ["cargo publish", "cargo --config a=b -q publish"],
  ])("deny %s: %s", (rule, command) => expect(decided(command, deny(rule))).toBe("deny"));

  test.each<[string, string]>([
    ["git push", "git --what x push"],
    ["git push", "git $A push"],
    ["git push", "git pus?"],
    ["git push", "git p*"],
    ["git push", "git {push,x}"],
    ["git push", "$GIT push"],
    ["git push", "sudo --what git push"],
    ["git push", "flock x git push"],
    ["git push", "script -c 'git push'"],
    ["git push", "watch -n 1 git -C . push"],
    ["git push", "ssh host git push"],
    ["git push", "python3 -c 'import os; os.system(\"git push\")'"],
    ["git push", "npx -c 'git push'"],
    ["git push", "npm exec -- git push"],
    ["git push", "git submodule foreach git push"],
    ["git push", "git rebase -x 'git push' main"],
    ["git push", "echo push | xargs git"],
    ["git push", "echo 'git push' | sh"],
    ["git push", "bash <<< 'git push'"],
    ["git push", "bash -s < x"],
    ["git push", "env -S 'git push'"],
    ["git push", "f() { git push; }; f"],
    ["git push", "case x in *) git push;; esac"],
    ["git push", "env --split-string='git push'"],
    ["git push", "git -c alias.p=push p"],
    ["git push", "git -c alias.x='!git push' x"],
    ["git push", "git config alias.p push && git p"],
    ["git push", "source <(echo git push)"],
    ["git push", "bash <(echo git push)"],
    ["git push", "echo 'git push' | at now"],
    ["git push", "echo 'git push' | tee x | ssh host"],
    ["git push", "crontab - <<< '* * * * * git push'"],
    ["git push", "make -f - <<< 'a:;git push'"],
    ["git push", "python3 <<'E'\nimport os\nos.system('git push')\nE"],
    ["git push", "ssh host <<-E\n\tgit push\n\tE\ntrue"],
    ["git push", "vim -c '!git push' -c q"],
    ["git push", "socat - EXEC:'git push'"],
    ["git push", "(cat; node) <<< 'git push'"],
    ["git push", "x=$(echo git push | at now)"],
    ["npm publish", "npm publ"],
    ["npm publish", "npx -y npm@latest publish"],
    ["pip install", "pip3.12 -q install x"],
    ["git push --force", "git push -f"],
    ["git push --force", "git push --force-with-lease"],
    ["git push --force", "git push --forc"],
    ["rm -rf", "rm --recursive --force x"],
    ["rm -rf", "rm -Rf x"],
    ["rm", "npm exec rm x"],
    ["curl", "strace -f curl x"],
  ])("asked about, because it may be %s: %s", (rule, command) => expect(decided(command, deny(rule))).toBe("ask"));

  test.each<[string, string]>([
    ["git push", "git log --grep push"],
    ["git push", "git --no-pager log -p"],
    ["git push", "git -C push status"],
    ["git push", "git -c push.default=simple status"],
    ["git push", "git stash push"],
    ["git push", "git stash push | less"],
    ["git push", "echo done | python3 x.py"],
    ["git push", "cat > notes.md <<'E'\nthen git push\nE"],
    ["git push", "git commit -m 'push it'"],
    ["git push", "echo git push"],
    ["git push", "grep -rn 'git push' ."],
    ["git push", "ls push"],
    ["git push", "npm run push"],
    ["npm publish", "npm run build -- --publish"],
    ["npm publish", "npm test"],
    ["rm", "docker run --rm x"],
    ["rm", "git rm x"],
    ["rm", "npm run build"],
    ["rm -rf", "rm -f x"],
    ["rm -rf", "rm x"],
    ["docker push", "docker -H push ps"],
    ["kubectl delete", "kubectl -n delete get pods"],
    ["make deploy", "make test"],
    ["curl", "bash scripts/test.sh"],
    ["curl", "node server.js"],
  ])("not meant by %s: %s", (rule, command) => expect(decided(command, deny(rule))).toBe("allow"));
});

describe("spellings by grammar", () => {
  const quoted = (word: string) =>
    fc.constantFrom(
      word,
      `'${word}'`,
      `"${word}"`,
      `${word[0]}''${word.slice(1)}`,
      `\\${word}`,
      `${word.slice(0, 2)}\\${word.slice(2)}`,
    );
  const option = fc.constantFrom(
    "-C .",
    "-c a=b",
    "--no-pager",
    "-p",
    "--git-dir=x",
    "--git-dir x",
    "--bare",
    "--work-tree /",
    "-P",
    "--namespace x",
    "-c 'x.y=z w'",
    "--literal-pathspecs",
    "-c\ta=b",
  );
  const wrapper = fc.constantFrom(
    "",
    "sudo ",
    "sudo -u x ",
    "env ",
    "env -i A=1 ",
    "env -u B ",
    "nice ",
    "nice -n 9 ",
    "timeout 5 ",
    "timeout -s KILL 5s ",
    "nohup ",
    "time ",
    "time -p A=1 ",
    "command ",
    "exec -a y ",
    "stdbuf -oL ",
    "ionice -c 2 ",
    "setsid ",
    "A=1 ",
    "builtin ",
    "xargs -n 1 ",
    "doas -u x ",
    "! ",
  );
  const place = fc.constantFrom<(line: string) => string>(
    (line) => line,
    (line) => `true && ${line}`,
    (line) => `false || ${line}`,
    (line) => `echo hi; ${line} | cat`,
    (line) => `(${line})`,
    (line) => `{ ${line}; }`,
    (line) => `echo $(${line})`,
    (line) => `echo \`${line}\``,
    (line) => `if true; then ${line}; fi`,
    (line) => `for i in 1 2; do ${line}; done`,
    (line) => `${line} &`,
    (line) => `# nothing\n${line}`,
    (line) => `cat <(${line})`,
    (line) => `bash -c ${JSON.stringify(line).replaceAll("$", "\\$").replaceAll("`", "\\`")}`,
    (line) => `eval "${line.replaceAll(/["$`\\]/g, "\\$&")}"`,
  );
  const git = fc.tuple(
    quoted("git"),
    fc.constantFrom("", "/usr/bin/", "./bin/"),
    fc.array(option, { maxLength: 4 }),
    quoted("push"),
  );
  const line = fc
    .tuple(
      fc.array(wrapper, { maxLength: 3 }),
      git,
      fc.constantFrom("", " origin main", " --force", " 2>&1", " > log"),
      place,
    )
    .map(([wrappers, [name, folder, options, push], rest, put]) =>
      put(`${wrappers.join("")}${folder}${name} ${[...options, push].join(" ")}${rest}`),
    );

  test("no spelling of a denied command runs unasked, where everything else is free", () => {
    fc.assert(
      fc.property(line, (command) => {
        expect(["deny", "ask"]).toContain(decided(command, deny("git push")));
      }),
      { numRuns: 4_000 },
    );
  });

  test("a rule that asks is no weaker", () => {
    fc.assert(
      fc.property(line, (command) => {
        expect(decided(command, [{ name: "ask", decision: "ask", command: "git push" }])).toBe("ask");
      }),
      { numRuns: 500 },
    );
  });

  test("nearly all of them are denied outright", () => {
    const all = fc.sample(line, { numRuns: 1_000, seed: 1 });
    const denied = all.filter((command) => decided(command, deny("git push")) === "deny");
    expect(denied.length / all.length).toBeGreaterThan(0.85);
  });
});
