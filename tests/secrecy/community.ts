import { sql } from 'kysely';
import { aHub, aHubPost, type Hub, join } from '../support/hubs.ts';
import { advanceTime, type Opine } from '../support/opine.ts';
import { hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider, type Post } from '../support/posts.ts';
import { allowPageReads } from './heaps.ts';

/** Ada's posts and Hubs, and the people who vote on them. */
export interface Community {
  readonly opine: Opine;
  readonly ada: Person;
  /** Members 1-10 are in `elm`, 7-16 in `oak`, 1-2 in `tiny`, 13-16 in `unison`. */
  readonly members: readonly Person[];
  readonly guests: readonly Person[];
  readonly hubs: Readonly<Record<'elm' | 'oak' | 'tiny' | 'unison', Hub>>;
  /** `square` is public, `placed` is in `elm`, `oak` and `tiny`, `locked` is private in `elm` and `unison`. */
  readonly posts: Readonly<Record<'square' | 'placed' | 'locked', Post>>;
}

const SMALL_HUBS = 5;

/** Creates a community whose votes only `fold` folds. */
export async function aCommunity(opine: Opine): Promise<Community> {
  await pauseFolds(opine);
  await advanceToNext(opine, 'hour');
  const ada = await hubReadyPerson(opine, 'Ada');
  const [members, guests] = await Promise.all([
    Promise.all(Array.from({ length: 16 }, () => hubReadyPerson(opine, 'Member'))),
    Promise.all(Array.from({ length: 12 }, () => registeredPerson(opine, 'Guest'))),
  ]);
  const hubOf = async (name: string, people: readonly Person[]) => {
    const hub = await aHub(ada, { name });
    await join(ada, hub, people);
    return hub;
  };
  const [elm, oak, tiny, unison] = await Promise.all([
    hubOf('Elm Street', members.slice(0, 10)),
    hubOf('Oak Street', members.slice(6)),
    hubOf('Tiny Street', members.slice(0, 2)),
    hubOf('Unison Street', members.slice(-4)),
  ]);
  // One member is in many Hubs, alone with Ada in most of them.
  for (let count = 0; count < SMALL_HUBS; count += 1) await hubOf('Nook', members.slice(1, 2));
  const slider = { sliderText: 'Is this so?' };
  const posts = {
    square: await aSlider(ada),
    placed: await aHubPost(ada, [elm, oak, tiny], { visibility: 'public_hub', ...slider }),
    locked: await aHubPost(ada, [elm, unison], slider),
  };
  return { opine, ada, members, guests, hubs: { elm, oak, tiny, unison }, posts };
}

/** Ada, who publishes, and voters without a Hub. */
export interface Poll {
  readonly opine: Opine;
  readonly ada: Person;
  readonly voters: readonly Person[];
}

/** Creates `count` voters whose votes only `fold` folds. */
export async function aPoll(opine: Opine, count = 12): Promise<Poll> {
  await pauseFolds(opine);
  const ada = await hubReadyPerson(opine, 'Ada');
  return {
    opine,
    ada,
    voters: await Promise.all(Array.from({ length: count }, () => registeredPerson(opine))),
  };
}

/** Keeps the worker from folding, so that a test controls when votes are folded. */
export async function pauseFolds({ database }: Opine): Promise<void> {
  await allowPageReads(database);
  await sql`revoke execute on function app.fold_pools(smallint) from opine_worker`.execute(
    database.superuser,
  );
}

/** Moves the clock to the start of the next hour or minute, so that a test stays within one. */
export async function advanceToNext(opine: Opine, unit: 'hour' | 'minute'): Promise<void> {
  const { rows } = await sql<{ rest: string }>`
    select (date_trunc(${unit}, app.now()) + ${`1 ${unit}`}::interval - app.now())::text as rest
  `.execute(opine.database.superuser);
  await advanceTime(opine, rows[0]?.rest ?? '');
}
