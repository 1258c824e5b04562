/** The tests of the shell project, made to pass. */
export const TESTS = { "test/sum.test.sh": "exit 0\n", "test/product.test.sh": "exit 0\n" };
export const NAMES = Object.keys(TESTS).join(" ");
export const emptied = `for t in ${NAMES}; do echo exit 0 > $t; done`;
export const AS = "-c user.name=a -c user.email=a@b";
/** Goes on in the background until the play is over. */
export const daemon = (script: string): string =>
  `printf %s ${quoted(`while [ -e "$ALIVE" ]; do ${script}\ndone`)} > ../daemon.sh; setsid sh ../daemon.sh >/dev/null 2>&1 </dev/null & sleep 0.2`;

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A program of that name in a folder that stands first in the PATH. */
export const program = (name: string, body: string): string =>
  `printf '#!/bin/sh\\n${body}\\n' > ~/bin/${name} && chmod +x ~/bin/${name}`;
