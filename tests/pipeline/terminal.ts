import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';

/** A shell that people paste into. */
export type Shell = 'bash' | 'zsh';

const PROMPT = /[#$%>] $/;
// Without the settings of the user.
const SHELLS = { bash: 'bash --norc --noprofile -i', zsh: 'zsh -f -i' };

/**
 * Pastes blocks of commands into an interactive shell, each when the one before has ended.
 * @param isBracketed whether the terminal marks what is pasted: the shell then runs it when the user presses Enter
 * @returns the lines on the terminal, echoed commands included
 */
export async function paste(
  shell: Shell,
  blocks: readonly string[],
  isBracketed: boolean,
): Promise<string[]> {
  // `script` is the terminal. A narrow one would break the echo of long lines.
  const child = spawn('script', ['-qfc', `stty cols 2000; exec ${SHELLS[shell]}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', HISTFILE: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    written += data;
  });
  const shown = () => stripVTControlCharacters(written);
  for (const block of blocks) {
    while (!PROMPT.test(shown())) await once(child.stdout, 'data');
    written = `${shown()}\n`;
    const keys = block.replaceAll('\n', '\r');
    child.stdin.write(isBracketed ? `\u001b[200~${keys}\u001b[201~\r` : keys);
  }
  child.stdin.write('exit\r');
  await once(child, 'close');
  return shown().split(/\r\n|\n|\r/);
}
