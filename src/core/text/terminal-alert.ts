import { clipLine } from "./text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const BELL = "\u0007";
const END = "\u001b\\";
const MOST = 200;

/**
 * What a terminal is sent to draw your eye to it: the bell, and where it is known to show them a notification with these words. One
 * form of it and not both, because some terminals would show two; none where it is not known, because what a
 * terminal does not understand it may print. A multiplexer passes on the bell.
 */
export function terminalAlert(text: string, env: Environment): string {
  const words = clipLine(text.replaceAll(";", ","), MOST);
  const form = formOf(env);
  if (form === undefined) return BELL;
  return `${BELL}\u001b]${form === "9" ? `9;tildone: ${words}` : `777;notify;tildone;${words}`}${END}`;
}

/** OSC 9 is iTerm2's, OSC 777 that of rxvt; others took over one of them, or both. */
function formOf({ TMUX, STY, TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, VTE_VERSION }: Environment) {
  if (TMUX || STY || /^(screen|tmux|dumb|linux)/.test(TERM)) return undefined;
  if (/^(iTerm\.app|WezTerm|ghostty|WarpTerminal)$/.test(TERM_PROGRAM) || KITTY_WINDOW_ID) return "9";
  if (/^(xterm-kitty|xterm-ghostty|wezterm)/.test(TERM)) return "9";
  if (/^(foot|rxvt-unicode)/.test(TERM) || VTE_VERSION) return "777";
  return undefined;
}
