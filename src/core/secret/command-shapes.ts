/**
 * Passwords as words of a command, where only the place says what they are. Every gap is bounded and stays within one
 * command, so that a line costs no more than its length.
 */
const GAP = String.raw`[^\n|;&]{0,200}?`;
const END = String.raw`(?=["'\s|;&)]|$)`;
const WORD = String.raw`(?![$<{["'-])[^\s"'|;&]{3,200}`;

const shape = (before: string): RegExp => new RegExp(`(${before})["']?${WORD}["']?${END}`, "g");

export const COMMAND_SHAPES: readonly RegExp[] = [
  new RegExp(
    String.raw`(\b(?:curl|wget|http|https|xh)\b${GAP}\s(?:-u|-U|-a|--user|--proxy-user|--auth)[ =]?["']?[^\s:"'$]{1,100}:)${WORD}`,
    "g",
  ),
  shape(String.raw`\bsshpass\s${GAP}-p\s?`),
  shape(
    String.raw`\b(?:docker|podman|nerdctl|helm|oc|az|cf|heroku|skopeo|buildah)\s(?:-[^\s]{1,40}\s|[a-z]{1,20}\s){0,3}login\b${GAP}\s-p\s?`,
  ),
  shape(String.raw`\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b${GAP}\s-p`),
  shape(String.raw`\bredis-cli\b${GAP}\s-a\s`),
  shape(String.raw`\bhtpasswd\s${GAP}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s\S{1,200}\s\S{1,200}\s`),
  shape(String.raw`-pass(?:in|out)?\s{1,3}pass:`),
  shape(String.raw`\bopenssl\s${GAP}\s-k\s`),
  shape(String.raw`\bmachine\s{1,3}\S{1,200}\s{1,3}login\s{1,3}\S{1,200}\s{1,3}password\s{1,3}`),
];

/** `echo password | sudo -S …` */
export const PIPED_TO_SUDO =
  /\b((?:echo|printf)\s(?:-[a-z]\s)?)["']?[^\s"'|;&$]{3,200}["']?(\s{0,3}\|\s{0,3}sudo\s(?:-[^\sS]{1,20}\s){0,5}-[A-Za-z]{0,8}S)/g;
