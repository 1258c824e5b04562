/** Commands that destroy what cannot be had back, as far as their words tell. A hint for which choice is offered first, no gate. */
const DESTRUCTIVE: readonly RegExp[] = [
  /(?:^|[\s;&|(`])(?:rm|rmdir|shred|truncate|mkfs\S*|dd|fdisk|shutdown|reboot|kill|pkill|killall)\s/,
  /\bgit\s+(?:\S+\s+)*?(?:reset\s+(?:\S+\s+)*--hard|clean\b|checkout\s+(?:\S+\s+)*--(?:\s|$)|restore\b|branch\s+(?:\S+\s+)*-D|stash\s+(?:drop|clear)|push\b|filter-branch)/,
  /\bfind\b.*\s-(?:delete|exec\s+rm)\b/,
  /\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b/i,
  /\b(?:docker|podman)\s+(?:\S+\s+)*?(?:rm|rmi|prune|down)\b|\bkubectl\s+(?:\S+\s+)*?delete\b|\bterraform\s+(?:destroy|apply)\b/,
  /\b(?:npm|yarn|pnpm|cargo|gem|twine)\s+(?:publish|unpublish|push|upload)\b/,
  /(?:^|\s)>\s*\/dev\/(?!null|std|tty)/,
];

export const isDestructive = (command: string): boolean => DESTRUCTIVE.some((pattern) => pattern.test(command));
