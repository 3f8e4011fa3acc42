import { runScript } from './db/run-script.ts';
import { listenFor } from './demo/arrivals.ts';
import { createNarrator } from './demo/narrator.ts';
import { enter } from './demo/performers.ts';
import { play } from './demo/story.ts';
import { openVenue, type Venue } from './demo/venue.ts';

const PAUSE_MS = 1_500;

/**
 * Plays a story with new people on the stack of `npm start`, or on one of its own: what they do, and what reaches them
 * by their event streams and as pushes. With `--fast` without pauses.
 */
async function main(): Promise<void> {
  const begun = Date.now();
  const venue = await openVenue();
  try {
    const summary = await playAt(venue);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`\n${summary} In ${seconds} s.\n`);
  } finally {
    await venue.leave();
  }
}

/** @returns what came of it, for people to read */
async function playAt({ url, pushFile, isOwn }: Venue): Promise<string> {
  const narrator = createNarrator(process.argv.includes('--fast') ? 0 : PAUSE_MS);
  process.stdout.write(`Opine at ${url}${isOwn ? ', started for this demo' : ''}\n`);
  await narrator.act('Nora, Idris and Pia sign in by phone and listen');
  const [nora, idris, pia] = await Promise.all([enter(url, 'Nora'), enter(url, 'Idris'), enter(url, 'Pia')]);
  for (const { name, phoneNumber } of [nora, idris, pia]) narrator.say(`${name.padEnd(6)} ${phoneNumber}`);
  const arrivals = await listenFor([nora, idris, pia], pushFile, narrator);
  await play({ nora, idris, pia }, arrivals, narrator);
  await arrivals.close();
  const { unreadCount } = await nora.opine.get('/notifications');
  for (const { opine } of [nora, idris, pia]) await opine.signOut();
  const { stream, push } = arrivals.counts();
  return `Three people, ${stream} stream events, ${push} pushes; ${unreadCount} notifications wait for Nora.`;
}

runScript(main);
