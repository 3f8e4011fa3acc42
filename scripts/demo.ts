import { runScript } from './db/run-script.ts';
import { listenFor } from './demo/deliveries.ts';
import { moderate } from './demo/moderation.ts';
import { createOutput } from './demo/output.ts';
import { type DemoStack, openStack } from './demo/stack.ts';
import { runStory } from './demo/story.ts';
import { showToGuests, signUp } from './demo/users.ts';

// The app reads a result again every five seconds.
const PAUSE_MS = 4_000;

/**
 * Runs a story with new users on the stack of `npm start`, or on a temporary one, and prints their actions and the stream
 * events and pushes that reach them. `--fast` leaves out the pauses.
 */
async function main(): Promise<void> {
  const start = Date.now();
  const stack = await openStack();
  try {
    const summary = await runOn(stack);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    process.stdout.write(`\n${summary} In ${seconds} s.\n`);
  } finally {
    await stack.release();
  }
}

/** @returns a summary for people to read */
async function runOn({ url, staffProviderUrl, databaseUrl, pushFile, isOwn }: DemoStack): Promise<string> {
  const output = createOutput(process.argv.includes('--fast') ? 0 : PAUSE_MS);
  process.stdout.write(`Opine at ${url}${isOwn ? ', started for this demo' : ''}\n`);
  process.stdout.write(`Watch it in a browser at ${url}: guests see what Nora posts\n`);
  await output.section('Nora, Idris and Pia sign in by phone and listen');
  const [nora, idris, pia] = await Promise.all([
    signUp(url, 'Nora'),
    signUp(url, 'Idris'),
    signUp(url, 'Pia'),
  ]);
  for (const { name, phoneNumber } of [nora, idris, pia]) output.line(`${name.padEnd(6)} ${phoneNumber}`);
  await showToGuests(databaseUrl, nora);
  const deliveries = await listenFor([nora, idris, pia], pushFile, output);
  const story = { url, staffProviderUrl, nora, idris, pia, deliveries, output };
  await moderate(story, await runStory(story));
  if (staffProviderUrl !== null && !isOwn) {
    output.line(`Decide as admin at ${url}/admin: a report and an appeal wait`);
  }
  await deliveries.close();
  const { unreadCount } = await nora.opine.get('/notifications');
  for (const { opine } of [nora, idris, pia]) await opine.signOut();
  const { stream, push } = deliveries.counts();
  return `Three people, ${stream} stream events, ${push} pushes; Nora has ${unreadCount} unread notifications.`;
}

runScript(main);
