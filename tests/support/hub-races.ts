import type { Client, Json, Reply } from './client.ts';
import type { Hub } from './hubs.ts';
import { type Acts, atOnce, outcomeOf, typesAbout } from './invitations.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person } from './people.ts';

/** Each pair of requests meets in four ways: see atOnce. */
export const ROUNDS = [1, 2, 3, 4];

export const DONE = 200;

/** Those whose requests meet. */
export interface Rivals {
  readonly amara: Person;
  readonly jonas: Person;
  readonly bo: Person;
  readonly sam: Person;
}

export async function theRivals(opine: Opine): Promise<Rivals> {
  const [amara, jonas] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Jonas')];
  const [bo, sam] = [await aHubReady(opine, 'Bo'), await aHubReady(opine, 'Sam')];
  return { amara, jonas, bo, sam };
}

/** The answers to `acts` of `people`, all asked at once. */
export async function meetIn<A extends Acts>(
  opine: Opine,
  round: number,
  { id }: Hub,
  people: readonly Client[],
  ...acts: A
): Promise<{ [Index in keyof A]: Reply }> {
  // That somebody has used the hub is noted before anything else, unless it was a moment ago.
  for (const person of people) await person.get(`/hubs/${id}/members`);
  return atOnce(opine, round, ...acts);
}

/** What became of requests; nothing that fails is ever one of it. */
export function outcomesOf(replies: readonly Reply[]): (number | string)[] {
  return replies.map(outcomeOf);
}

export function sortedOutcomes(replies: readonly Reply[]): string[] {
  return outcomesOf(replies).map(String).sort();
}

/** How often `type` happened to `person` in `hub`. */
export async function countOf(opine: Opine, hub: Json, person: Person, type: string): Promise<number> {
  return (await typesAbout(opine, hub, person)).filter((each) => each === type).length;
}
