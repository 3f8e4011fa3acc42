import { once } from 'node:events';
import { ConfigError, type Environment } from '../../src/config.ts';
import { DEMO_CODE, DEMO_PEOPLE } from './environment.ts';
import { LocalError } from './errors.ts';
import type { Stack } from './stack.ts';
import type { StackDescription } from './state.ts';

const STOP_TIMEOUT_MS = 20_000;
// One Ctrl-C arrives twice: from the terminal, and from npm, which forwards it.
const SAME_SIGNAL_MS = 1_000;

const stopping = new AbortController();
let stoppedAt = 0;

/** Starts a stack on the user's environment; gives up after the current step when the signal aborts. */
export type Start = (overrides: Environment, signal: AbortSignal) => Promise<Stack>;

/** Runs a stack until the user stops it or a part of it fails, and ends the process. */
export async function runInForeground(start: Start): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOrExit);
  process.exit(await run(start).catch(report));
}

function stopOrExit(): void {
  if (!stopping.signal.aborted) {
    stoppedAt = performance.now();
    stopping.abort();
  }
  // The exit handler of startCluster still stops Postgres.
  else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
}

async function run(start: Start): Promise<number> {
  const stack = await start(process.env, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (!stack) return 0;
  process.stdout.write(overview(stack));
  const failure = await Promise.race([stack.failed, stopSignal()]);
  if (failure !== null) process.stderr.write(`opine: ${failure}\n`);
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await stack.stop();
  return failure === null ? 0 : 1;
}

async function stopSignal(): Promise<null> {
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  return null;
}

function report(error: unknown): number {
  const isExpected = error instanceof LocalError || error instanceof ConfigError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`opine: ${text}\n`);
  return 1;
}

function staffRow({ apiUrl, staffProviderUrl }: StackDescription): string {
  const address = `${apiUrl}/admin`;
  return staffProviderUrl === null
    ? address
    : `${address} (one click signs in as support, moderator or admin)`;
}

function overview({ description, config, hasDemoPeople, reset }: Stack): string {
  const people = DEMO_PEOPLE.map(({ name, phoneNumber }) => `${phoneNumber} (${name})`).join(', ');
  const rows = [
    ...(config.WEB_APP ? [['App', config.APP_URL]] : []),
    ['API', `${description.apiUrl}/api/v1`],
    ['Docs', description.docsUrl],
    ['Staff', staffRow(description)],
    ['Supabase', `${description.storageUrl} (key ${description.publishableKey})`],
    ['Database', description.databaseUrl],
    ...(hasDemoPeople ? [['Sign in', `${people}: code ${DEMO_CODE}`]] : []),
    ['Texts', 'text messages to other phones are printed below'],
    ['Log', `${config.LOG_LEVEL} (LOG_LEVEL), one line a request; LOG_FORMAT=json as in production`],
    ['Reset', reset],
  ];
  return `\n${rows.map(([name = '', value]) => `  ${name.padEnd(10)} ${value}`).join('\n')}\n\n`;
}
